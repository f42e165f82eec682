/** The steps of a run, and where over many runs something changed. */

import type { RunDetail, Span } from '../api/types';
import { parseTime } from '../lib/time';

export interface Step {
  name: string;
  ms: number;
}

/** The spans right below the run's own; all of them, when the run has none of its own. */
export function stepsOf({ spans }: RunDetail): Step[] {
  const ids = new Set(spans.map((span) => span.spanId));
  const roots = spans.filter((span) => !span.parentId || !ids.has(span.parentId));
  const rootIds = new Set(roots.map((root) => root.spanId));
  const below = spans.filter((span) => span.parentId && rootIds.has(span.parentId));
  const steps = below.length > 0 ? below : roots;
  return [...steps]
    .sort((one, other) => parseTime(one.start) - parseTime(other.start))
    .map((span) => ({ name: span.name, ms: durationOf(span) }));
}

function durationOf(span: Span): number {
  return span.end === null ? 0 : parseTime(span.end) - parseTime(span.start);
}

/** Names of the longest steps over many runs; what is not among them is drawn as the rest. */
export function namesOf(runs: Step[][], most: number): string[] {
  const sums = new Map<string, number>();
  for (const steps of runs) for (const step of steps) sums.set(step.name, (sums.get(step.name) ?? 0) + step.ms);
  return [...sums]
    .sort((one, other) => other[1] - one[1])
    .slice(0, most)
    .map(([name]) => name);
}

export interface ChangePoint {
  /** The first run of the new time. */
  index: number;
  before: number;
  after: number;
}

/** So many runs on each side say what is usual there. */
const SIDE = 3;
const LEAST_SHIFT = 0.15;

/**
 * Where the median shifts by more than a seventh and by more than the runs scatter.
 * Of neighbours that all see the same shift, the one with the largest counts.
 */
export function changePoints(durations: number[]): ChangePoint[] {
  const found: (ChangePoint & { weight: number })[] = [];
  for (let index = SIDE; index + SIDE <= durations.length; index += 1) {
    const left = durations.slice(Math.max(index - 2 * SIDE, 0), index);
    const right = durations.slice(index, index + 2 * SIDE);
    const [before, after] = [median(left), median(right)];
    const shift = Math.abs(after - before);
    const scatter = Math.max(deviation(left, before), deviation(right, after));
    if (before > 0 && shift / before > LEAST_SHIFT && shift > 3 * scatter)
      found.push({ index, before, after, weight: shift - scatter });
  }
  const isPeak = (point: (typeof found)[number]) => {
    const near = found.filter((other) => Math.abs(other.index - point.index) <= SIDE);
    return near.every(
      (other) => other.weight < point.weight || (other.weight === point.weight && other.index >= point.index),
    );
  };
  return found.filter(isPeak).map(({ index, before, after }) => ({ index, before, after }));
}

/** The step that shifted most at a change point, if one did. */
export function guilty(runs: Step[][], point: ChangePoint): { name: string; ms: number } | undefined {
  const of = (steps: Step[], name: string) =>
    steps.reduce((sum, step) => (step.name === name ? sum + step.ms : sum), 0);
  const left = runs.slice(Math.max(point.index - 2 * SIDE, 0), point.index);
  const right = runs.slice(point.index, point.index + 2 * SIDE);
  const names = [...new Set(runs.flat().map((step) => step.name))];
  const shifts = names.map((name) => {
    const [before, after] = [left, right].map((side) => median(side.map((steps) => of(steps, name))));
    return { name, ms: (after ?? 0) - (before ?? 0) };
  });
  const same = Math.sign(point.after - point.before);
  return shifts.filter(({ ms }) => Math.sign(ms) === same).sort((a, b) => Math.abs(b.ms) - Math.abs(a.ms))[0];
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function deviation(values: number[], around: number): number {
  return median(values.map((value) => Math.abs(value - around)));
}
