/** The whole journey in a strip; the part that is seen can be moved, and a new one dragged. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { cssColor } from '../lib/colors';
import { themeGeneration } from '../lib/settings';
import { useShared } from '../lib/store';
import type { Model } from './model';
import { colorOf } from './palette';
import { useSize } from './use-size';
import { clampWindow, moveBy, type Window, zoomAround } from './window';

interface Props {
  model: Model;
  window: Window;
  onWindow: (window: Window) => void;
  left: number;
}

export function Minimap({ model, window, onWindow, left }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const drag = useRef<{ x: number; moves: boolean; window: Window } | undefined>();
  const generation = useShared(themeGeneration);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    canvas.current.width = Math.max(size.width, 1);
    canvas.current.height = Math.max(size.height, 1);
    drawAll(context, model, size.width, size.height);
  }, [model, size.width, size.height, generation]);

  const timeAt = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect();
    return rect ? ((event.clientX - rect.left) / rect.width) * model.duration : 0;
  };
  const share = (ms: number) => `${(ms / model.duration) * 100}%`;
  return (
    <div
      class="minimap"
      ref={box}
      style={{ marginInlineStart: `${left}px` }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = timeAt(event);
        const inside = at > window.from && at < window.to && window.to - window.from < model.duration * 0.98;
        drag.current = { x: at, moves: inside, window };
      }}
      onPointerMove={(event) => {
        const began = drag.current;
        if (!began) return;
        const at = timeAt(event);
        if (began.moves) onWindow(moveBy(began.window, at - began.x, model.duration));
        else if (Math.abs(at - began.x) > model.duration / 200) {
          onWindow(clampWindow({ from: Math.min(at, began.x), to: Math.max(at, began.x) }, model.duration));
        }
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onWheel={(event) => {
        const rect = event.currentTarget.getBoundingClientRect();
        const at = ((event.clientX - rect.left) / rect.width) * model.duration;
        onWindow(zoomAround(window, at, Math.exp(event.deltaY / 300), model.duration));
      }}
      onDblClick={() => onWindow({ from: 0, to: model.duration })}
    >
      <canvas ref={canvas} />
      <span class="minimap-shade" style={{ left: '0', width: share(window.from) }} />
      <span class="minimap-shade" style={{ left: share(window.to), right: '0' }} />
    </div>
  );
}

/** Each span a thin line in its colour, by the order of the tree; errors above all. */
function drawAll(context: CanvasRenderingContext2D, model: Model, width: number, height: number): void {
  const shown = model.nodes.filter((node) => node.role !== 'journey');
  const x = (ms: number) => (ms / model.duration) * width;
  shown.forEach((node, index) => {
    const y = 2 + (index / shown.length) * (height - 4);
    context.fillStyle = colorOf(node);
    context.fillRect(x(node.start), y, Math.max(x(node.end) - x(node.start), 1), 1.5);
  });
  context.fillStyle = cssColor('--failed');
  for (const node of shown) if (node.error) context.fillRect(x(node.start), 0, 2, height);
}
