/** Time to converge: percentiles over time, of all or of each kind, namespace or cluster. */

import { useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import type { Filters } from '../api/filters';
import { statsQuery } from '../api/queries';
import type { StatsPoint } from '../api/types';
import { formatMs } from '../lib/duration';
import { Failure } from '../ui/notice';
import { Plot } from '../ui/plot';
import { columnsOf, keyText, onlyConverged } from './series';

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

const COUNT_LINES = [
  { label: 'journeys', bars: true },
  { label: 'failed or stuck', bars: true },
];

/** As many lines as one can tell apart. */
const MOST_LINES = 7;

export function ConvergeCharts({ filters, bucket, by }: Props) {
  return (
    <>
      <TimeChart filters={onlyConverged(filters)} bucket={bucket} by={by} />
      <CountChart filters={filters} bucket={bucket} by={by} />
    </>
  );
}

function useSeries({ filters, bucket, by }: Props) {
  return useQuery(statsQuery({ of: 'journeys', by: by ? [by] : [], bucket, limit: MOST_LINES }, filters));
}

function TimeChart(props: Props) {
  const { data, error } = useSeries(props);
  const split = props.by !== '';
  const [columns, lines] = useMemo(() => {
    const series = data?.series ?? [];
    const points = series[0]?.points ?? [];
    const columns = split
      ? columnsOf(series.map((one) => ({ points: one.points, pick: (point: StatsPoint) => point.p95Ms })))
      : columnsOf(PERCENTILES.map(([, pick]) => ({ points, pick })));
    const lines = split ? series.map((one) => ({ label: keyText(one) })) : PERCENTILES.map(([label]) => ({ label }));
    return [columns, lines] as const;
  }, [data, split]);
  if (error) return <Failure what="chart" error={error} />;
  const title = split ? `Time to converge by ${props.by}: 95 % within` : 'Time to converge';
  return <Plot title={title} data={columns} lines={lines} format={formatMs} />;
}

function CountChart(props: Props) {
  const { data, error } = useSeries(props);
  const split = props.by !== '';
  const [columns, lines] = useMemo(() => {
    const series = data?.series ?? [];
    const points = series[0]?.points ?? [];
    const bad = (point: StatsPoint) => point.errors;
    const all = (point: StatsPoint) => point.count;
    if (split) {
      const lines = series.map((one) => ({ label: keyText(one) }));
      return [columnsOf(series.map((one) => ({ points: one.points, pick: bad }))), lines] as const;
    }
    const columns = columnsOf([
      { points, pick: all },
      { points, pick: bad },
    ]);
    return [columns, COUNT_LINES] as const;
  }, [data, split]);
  if (error) return <Failure what="chart" error={error} />;
  const title = split ? `Failed or stuck by ${props.by}` : 'Journeys';
  return <Plot title={title} data={columns} lines={lines} format={whole} />;
}

function whole(value: number): string {
  return Number.isInteger(value) ? String(value) : '';
}
