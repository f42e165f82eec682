/** What is compared: two journeys, or two groups of them, as the link says it. */

import { type Filters, isEmpty, parseSearch, readFilters, writeFilters } from '../api/filters';

export type Side = { journey: string } | { filters: Filters };
export type SideName = 'a' | 'b';

/** One side out of the link: `a=<id>`, or `a.namespace=shop`. */
export function readSide(search: string, name: SideName): Side | undefined {
  const journey = new URLSearchParams(search).get(name);
  if (journey) return { journey };
  const filters = readFilters(search, `${name}.`);
  return isEmpty(filters) ? undefined : { filters };
}

export function writeSide(side: Side, name: SideName): string {
  return 'journey' in side ? `${name}=${encodeURIComponent(side.journey)}` : writeFilters(side.filters, `${name}.`);
}

export function writeSides(a: Side | undefined, b: Side | undefined): string {
  return [a && writeSide(a, 'a'), b && writeSide(b, 'b')].filter(Boolean).join('&');
}

/** What someone typed: an id of 32 hex digits is a journey, anything else is a group. */
export function parseSide(text: string): Side | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{32}$/i.test(trimmed)) return { journey: trimmed.toLowerCase() };
  const filters = parseSearch(trimmed);
  return isEmpty(filters) ? undefined : { filters };
}

/** A side as it would be typed. */
export function sideText(side: Side | undefined): string {
  if (!side) return '';
  if ('journey' in side) return side.journey;
  const words = Object.entries(side.filters).flatMap(([name, values]) => {
    return (values ?? []).map((value) => (name === 'q' ? value : `${name}:${/\s/.test(value) ? `"${value}"` : value}`));
  });
  return words.join(' ');
}
