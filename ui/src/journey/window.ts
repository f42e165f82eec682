/** The part of a journey's time that is seen: zoomed, moved, and marked with round times. */

export interface Window {
  from: number;
  to: number;
}

/** Less than a microsecond is not measured by anyone. */
const SMALLEST_MS = 0.001;

export function clampWindow(window: Window, duration: number): Window {
  const width = Math.min(Math.max(window.to - window.from, SMALLEST_MS), duration);
  const from = Math.min(Math.max(window.from, 0), duration - width);
  return { from, to: from + width };
}

/** Zooms by a factor (below 1 is nearer) around a point in time that stays where it is. */
export function zoomAround(window: Window, at: number, factor: number, duration: number): Window {
  const from = at - (at - window.from) * factor;
  const to = at + (window.to - at) * factor;
  return clampWindow({ from, to }, duration);
}

export function moveBy(window: Window, ms: number, duration: number): Window {
  return clampWindow({ from: window.from + ms, to: window.to + ms }, duration);
}

/** Where a finger began and where it is, in pixels. */
export type Finger = readonly [from: number, now: number];

/** Two fingers keep under them the times that they took hold of. */
export function pinched(window: Window, width: number, [one, other]: [Finger, Finger], duration: number): Window {
  const perPixel = (window.to - window.from) / width;
  const held = Math.abs(other[0] - one[0]) * perPixel;
  // Fingers that meet would zoom without end.
  const apart = Math.max(Math.abs(other[1] - one[1]), 10);
  const nextPerPixel = Math.max(held, perPixel) / apart;
  const middle = window.from + ((one[0] + other[0]) / 2) * perPixel;
  const from = middle - ((one[1] + other[1]) / 2) * nextPerPixel;
  return clampWindow({ from, to: from + nextPerPixel * width }, duration);
}

export function isWhole(window: Window, duration: number): boolean {
  return window.from <= 0 && window.to >= duration;
}

/** Shows a span with room around it, when it is out of sight or too small to see. */
export function windowFor(window: Window, start: number, end: number, duration: number): Window {
  const width = window.to - window.from;
  const seen = end > window.from && start < window.to;
  const large = end - start > width / 200;
  if (seen && large) return window;
  const room = Math.max((end - start) * 2, duration / 1000);
  return clampWindow({ from: start - room, to: end + room }, duration);
}

const ROUND = [1, 2, 5];
/** From a minute on, people count in sixties: minutes, then hours, then days. */
const LONG_STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1000,
);

function tickStep(rough: number): number {
  if (rough > 30_000) return LONG_STEPS.find((step) => step >= rough) ?? Math.ceil(rough / 86_400_000) * 86_400_000;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (ROUND.find((candidate) => candidate * power >= rough) ?? 10) * power;
}

/** Round times within a window, about `count` of them. */
export function ticks(window: Window, count: number): number[] {
  const width = window.to - window.from;
  if (width <= 0 || count < 1) return [];
  const step = tickStep(width / count);
  const found: number[] = [];
  for (let index = Math.ceil(window.from / step); index * step <= window.to; index += 1) found.push(index * step);
  return found;
}

/** What is seen at first: all, unless it has been waiting for long and what happened would be a speck. */
export function firstWindow(lastActivity: number, duration: number): Window {
  const speck = lastActivity < duration / 4;
  return { from: 0, to: speck ? Math.max(lastActivity * 1.3, duration / 1000) : duration };
}
