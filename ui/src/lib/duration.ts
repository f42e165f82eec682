/** Durations as people read them: three digits that matter, never more. */

/** `340 µs`, `5.7 ms`, `34.2 s`, `2 min 5 s`, `3 h 4 min`. */
export function formatMs(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 0) return `−${formatMs(-ms)}`;
  if (ms === 0) return '0 ms';
  if (ms < 1) return `${round(ms * 1000)} µs`;
  if (ms < 1000) return `${round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(seconds / 3600);
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function round(value: number): string {
  if (value >= 100) return String(Math.round(value));
  if (value >= 10) return String(Math.round(value * 10) / 10);
  return String(Math.round(value * 100) / 100);
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `500ms`, `2m`, `1h30m` as the API takes them; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text.trim()) return undefined;
  return parts.reduce((sum, [, amount = '0', unit = 'ms']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}
