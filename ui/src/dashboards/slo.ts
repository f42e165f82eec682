/** An objective: so many of a hundred journeys converge within a time. */

import type { Heatmap, StatsPoint } from '../api/types';
import { parseTime } from '../lib/time';

export interface Attainment {
  total: number;
  good: number;
  /** The share that kept the objective. */
  share: number;
  /** How fast the budget of bad ones is used up: 1 is just as fast as it may be. */
  burn: number;
}

export interface BurnPoint extends Attainment {
  start: string;
}

/** The heat map of what converged, with what failed or is stuck as if it took longer than all of it. */
export function withBroken(heatmap: Heatmap, points: StatsPoint[]): Heatmap {
  const { bounds, widthMs } = heatmap;
  const columns = heatmap.columns.map((column) => ({ ...column, counts: [...column.counts] }));
  const first = parseTime(columns[0]?.start ?? '');
  for (const point of points) {
    // Steps of statistics are round times, so the first one may begin before the map does.
    const place = Math.max(Math.floor((parseTime(point.start) - first) / widthMs), 0);
    const counts = columns[Math.min(place, columns.length - 1)]?.counts;
    if (counts) counts[bounds.length] = (counts[bounds.length] ?? 0) + point.errors;
  }
  return { ...heatmap, columns };
}

/** The heat map's ranges are fixed, so a time counts by the range that it ends. */
export function nearestBound(bounds: number[], targetMs: number): number {
  return bounds.reduce(
    (best, bound) => (Math.abs(bound - targetMs) < Math.abs(best - targetMs) ? bound : best),
    bounds[0] ?? targetMs,
  );
}

export function attainment(counts: number[], bounds: number[], targetMs: number, objective: number): Attainment {
  const bound = nearestBound(bounds, targetMs);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const good = counts.reduce(
    (sum, count, index) => ((bounds[index] ?? Number.POSITIVE_INFINITY) <= bound ? sum + count : sum),
    0,
  );
  const share = total === 0 ? 1 : good / total;
  const budget = Math.max(1 - objective, 1e-9);
  return { total, good, share, burn: (1 - share) / budget };
}

export function burnOverTime({ bounds, columns }: Heatmap, targetMs: number, objective: number): BurnPoint[] {
  return columns.map(({ start, counts }) => ({ start, ...attainment(counts, bounds, targetMs, objective) }));
}

export function sumCounts({ bounds, columns }: Heatmap): number[] {
  const length = Math.max(bounds.length + 1, ...columns.map((column) => column.counts.length));
  return Array.from({ length }, (_, index) => columns.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
}
