/** Time to converge: percentiles over time, of all or of each kind, namespace or cluster. */

import { useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import type { Filters } from '../api/filters';
import { statsQuery } from '../api/queries';
import type { StatsPoint } from '../api/types';
import { formatMs } from '../lib/duration';
import { Failure } from '../ui/notice';
import { Plot } from '../ui/plot';
import { columnsOf, keyText } from './series';

interface Props {
  filters: Filters;
  bucket: string;
  by: string;
}

const PERCENTILES: [string, (point: StatsPoint) => number | null][] = [
  ['median', (point) => point.p50Ms],
  ['90 %', (point) => point.p90Ms],
  ['95 %', (point) => point.p95Ms],
  ['99 %', (point) => point.p99Ms],
];

/** As many lines as one can tell apart. */
const MOST_LINES = 7;

export function ConvergeCharts({ filters, bucket, by }: Props) {
  const question = { of: 'journeys' as const, by: by ? [by] : [], bucket, limit: MOST_LINES };
  const { data, error } = useQuery(statsQuery(question, filters));
  const split = by !== '';
  const [columns, lines, counts] = useMemo(() => {
    const series = data?.series ?? [];
    const points = series[0]?.points ?? [];
    const columns = split
      ? columnsOf(series.map((one) => ({ points: one.points, pick: (point: StatsPoint) => point.p95Ms })))
      : columnsOf(PERCENTILES.map(([, pick]) => ({ points, pick })));
    const lines = split ? series.map((one) => ({ label: keyText(one) })) : PERCENTILES.map(([label]) => ({ label }));
    const counts = split
      ? columnsOf(series.map((one) => ({ points: one.points, pick: (point: StatsPoint) => point.errors })))
      : columnsOf([
          { points, pick: (point: StatsPoint) => point.count },
          { points, pick: (point: StatsPoint) => point.errors },
        ]);
    return [columns, lines, counts] as const;
  }, [data, split]);
  if (error) return <Failure what="chart" error={error} />;
  const countLines = split
    ? lines
    : [
        { label: 'journeys', bars: true },
        { label: 'failed or stuck', bars: true },
      ];
  return (
    <>
      <Plot
        title={split ? `Time to converge by ${by}: 95 % within` : 'Time to converge'}
        data={columns}
        lines={lines}
        format={formatMs}
      />
      <Plot title={split ? `Failed or stuck by ${by}` : 'Journeys'} data={counts} lines={countLines} format={whole} />
    </>
  );
}

function whole(value: number): string {
  return Number.isInteger(value) ? String(value) : '';
}
