import { describe, expect, it } from 'vitest';
import { makeRows } from '../../tests/fixture/rows';
import type { Row } from '../api/types';
import { linesOf, spanMs, worstState } from './groups';
import { compareTimes, merge, NOTHING_LIVE, newestFirst, withJourneys, withRetired } from './live';
import { againstUsual } from './usual';

const rows = makeRows(20, Date.parse('2026-11-15T09:00:00Z'), 1000);
const row = (index: number): Row => rows[index] as Row;

describe('the list of changes', () => {
  it('shows a command with several journeys as one line, where its newest one was', () => {
    const lines = linesOf(rows, new Set());
    const group = lines[0];
    expect(group?.type).toBe('command');
    expect(group?.type === 'command' && group.group.rows).toHaveLength(3);
    expect(lines).toHaveLength(20 - 2 * 2 - 1);
  });

  it('shows the journeys of a command that was opened', () => {
    const lines = linesOf(rows, new Set([row(0).command ?? '']));
    expect(lines[1]).toMatchObject({ type: 'journey', nested: true, key: row(0).journey });
  });

  it('takes a changed journey in place of the old one, and a new one apart', () => {
    const changed = { ...row(3), state: 'failed' as const };
    const fresh = { ...row(4), journey: 'new' };
    const merged = merge(rows, withJourneys(NOTHING_LIVE, [changed, fresh]));
    expect(merged.known[3]?.state).toBe('failed');
    expect(merged.known).toHaveLength(20);
    expect(merged.fresh.map((found) => found.journey)).toEqual(['new']);
  });

  it('forgets a retired journey until it comes again', () => {
    const retired = withRetired(NOTHING_LIVE, [row(2).journey]);
    expect(merge(rows, retired).known).toHaveLength(19);
    expect(merge(rows, withJourneys(retired, [row(2)])).known).toHaveLength(20);
  });

  it('shows a row once that two pages brought', () => {
    expect(merge([row(0), row(1), row(0)], NOTHING_LIVE).known).toHaveLength(2);
  });

  it('is in the order of time, whatever the length of fractions', () => {
    expect(compareTimes('2026-11-15T09:00:00.2Z', '2026-11-15T09:00:00.15Z')).toBe(1);
    expect(compareTimes('2026-11-15T09:00:00Z', '2026-11-15T09:00:00.1Z')).toBe(-1);
    expect(compareTimes('2026-11-15T09:00:09Z', '2026-11-15T09:00:10.1Z')).toBe(-1);
    expect(newestFirst([row(5), row(1)])[0]).toBe(row(1));
  });
});

describe('a command', () => {
  it('is as bad as its worst journey', () => {
    expect(
      worstState([
        { ...row(0), state: 'converged' },
        { ...row(1), state: 'stuck' },
      ]),
    ).toBe('stuck');
  });

  it('lasts until now while a journey is open', () => {
    const open = { ...row(0), state: 'open' as const, durationMs: null, end: null };
    expect(spanMs([open], Date.parse(open.start) + 5000)).toBe(5000);
  });
});

describe('the usual duration', () => {
  it('is not told from two journeys', () => {
    expect(againstUsual(10, { p50Ms: 5, p95Ms: 8, count: 2 })).toBeUndefined();
    expect(againstUsual(10, null)).toBeUndefined();
  });

  it('makes slow what is beyond its 95th percentile', () => {
    expect(againstUsual(9, { p50Ms: 5, p95Ms: 8, count: 20 })).toMatchObject({
      slow: true,
      words: expect.stringContaining('1.8 times'),
    });
    expect(againstUsual(7, { p50Ms: 5, p95Ms: 8, count: 20 })?.slow).toBe(false);
  });
});
