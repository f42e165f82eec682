import { describe, expect, it } from 'vitest';
import { parseTime, relativeTime } from './time';

describe('a time', () => {
  it('keeps its microseconds', () => {
    const one = parseTime('2026-11-15T09:07:39.070398123Z');
    const other = parseTime('2026-11-15T09:07:39.070399123Z');
    expect(other - one).toBeCloseTo(0.001, 3);
    expect(Math.floor(one)).toBe(Date.parse('2026-11-15T09:07:39.070Z'));
  });

  it('may have no fraction, or a zone', () => {
    expect(parseTime('2026-11-15T09:07:39Z')).toBe(Date.parse('2026-11-15T09:07:39Z'));
    expect(parseTime('2026-11-15T10:07:39.5+01:00')).toBe(Date.parse('2026-11-15T09:07:39.500Z'));
  });

  it('is told by how long ago it was', () => {
    expect(relativeTime(0, 500)).toBe('just now');
    expect(relativeTime(0, 12_700)).toBe('12 s ago');
    expect(relativeTime(0, 200_000)).toBe('3 min ago');
    expect(relativeTime(0, 90_000_000)).toBe('1 d ago');
    expect(relativeTime(60_000, 0)).toBe('in 1 min');
  });
});
