/** When changes happened, by state: drag over it to narrow the time. */

import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Filters, without } from '../api/filters';
import { histogramQuery } from '../api/queries';
import type { Histogram, HistogramBucket, State } from '../api/types';
import { plural } from '../lib/numbers';
import { minuteTime, parseTime } from '../lib/time';
import { stateWord } from '../ui/icon';
import type { Live } from './live';

const BUCKETS = 60;
const HEIGHT = 56;
const STATES: State[] = ['converged', 'open', 'stuck', 'failed'];
/** With changes coming in, the counts are asked for again at most this often. */
const REFRESH_MS = 2000;

interface Props {
  filters: Filters;
  onChange: (filters: Filters) => void;
  live: Live;
}

export function TimeHistogram({ filters, onChange, live }: Props) {
  const { data } = useQuery(histogramQuery(filters, BUCKETS));
  useRefresh(live);
  const [brush, setBrush] = useState<[number, number] | undefined>();
  const svg = useRef<SVGSVGElement>(null);

  if (!data || data.buckets.length === 0) return <div class="histogram histogram-empty" />;
  const at = (clientX: number) => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.min(Math.max((clientX - box.left) / box.width, 0), 1);
  };
  const finish = () => {
    if (brush) {
      const [from, to] = brush[0] < brush[1] ? brush : [brush[1], brush[0]];
      setBrush(undefined);
      if (to - from > 0.5 / BUCKETS) onChange({ ...filters, ...timesOf(data, from, to) });
    }
  };
  const narrowed = filters.since || filters.until;
  return (
    <div class="histogram">
      <svg
        ref={svg}
        viewBox={`0 0 ${data.buckets.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describe(data)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setBrush([at(event.clientX), at(event.clientX)]);
        }}
        onPointerMove={(event) => brush && setBrush([brush[0], at(event.clientX)])}
        onPointerUp={finish}
        onPointerCancel={() => setBrush(undefined)}
      >
        <Bars buckets={data.buckets} />
        {brush && <BrushBox from={brush[0]} to={brush[1]} width={data.buckets.length} />}
      </svg>
      <div class="histogram-axis">
        <span>{minuteTime(parseTime(data.from))}</span>
        {narrowed ? (
          <button type="button" class="quiet" onClick={() => onChange(without(filters, 'since', 'until'))}>
            Show all times
          </button>
        ) : (
          <span class="quiet-text hint">drag to narrow the time</span>
        )}
        <span>{minuteTime(parseTime(data.to))}</span>
      </div>
    </div>
  );
}

function Bars({ buckets }: { buckets: HistogramBucket[] }) {
  const most = Math.max(1, ...buckets.map(total));
  return (
    <>
      {buckets.map((bucket, index) => {
        let y = HEIGHT;
        return (
          <g key={bucket.start}>
            <title>{`${minuteTime(parseTime(bucket.start))}: ${plural(total(bucket), 'journey')}`}</title>
            <rect class="histogram-hit" x={index} y={0} width={1} height={HEIGHT} />
            {STATES.map((state) => {
              const count = bucket[state];
              if (!count) return null;
              // One journey among thousands must still be seen.
              const height = Math.max((count / most) * HEIGHT, 1.5);
              y -= height;
              return <rect key={state} class={`fill-${state}`} x={index + 0.08} y={y} width={0.84} height={height} />;
            })}
          </g>
        );
      })}
    </>
  );
}

function BrushBox({ from, to, width }: { from: number; to: number; width: number }) {
  const left = Math.min(from, to) * width;
  return <rect class="brush" x={left} y={0} width={Math.abs(to - from) * width} height={HEIGHT} />;
}

function total(bucket: HistogramBucket): number {
  return bucket.open + bucket.converged + bucket.failed + bucket.stuck;
}

function timesOf(data: Histogram, from: number, to: number): Filters {
  const start = parseTime(data.from);
  const whole = parseTime(data.to) - start;
  const time = (part: number) => new Date(start + part * whole).toISOString();
  return { since: [time(from)], until: [time(to)] };
}

function describe(data: Histogram): string {
  const sums = STATES.map((state) => {
    const sum = data.buckets.reduce((count, bucket) => count + bucket[state], 0);
    return `${stateWord(state).toLowerCase()} ${sum}`;
  });
  return `Journeys over time: ${sums.join(', ')}. To narrow the time by keyboard, use the filter for time.`;
}

function useRefresh(live: Live): void {
  const client = useQueryClient();
  const pending = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    if (live.changed.size === 0 || pending.current) return;
    pending.current = setTimeout(() => {
      pending.current = undefined;
      void client.invalidateQueries({ queryKey: ['histogram'] });
    }, REFRESH_MS);
  }, [live]);
  useEffect(() => () => clearTimeout(pending.current), []);
}
