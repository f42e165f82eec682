/** Pointer and wheel over the time: drag to zoom into a part, wheel with ctrl to zoom, with shift to move; fingers too. */

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from './model';
import { useFingers } from './use-fingers';
import { clampWindow, moveBy, type Window, zoomAround } from './window';

interface Point {
  x: number;
  y: number;
}

interface Options {
  model: Model;
  window: Window;
  width: number;
  element: RefObject<HTMLElement>;
  onWindow: (window: Window) => void;
  onHover: (point: Point | undefined) => void;
  onClick: (point: Point) => void;
}

/** A shorter drag is a click of an unsteady hand. */
const SHORTEST_DRAG = 5;

export function useTimePointer(options: Options) {
  const latest = useRef(options);
  latest.current = options;
  const [drag, setDrag] = useState<[number, number] | undefined>();

  const pointOf = (event: PointerEvent | WheelEvent): Point => {
    const box = options.element.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  // Not through the component: a listener that may prevent the page's own zoom must say that it is not passive.
  useEffect(() => {
    const target = options.element.current;
    if (!target) return;
    const onWheel = (event: WheelEvent) => {
      const { window, width, model, onWindow } = latest.current;
      const perPixel = (window.to - window.from) / width;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = window.from + pointOf(event).x * perPixel;
        onWindow(zoomAround(window, at, Math.exp(Math.max(Math.min(event.deltaY, 100), -100) / 250), model.duration));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        const pixels = event.deltaX || event.deltaY;
        onWindow(moveBy(window, pixels * perPixel, model.duration));
      }
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);

  const fingers = useFingers({
    window: options.window,
    width: options.width,
    duration: options.model.duration,
    onWindow: options.onWindow,
  });

  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'touch') return fingers.down(event.pointerId, pointOf(event).x);
      if (event.button !== 0) return;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      const { x } = pointOf(event);
      setDrag([x, x]);
    },
    onPointerMove(event: PointerEvent) {
      const point = pointOf(event);
      if (event.pointerType === 'touch') return fingers.move(event.pointerId, point.x);
      if (drag) setDrag([drag[0], point.x]);
      else options.onHover(point);
    },
    onPointerUp(event: PointerEvent) {
      const { window, width, model, onWindow } = options;
      if (event.pointerType === 'touch') {
        if (fingers.up(event.pointerId)) options.onClick(pointOf(event));
        return;
      }
      setDrag(undefined);
      if (!drag || Math.abs(drag[1] - drag[0]) < SHORTEST_DRAG) return options.onClick(pointOf(event));
      const perPixel = (window.to - window.from) / width;
      const [from, to] = [Math.min(...drag), Math.max(...drag)];
      onWindow(clampWindow({ from: window.from + from * perPixel, to: window.from + to * perPixel }, model.duration));
    },
    onPointerCancel() {
      // The browser took the fingers for its own scrolling.
      fingers.cancel();
      setDrag(undefined);
    },
    onPointerLeave: () => options.onHover(undefined),
    onDblClick: () => options.onWindow({ from: 0, to: options.model.duration }),
  };

  const wide = drag && Math.abs(drag[1] - drag[0]) >= SHORTEST_DRAG;
  const brush: [number, number] | undefined = wide ? [Math.min(...drag), Math.max(...drag)] : undefined;
  return { handlers, brush };
}
