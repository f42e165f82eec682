/** Pages that were loaded and journeys that came in since, as one list, newest first. */

import type { Row } from '../api/types';

export interface Live {
  changed: ReadonlyMap<string, Row>;
  retired: ReadonlySet<string>;
}

export const NOTHING_LIVE: Live = { changed: new Map(), retired: new Set() };

/** How many journeys the stream may add before the page asks for the list anew. */
export const MAX_LIVE = 5000;

export interface Merged {
  /** What was loaded, with the newest version of each row. */
  known: Row[];
  /** What the stream brought and no loaded page has. */
  fresh: Row[];
}

export function merge(loaded: Row[], live: Live): Merged {
  if (live.changed.size === 0 && live.retired.size === 0) return { known: unique(loaded), fresh: [] };
  const present = new Set(loaded.map((row) => row.journey));
  const known = unique(loaded)
    .filter((row) => !live.retired.has(row.journey))
    .map((row) => live.changed.get(row.journey) ?? row);
  const fresh = [...live.changed.values()].filter((row) => !present.has(row.journey) && !live.retired.has(row.journey));
  return { known, fresh };
}

/** Newest first. Times are RFC 3339 in UTC, but with fractions of any length, so texts do not compare. */
export function newestFirst(rows: Row[]): Row[] {
  return [...rows].sort((one, other) => compareTimes(other.start, one.start) || compare(other.journey, one.journey));
}

/** Compares two RFC 3339 times in UTC without losing a nanosecond. */
export function compareTimes(one: string, other: string): number {
  return compare(one.replace(/(?:\.(\d+))?Z$/, '.$1'), other.replace(/(?:\.(\d+))?Z$/, '.$1'));
}

export function withJourneys(live: Live, rows: Row[]): Live {
  const changed = new Map(live.changed);
  const retired = new Set(live.retired);
  for (const row of rows) {
    changed.set(row.journey, row);
    retired.delete(row.journey);
  }
  return { changed, retired };
}

export function withRetired(live: Live, journeys: string[]): Live {
  const changed = new Map(live.changed);
  const retired = new Set(live.retired);
  for (const journey of journeys) {
    changed.delete(journey);
    retired.add(journey);
  }
  return { changed, retired };
}

// While pages load, new journeys push old ones from one page to the next, so a row may come twice.
function unique(rows: Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => !seen.has(row.journey) && seen.add(row.journey));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
