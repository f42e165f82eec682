/** Fingers over the time: one moves it sideways, two zoom it; up and down stays the page's own scrolling. */

import { useRef } from 'preact/hooks';
import { moveBy, pinched, type Window } from './window';

interface Options {
  window: Window;
  width: number;
  duration: number;
  onWindow: (window: Window) => void;
}

interface Gesture {
  /** What was seen when the number of fingers last changed. */
  window: Window;
  from: Map<number, number>;
  at: Map<number, number>;
}

/** A finger that trembles has not moved. */
const TREMBLE = 6;

export function useFingers({ window, width, duration, onWindow }: Options) {
  const gesture = useRef<Gesture | undefined>();
  const moved = useRef(false);

  const begin = (at: Map<number, number>) => {
    gesture.current = at.size > 0 ? { window, from: new Map(at), at } : undefined;
  };

  return {
    down(id: number, x: number) {
      const at = new Map(gesture.current?.at ?? []);
      if (at.size === 0) moved.current = false;
      begin(at.set(id, x));
    },
    move(id: number, x: number) {
      const current = gesture.current;
      if (!current?.at.has(id)) return;
      current.at.set(id, x);
      const fingers = [...current.at].map(([finger, now]) => [current.from.get(finger) ?? now, now] as const);
      const [one, other] = fingers;
      if (!one || Math.max(...fingers.map(([from, now]) => Math.abs(now - from))) < TREMBLE) return;
      moved.current = true;
      const perPixel = (current.window.to - current.window.from) / width;
      onWindow(
        other
          ? pinched(current.window, width, [one, other], duration)
          : moveBy(current.window, (one[0] - one[1]) * perPixel, duration),
      );
    },
    /** Whether it was a tap. */
    up(id: number): boolean {
      const at = new Map(gesture.current?.at ?? []);
      const last = at.delete(id) && at.size === 0;
      begin(at);
      return last && !moved.current;
    },
    cancel() {
      gesture.current = undefined;
    },
  };
}
