/** What each span is drawn with. */

import { cssColor } from '../lib/colors';
import type { Node } from './model';

const PHASES: Record<string, string> = {
  queued: '--series-7',
  sandbox: '--series-5',
  image: '--series-2',
  create: '--series-4',
  start: '--series-1',
  readiness: '--series-3',
  running: '--series-6',
  // Not the colour nearest to that of errors.
  terminating: '--series-8',
};

/** For the legend, in the order of a pod's life. */
export const PHASE_COLORS = Object.entries(PHASES);

export function colorName(node: Node): string {
  switch (node.role) {
    case 'journey':
    case 'object':
      return '--bar-object';
    case 'phase':
      return PHASES[node.span.name] ?? '--series-5';
    case 'gap':
      return '--bar-gap';
    case 'request':
      return '--series-1';
    case 'cri':
      return '--series-2';
    case 'native':
      return node.component === 'kubelet' || node.component === 'container runtime' ? '--series-3' : '--series-5';
  }
}

export function colorOf(node: Node): string {
  return cssColor(colorName(node));
}
