/** A comparison in one sentence, and its steps in the order in which they matter. */

import type { Comparison, StepComparison, Verdict } from '../api/types';
import { formatMs } from '../lib/duration';

export function inOrderOfWeight(steps: StepComparison[]): StepComparison[] {
  return [...steps].sort((one, other) => weight(other) - weight(one));
}

/** What changed comes before what is the same, and the larger difference before the smaller. */
function weight(step: StepComparison): number {
  return Math.abs(step.deltaMs) + (step.verdict === 'same' ? 0 : 1e9);
}

/** `B is 1.9 s slower (3.6 s rather than 1.7 s): image +1.7 s, readiness +0.2 s`. */
export function inOneSentence({ a, b, steps }: Comparison): string {
  if (a.count === 0 || b.count === 0) return 'One side has no journey: there is nothing to compare.';
  if (a.p50Ms === null || b.p50Ms === null) return 'One side has not converged: only its steps can be compared.';
  const delta = b.p50Ms - a.p50Ms;
  const guilty = inOrderOfWeight(steps)
    .filter((step) => step.verdict !== 'same' && Math.sign(step.deltaMs) === Math.sign(delta))
    .slice(0, 3)
    .map((step) => `${step.step} ${signed(step.deltaMs)}`);
  if (Math.abs(delta) < 0.02 * Math.max(a.p50Ms, 1)) return 'Both take the same time.';
  const how = delta > 0 ? 'slower' : 'faster';
  const both = ` (${formatMs(b.p50Ms)} rather than ${formatMs(a.p50Ms)})`;
  const why = guilty.length > 0 ? `: ${guilty.join(', ')}` : '';
  return `B is ${formatMs(Math.abs(delta))} ${how}${both}${why}`;
}

export function signed(ms: number): string {
  return ms > 0 ? `+${formatMs(ms)}` : formatMs(ms);
}

const WORDS: Record<Verdict, string> = {
  slower: '▲ slower',
  faster: '▼ faster',
  new: '+ new',
  gone: '− gone',
  same: '= same',
};

/** The verdict is about one occurrence, the difference about all of a journey: the two may point in opposite ways. */
export function verdictWords({ verdict, deltaMs }: StepComparison): string {
  if (verdict === 'slower' && deltaMs < 0) return '▲ each slower, but fewer';
  if (verdict === 'faster' && deltaMs > 0) return '▼ each faster, but more';
  return WORDS[verdict];
}

/** How sure it is, in words; a difference between two single journeys has no statistics. */
export function certainty(pValue: number | null): string {
  if (pValue === null) return '';
  if (pValue < 0.001) return 'sure (p < 0.001)';
  return pValue <= 0.05 ? `likely (p = ${pValue.toFixed(3)})` : `may be chance (p = ${pValue.toFixed(2)})`;
}
