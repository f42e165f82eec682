/** What a key does in the waterfall, as in any tree: move, open, close, choose. */

import type { WaterfallRow } from './rows';

export interface TreeStep {
  /** The index of the row to go to. */
  go?: number;
  toggle?: string;
  select?: string;
}

const PAGE = 15;

type Keyed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

export function treeStep(event: Keyed, rows: WaterfallRow[], active: string | undefined): TreeStep | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const at = rows.findIndex((row) => row.key === active);
  const go = (index: number): TreeStep => ({ go: Math.min(Math.max(index, 0), rows.length - 1) });
  switch (event.key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'PageDown':
      return go(at + PAGE);
    case 'PageUp':
      return go(at - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    default:
      return onRow(event.key, rows, at);
  }
}

function onRow(key: string, rows: WaterfallRow[], at: number): TreeStep | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const expandable = row.type === 'lane' || row.expandable;
  if (key === 'ArrowRight') return expandable && !row.open ? { toggle: row.key } : {};
  if (key === 'ArrowLeft') return expandable && row.open ? { toggle: row.key } : { go: parentIndex(rows, at) };
  if (key === 'Enter') return row.type === 'span' ? { select: row.key } : { toggle: row.key };
  return undefined;
}

function parentIndex(rows: WaterfallRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  for (let index = at - 1; index >= 0; index -= 1) if ((rows[index]?.depth ?? 0) < depth) return index;
  return at;
}
