/** Long lists of which only the visible rows exist, on TanStack's virtualiser. */

import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualRows {
  items: VirtualItem[];
  totalSize: number;
  scrollTo(index: number, align?: 'auto' | 'center' | 'start'): void;
}

interface Options {
  count: number;
  scroller: RefObject<HTMLElement>;
  rowHeight: (index: number) => number;
  keyOf?: (index: number) => string;
  /** Where the list begins, for those who come back. */
  initialOffset?: () => number;
}

export function useVirtualRows({ count, scroller, rowHeight, keyOf, initialOffset }: Options): VirtualRows {
  const [, rerender] = useReducer((generation: number) => generation + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => rerender(undefined as never),
    ...(initialOffset ? { initialOffset } : {}),
    ...(keyOf ? { getItemKey: keyOf } : {}),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    items: virtualizer.getVirtualItems(),
    totalSize: virtualizer.getTotalSize(),
    scrollTo: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
  };
}
