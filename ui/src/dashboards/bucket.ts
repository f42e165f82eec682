/** How wide the steps of a chart are. */

const WIDTHS: [ms: number, text: string][] = [
  [1000, '1s'],
  [5000, '5s'],
  [15_000, '15s'],
  [30_000, '30s'],
  [60_000, '1m'],
  [300_000, '5m'],
  [900_000, '15m'],
  [1_800_000, '30m'],
  [3_600_000, '1h'],
  [10_800_000, '3h'],
  [21_600_000, '6h'],
  [43_200_000, '12h'],
  [86_400_000, '24h'],
];

/** A round width with which a time becomes at most about sixty steps. */
export function bucketFor(durationMs: number): { ms: number; text: string } {
  const found = WIDTHS.find(([ms]) => durationMs / ms <= 60);
  if (found) return { ms: found[0], text: found[1] };
  const days = Math.ceil(durationMs / 60 / 86_400_000);
  return { ms: days * 86_400_000, text: `${days * 24}h` };
}
