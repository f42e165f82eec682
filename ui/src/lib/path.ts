/** The critical path in few words: the same step told once, what is short left out. */

import type { PathStep } from '../api/types';

export interface PathPart extends PathStep {
  /** How often the step stands in the path. */
  count: number;
  /** The share of the whole. */
  share: number;
  /** Whether it stands for several that are too short to name. */
  rest?: boolean;
}

/**
 * A step's name without the object that it happened to: `readiness` of `readiness: Pod shop/web-1`,
 * `ReplicaSet converges` of `ReplicaSet shop/web-1 converges`.
 */
export function shortStep(name: string): string {
  const converges = /^(\S+) \S+ converges$/.exec(name);
  if (converges) return `${converges[1]} converges`;
  const colon = name.indexOf(': ');
  return colon > 0 ? name.slice(0, colon) : name;
}

/** Steps of the same name added up, longest first; at most `count`. */
export function longestSteps(path: PathStep[], count: number): PathStep[] {
  const sums = new Map<string, number>();
  for (const step of path) sums.set(shortStep(step.name), (sums.get(shortStep(step.name)) ?? 0) + step.ms);
  const steps = [...sums].map(([name, ms]) => ({ name, ms }));
  return steps.sort((one, other) => other.ms - one.ms).slice(0, count);
}

/** A part shorter than this share of the whole cannot be seen in a bar. */
const SMALLEST = 0.015;

/** The path in its order for a stacked bar: neighbours of one name are one part, and runs of tiny steps are one rest. */
export function pathParts(path: PathStep[]): PathPart[] {
  const whole = path.reduce((sum, step) => sum + step.ms, 0);
  if (whole <= 0) return [];
  const parts: PathPart[] = [];
  for (const step of path) {
    const tiny = step.ms / whole < SMALLEST;
    const last = parts.at(-1);
    const sameName = last && !last.rest && last.name === step.name;
    if (last && (sameName || (tiny && last.rest))) {
      last.ms += step.ms;
      last.count += 1;
    } else if (tiny) parts.push({ name: 'short steps', ms: step.ms, count: 1, share: 0, rest: true });
    else parts.push({ ...step, count: 1, share: 0 });
  }
  for (const part of parts) {
    part.share = part.ms / whole;
    if (part.rest) part.name = part.count === 1 ? 'a short step' : `${part.count} short steps`;
  }
  return parts;
}
