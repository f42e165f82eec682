/** Many sources as few lines. */

import type { Source } from '../api/types';
import { compareTimes } from '../changes/live';

/** Fewer watches than this are shown one by one. */
const MANY = 4;
const WORST_FIRST: Source['state'][] = ['failed', 'waiting', 'up'];

/** What is not well first; the watches of a cluster that are well become one line, unless all are wanted. */
export function folded(sources: Source[], all: boolean): Source[] {
  const sorted = [...sources].sort((one, other) => rank(one) - rank(other));
  if (all) return sorted;
  const lines: Source[] = [];
  const groups = new Map<string, Source[]>();
  for (const source of sorted) {
    if (source.kind !== 'watch' || source.state !== 'up' || source.message !== '') {
      lines.push(source);
      continue;
    }
    groups.set(source.cluster, [...(groups.get(source.cluster) ?? []), source]);
  }
  return [...lines, ...[...groups.values()].flatMap((group) => (group.length < MANY ? group : [asOne(group)]))];
}

function rank(source: Source): number {
  return WORST_FIRST.indexOf(source.state);
}

function asOne(group: Source[]): Source {
  const [first] = group as [Source];
  const seen = group.flatMap(({ lastSeen }) => (lastSeen === null ? [] : [lastSeen])).sort(compareTimes);
  return {
    ...first,
    name: `${group.length} resources`,
    lastSeen: seen.at(-1) ?? null,
    rate: group.reduce((sum, source) => sum + source.rate, 0),
    message: 'all are up',
  };
}
