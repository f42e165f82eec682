/** How long journeys took, over time: the darker, the more. A cell leads to its journeys. */

import { useLocation } from 'wouter-preact';
import { type Filters, writeFilters } from '../api/filters';
import type { Heatmap } from '../api/types';
import { formatMs } from '../lib/duration';
import { plural } from '../lib/numbers';
import { minuteTime, parseTime } from '../lib/time';

interface Props {
  heatmap: Heatmap;
  filters: Filters;
}

const CELL = 12;

export function HeatGrid({ heatmap, filters }: Props) {
  const [, navigate] = useLocation();
  const { bounds, columns, widthMs } = heatmap;
  const used = usedRows(heatmap);
  const most = Math.max(1, ...columns.flatMap((column) => column.counts));
  const open = (start: string, row: number) => {
    const from = parseTime(start);
    const range: Filters = {
      ...filters,
      since: [new Date(from).toISOString()],
      until: [new Date(from + widthMs).toISOString()],
      ...(row > 0 ? { min_duration: [`${bounds[row - 1]}ms`] } : {}),
      ...(bounds[row] !== undefined ? { max_duration: [`${bounds[row]}ms`] } : {}),
    };
    navigate(`/?${writeFilters(range)}`);
  };
  const height = used.length * CELL;
  return (
    <figure class="card heat">
      <figcaption>How long journeys took, over time</figcaption>
      <div class="heat-body">
        <div class="heat-labels" aria-hidden="true">
          {used.map((row) => (
            <span key={row}>{bounds[row] === undefined ? 'longer' : formatMs(bounds[row])}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${columns.length} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={describe(heatmap)}
        >
          {columns.map((column, x) =>
            used.map((row, y) => {
              const count = column.counts[row] ?? 0;
              if (count === 0) return null;
              return (
                <rect
                  key={`${column.start}${row}`}
                  x={x + 0.04}
                  y={y * CELL + 0.5}
                  width={0.92}
                  height={CELL - 1}
                  fill-opacity={0.25 + 0.75 * Math.sqrt(count / most)}
                  onClick={() => open(column.start, row)}
                >
                  <title>{`${minuteTime(parseTime(column.start))}, ${rangeText(bounds, row)}: ${plural(count, 'journey')}`}</title>
                </rect>
              );
            }),
          )}
        </svg>
      </div>
      <div class="histogram-axis">
        <span>{columns[0] && minuteTime(parseTime(columns[0].start))}</span>
        <span>{columns.length > 1 && minuteTime(parseTime(columns[columns.length - 1]?.start ?? ''))}</span>
      </div>
    </figure>
  );
}

/** Ranges from the longest that has a journey down to the shortest that has one. */
function usedRows({ bounds, columns }: Heatmap): number[] {
  const rows = Array.from({ length: bounds.length + 1 }, (_, row) => row);
  const has = (row: number) => columns.some((column) => (column.counts[row] ?? 0) > 0);
  const first = rows.findIndex(has);
  const last = rows.findLastIndex(has);
  return first < 0 ? rows : rows.slice(first, last + 1).reverse();
}

function rangeText(bounds: number[], row: number): string {
  const [from, to] = [bounds[row - 1], bounds[row]];
  if (to === undefined) return `longer than ${formatMs(from ?? 0)}`;
  return from === undefined ? `within ${formatMs(to)}` : `${formatMs(from)} to ${formatMs(to)}`;
}

function describe({ bounds, columns }: Heatmap): string {
  const sums = Array.from({ length: bounds.length + 1 }, (_, row) =>
    columns.reduce((sum, column) => sum + (column.counts[row] ?? 0), 0),
  );
  const words = sums.flatMap((sum, row) => (sum > 0 ? [`${rangeText(bounds, row)}: ${sum}`] : []));
  return `Heat map of durations. ${words.join(', ')}`;
}
