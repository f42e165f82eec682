/** The line that j and k have come to. It takes the focus, so that enter, tab and a screen reader go on from there. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useKeys } from '../lib/keys';
import type { VirtualRows } from '../lib/virtual';
import type { Line } from './groups';

/** The index of the selected line, or −1. */
export function useLineSelection(lines: Line[], rows: VirtualRows, scroller: RefObject<HTMLElement>): number {
  // By key, since new lines at the top move all others.
  const [key, select] = useState<string | undefined>();
  const selected = key === undefined ? -1 : lines.findIndex((line) => line.key === key);
  const move = (by: number) => {
    const next = Math.min(Math.max(selected + by, 0), lines.length - 1);
    select(lines[next]?.key);
    rows.scrollTo(next);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  // Before the next key can come, which may be enter.
  useLayoutEffect(() => {
    const target = scroller.current?.querySelector<HTMLElement>(`[data-index="${selected}"] .line-main`);
    target?.focus({ preventScroll: true });
  }, [key, rows.items[0]?.index]);
  return selected;
}
