import { describe, expect, it } from 'vitest';
import type { StatsPoint } from '../api/types';
import { bucketFor } from './bucket';
import { columnsOf, totals } from './series';
import { attainment, burnOverTime, nearestBound, sumCounts, withBroken } from './slo';

const point = (start: string, count: number): StatsPoint => ({
  start,
  count,
  errors: 1,
  p50Ms: count,
  p90Ms: null,
  p95Ms: null,
  p99Ms: null,
  maxMs: null,
  sumMs: null,
});

describe('a chart', () => {
  it('has round steps, about sixty of them', () => {
    expect(bucketFor(3_600_000).text).toBe('1m');
    expect(bucketFor(20_000).text).toBe('1s');
    expect(bucketFor(86_400_000).text).toBe('30m');
    expect(bucketFor(200 * 86_400_000).text).toBe('96h');
  });

  it('has holes where a line has no value', () => {
    const one = { points: [point('2026-11-15T09:00:00Z', 1)], pick: (at: StatsPoint) => at.count };
    const other = { points: [point('2026-11-15T09:01:00Z', 2)], pick: (at: StatsPoint) => at.count };
    const [times, first, second] = columnsOf([one, other]);
    expect(times).toHaveLength(2);
    expect([first, second]).toEqual([
      [1, null],
      [null, 2],
    ]);
  });

  it('of nothing is nothing', () => {
    expect(columnsOf([])).toEqual([[]]);
    expect(totals([{ key: {}, points: [] }])).toEqual([]);
  });
});

describe('an objective', () => {
  const heatmap = {
    widthMs: 60_000,
    bounds: [1000, 10_000],
    columns: [
      { start: 'x', counts: [98, 1, 1] },
      { start: 'y', counts: [0, 0, 0] },
    ],
  };

  it('counts what is within the nearest bound', () => {
    expect(nearestBound([1000, 10_000], 4000)).toBe(1000);
    expect(attainment([98, 1, 1], heatmap.bounds, 10_000, 0.99)).toMatchObject({ total: 100, good: 99, share: 0.99 });
  });

  it('is not kept by what failed or is stuck', () => {
    const start = '2026-11-15T09:00:00Z';
    const map = { ...heatmap, columns: [{ start, counts: [98, 1, 0] }] };
    const early = point('2026-11-15T08:59:30Z', 100);
    const broken = withBroken(map, [early, point('2026-11-15T09:00:30Z', 100)]);
    expect(sumCounts(broken)).toEqual([98, 1, 2]);
    expect(attainment(sumCounts(broken), map.bounds, 10_000, 0.99)).toMatchObject({ total: 101, good: 99 });
    expect(map.columns[0]?.counts).toEqual([98, 1, 0]);
  });

  it('burns its budget once when it is just kept, and not at all when nothing happens', () => {
    const [first, second] = burnOverTime(heatmap, 10_000, 0.99);
    expect(first?.burn).toBeCloseTo(1);
    expect(second?.burn).toBe(0);
    expect(sumCounts(heatmap)).toEqual([98, 1, 1]);
  });
});
