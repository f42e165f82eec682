/** Keeps a canvas drawn: sharp on any screen, in the colours of the theme. */

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { themeGeneration } from '../lib/settings';
import { useShared } from '../lib/store';
import { drawScene, type Scene } from './draw';

export function useDrawing(canvas: RefObject<HTMLCanvasElement>, scene: Scene): void {
  // Asked for only so that a change of theme draws again.
  useShared(themeGeneration);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
    // Setting a size empties the canvas and costs memory, even when it is the same.
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawScene(context, scene);
  });
}
