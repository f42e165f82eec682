/** A comparison in one sentence, and its steps in the order in which they matter. */

import type { Comparison, StepComparison } from '../api/types';
import { formatMs } from '../lib/duration';

export function inOrderOfWeight(steps: StepComparison[]): StepComparison[] {
  return [...steps].sort((one, other) => weight(other) - weight(one));
}

/** What changed comes before what is the same, and the larger difference before the smaller. */
function weight(step: StepComparison): number {
  return Math.abs(step.deltaMs) + (step.verdict === 'same' ? 0 : 1e9);
}

/** `B is 1.9 s slower (2.1 times): image +1.7 s, readiness +0.2 s`. */
export function inOneSentence({ a, b, steps }: Comparison): string {
  if (a.count === 0 || b.count === 0) return 'One side has no journey that has ended: there is nothing to compare.';
  if (a.p50Ms === null || b.p50Ms === null) return 'One side has not ended yet.';
  const delta = b.p50Ms - a.p50Ms;
  const guilty = inOrderOfWeight(steps)
    .filter((step) => step.verdict !== 'same' && Math.sign(step.deltaMs) === Math.sign(delta))
    .slice(0, 3)
    .map((step) => `${step.step} ${signed(step.deltaMs)}`);
  if (Math.abs(delta) < 0.02 * Math.max(a.p50Ms, 1)) return 'Both take the same time.';
  const how = delta > 0 ? 'slower' : 'faster';
  const times = a.p50Ms > 0 ? ` (${(b.p50Ms / a.p50Ms).toFixed(2)} times)` : '';
  const why = guilty.length > 0 ? `: ${guilty.join(', ')}` : '';
  return `B is ${formatMs(Math.abs(delta))} ${how}${times}${why}`;
}

export function signed(ms: number): string {
  return ms > 0 ? `+${formatMs(ms)}` : formatMs(ms);
}

/** How sure it is, in words; a difference between two single journeys has no statistics. */
export function certainty(pValue: number | null): string {
  if (pValue === null) return '';
  if (pValue < 0.001) return 'p < 0.001';
  return `p = ${pValue.toFixed(3)}`;
}
