/** Answers of the statistics as columns that a chart draws. */

import type { Filters } from '../api/filters';
import type { Series, StatsPoint } from '../api/types';
import { parseTime } from '../lib/time';

/** What never converged took no time to converge. */
export function onlyConverged(filters: Filters): Filters {
  return { ...filters, state: ['converged'] };
}

export type Pick = (point: StatsPoint) => number | null;

/** Times in seconds, then a column for each line; a line without a value at some time has a hole there. */
export type Columns = [number[], ...(number | null)[][]];

export function columnsOf(lines: { points: StatsPoint[]; pick: Pick }[]): Columns {
  const times = new Set<number>();
  const values = lines.map(({ points, pick }) => {
    const byTime = new Map<number, number | null>();
    for (const point of points) {
      const time = parseTime(point.start) / 1000;
      times.add(time);
      byTime.set(time, pick(point));
    }
    return byTime;
  });
  const sorted = [...times].sort((one, other) => one - other);
  return [sorted, ...values.map((byTime) => sorted.map((time) => byTime.get(time) ?? null))];
}

/** The key of what has no value in the field that is split by. */
export const NOBODY = 'none';

export function keyText(series: Series): string {
  const words = Object.values(series.key).map((value) => value || NOBODY);
  return words.length > 0 ? words.join(' · ') : 'all';
}

/** One row of a table: a series over all its time. */
export interface Total {
  key: string;
  count: number;
  errors: number;
  p50Ms: number | null;
  p95Ms: number | null;
  maxMs: number | null;
  sumMs: number;
}

/** Series that were asked for without a bucket have one point each. */
export function totals(series: Series[]): Total[] {
  return series.flatMap((one) => {
    const [point] = one.points;
    if (!point) return [];
    const { count, errors, p50Ms, p95Ms, maxMs } = point;
    return [{ key: keyText(one), count, errors, p50Ms, p95Ms, maxMs, sumMs: point.sumMs ?? 0 }];
  });
}
