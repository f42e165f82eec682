/** Times: parsed without losing microseconds, told in words or in full. */

/** Milliseconds since 1970 with a fraction; a double holds a quarter of a microsecond at our dates. */
export function parseTime(text: string): number {
  const match = /^(.*?:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!match) return Date.parse(text);
  const [, seconds = '', fraction = '', zone = 'Z'] = match;
  return Date.parse(seconds + zone) + (fraction ? Number(fraction) * 1000 : 0);
}

const UNITS: [limitMs: number, unitMs: number, name: string][] = [
  [60_000, 1000, 's'],
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [Number.POSITIVE_INFINITY, 86_400_000, 'd'],
];

/** `12 s ago`, `in 3 min`. */
export function relativeTime(ms: number, now: number): string {
  const away = Math.abs(now - ms);
  if (away < 1500) return 'just now';
  const [, unit, name] = UNITS.find(([limit]) => away < limit) ?? [0, 86_400_000, 'd'];
  const text = `${Math.floor(away / unit)} ${name}`;
  return ms <= now ? `${text} ago` : `in ${text}`;
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `09:07:39.070` in the reader's zone; with the day when it is not today's. */
export function absoluteTime(ms: number, now: number): string {
  const date = new Date(ms);
  const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
  return sameDay(date, new Date(now)) ? clock : `${dayOf(date)} ${clock}`;
}

/** `2026-11-15 09:07`, for axes and labels. */
export function minuteTime(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date)} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** `2026-11-15 09:07:39`. */
export function secondTime(ms: number): string {
  return `${minuteTime(ms)}:${pad(new Date(ms).getSeconds())}`;
}

/** The whole truth, for a tooltip: the reader's zone and UTC. */
export function fullTime(text: string): string {
  const date = new Date(parseTime(text));
  return `${date.toString()}\n${text}`;
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

function sameDay(one: Date, other: Date): boolean {
  return dayOf(one) === dayOf(other);
}
