import { describe, expect, it } from 'vitest';
import { compared } from '../../tests/fixture/compare';
import { World } from '../../tests/fixture/world';
import type { Comparison } from '../api/types';
import { parseSide, readSide, sideText, writeSides } from './sides';
import { certainty, inOneSentence, inOrderOfWeight } from './verdict';

const groups = compared(new World(5), new URLSearchParams('a.namespace=x&b.namespace=y')) as Comparison;

describe('what is compared', () => {
  it('comes back from the link that it made', () => {
    const a = { filters: { namespace: ['shop'], since: ['1h'] } };
    const b = { journey: 'f'.repeat(32) };
    const link = writeSides(a, b);
    expect(readSide(link, 'a')).toEqual(a);
    expect(readSide(link, 'b')).toEqual(b);
    expect(readSide('', 'a')).toBeUndefined();
  });

  it('comes back from how it is typed', () => {
    const side = { filters: { namespace: ['shop'], user: ['Ann Lee'], q: ['some words'] } };
    expect(parseSide(sideText(side))).toEqual(side);
    expect(parseSide(` ${'A'.repeat(32)} `)).toEqual({ journey: 'a'.repeat(32) });
    expect(parseSide('  ')).toBeUndefined();
  });
});

describe('a comparison', () => {
  it('is told in one sentence that names the guilty steps', () => {
    expect(inOneSentence(groups)).toBe(
      'B is 2.3 s slower (4.7 s rather than 2.4 s): image +2.2 s, mount volumes +350 ms',
    );
  });

  it('of the same is the same, and of nothing is none', () => {
    expect(inOneSentence({ ...groups, b: groups.a })).toBe('Both take the same time.');
    expect(inOneSentence({ ...groups, b: { ...groups.b, count: 0 } })).toContain('nothing to compare');
    expect(inOneSentence({ ...groups, b: { ...groups.b, p50Ms: null } })).toContain('not converged');
  });

  it('puts what changed before what is the same', () => {
    expect(
      inOrderOfWeight(groups.steps)
        .map((step) => step.step)
        .slice(0, 3),
    ).toEqual(['image', 'mount volumes', 'sandbox']);
  });

  it('says how sure it is', () => {
    expect([certainty(null), certainty(0.00004), certainty(0.0123)]).toEqual([
      '',
      'sure (p < 0.001)',
      'likely (p = 0.012)',
    ]);
  });
});
