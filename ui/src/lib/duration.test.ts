import { describe, expect, it } from 'vitest';
import { formatMs, parseDuration } from './duration';

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [0.34, '340 µs'],
    [5.688, '5.69 ms'],
    [800.362, '800 ms'],
    [34_240, '34.2 s'],
    [59_990, '60 s'],
    [125_000, '2 min 5 s'],
    [120_000, '2 min'],
    [3_599_700, '1 h'],
    [11_040_000, '3 h 4 min'],
    [200_000_000, '2 d 8 h'],
    [-5, '−5 ms'],
    [Number.NaN, '–'],
  ])('of %d ms reads %s', (ms, text) => expect(formatMs(ms)).toBe(text));

  it('is read as the API takes it', () => {
    expect(parseDuration('500ms')).toBe(500);
    expect(parseDuration('1h30m')).toBe(5_400_000);
    expect(parseDuration('soon')).toBeUndefined();
    expect(parseDuration('5 parsecs')).toBeUndefined();
  });
});
