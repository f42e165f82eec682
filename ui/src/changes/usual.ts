/** How a duration stands against the usual one. */

import type { Usual } from '../api/types';
import { formatMs } from '../lib/duration';

export interface Against {
  /** Ends of the bar and of the band from the median to the 95th percentile, as parts of the track. */
  bar: number;
  bandFrom: number;
  bandTo: number;
  slow: boolean;
  words: string;
}

/** With fewer journeys than this there is no usual. */
const ENOUGH = 3;

export function againstUsual(ms: number, usual: Usual | null): Against | undefined {
  if (!usual || usual.count < ENOUGH || usual.p50Ms <= 0) return undefined;
  // The median stands at a third of the track, so that twice and three times the usual are still seen.
  const whole = Math.max(usual.p50Ms * 3, usual.p95Ms * 1.2);
  const slow = ms > usual.p95Ms;
  const times = ms / usual.p50Ms;
  const share = slow ? `${times >= 10 ? Math.round(times) : times.toFixed(1)} times the median` : 'as usual';
  return {
    bar: Math.min(ms / whole, 1),
    bandFrom: usual.p50Ms / whole,
    bandTo: Math.min(usual.p95Ms / whole, 1),
    slow,
    words: `${share}: usually ${formatMs(usual.p50Ms)}, 95 % within ${formatMs(usual.p95Ms)} (${usual.count} journeys)`,
  };
}
