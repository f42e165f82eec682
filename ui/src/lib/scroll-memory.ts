/** Where a list was scrolled to, for those who come back to it. */

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const remembered = new Map<string, number>();
const MOST = 50;

export function rememberedScroll(key: string): number {
  return remembered.get(key) ?? 0;
}

/** Notes where the list is; another list in its place begins at the top. */
export function useScrollMemory(key: string, element: RefObject<HTMLElement>): void {
  const former = useRef(key);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    if (former.current !== key) target.scrollTop = 0;
    former.current = key;
    const note = () => {
      remembered.delete(key);
      remembered.set(key, target.scrollTop);
      const oldest = remembered.keys().next().value;
      if (remembered.size > MOST && oldest !== undefined) remembered.delete(oldest);
    };
    target.addEventListener('scroll', note, { passive: true });
    return () => target.removeEventListener('scroll', note);
  }, [key]);
}
