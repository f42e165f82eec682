/** What a list is narrowed by. The page's URL and the API use the same names, so that a link says what it shows. */

export const FILTER_NAMES = [
  'cluster',
  'namespace',
  'kind',
  'name',
  'uid',
  'node',
  'user',
  'agent',
  'verb',
  'state',
  'reason',
  'command',
  'service',
  'span',
  'status',
  'min_duration',
  'max_duration',
  'since',
  'until',
  'q',
  'attr',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Partial<Record<FilterName, string[]>>;

const SINGLE: ReadonlySet<FilterName> = new Set<FilterName>(['min_duration', 'max_duration', 'since', 'until', 'q']);

export function isFilterName(name: string): name is FilterName {
  return (FILTER_NAMES as readonly string[]).includes(name);
}

/** Whether a filter takes one value only. */
export function takesOne(name: FilterName): boolean {
  return SINGLE.has(name);
}

/** The filters in a URL's query; `prefix` is `a.` or `b.` when two groups are compared. */
export function readFilters(search: string, prefix = ''): Filters {
  const filters: Filters = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (!key.startsWith(prefix) || value === '') continue;
    const name = key.slice(prefix.length);
    if (!isFilterName(name)) continue;
    filters[name] = takesOne(name) ? [value] : unique([...(filters[name] ?? []), value]);
  }
  return filters;
}

/** The query of a URL; filters in a fixed order, so that the same filters are the same link. */
export function writeFilters(filters: Filters, prefix = ''): string {
  const params = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    for (const value of filters[name] ?? []) params.append(prefix + name, value);
  }
  return params.toString();
}

export function withValue(filters: Filters, name: FilterName, value: string): Filters {
  const values = takesOne(name) ? [value] : unique([...(filters[name] ?? []), value]);
  return { ...filters, [name]: values };
}

export function withoutValue(filters: Filters, name: FilterName, value: string): Filters {
  const rest = (filters[name] ?? []).filter((other) => other !== value);
  const { [name]: _, ...others } = filters;
  return rest.length > 0 ? { ...others, [name]: rest } : others;
}

export function without(filters: Filters, ...names: FilterName[]): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as FilterName)));
}

export function isEmpty(filters: Filters): boolean {
  return Object.values(filters).every((values) => !values || values.length === 0);
}

/**
 * What someone typed into the search box: `namespace:shop state:stuck some words`.
 * A word with a filter's name and a colon is that filter, a quoted value may have spaces, the rest is text.
 */
export function parseSearch(text: string): Filters {
  let filters: Filters = {};
  const words: string[] = [];
  for (const match of text.matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)) {
    const [whole, name, quoted, bare] = match;
    const value = quoted ?? bare ?? '';
    if (name && isFilterName(name) && value !== '') filters = withValue(filters, name, value);
    else words.push(whole);
  }
  if (words.length > 0) filters = withValue(filters, 'q', words.join(' '));
  return filters;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
