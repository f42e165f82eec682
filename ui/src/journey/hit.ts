/** What lies under the pointer: the shortest of the spans that are drawn there. */

import type { SpanEvent } from '../api/types';
import { parseTime } from '../lib/time';
import { NARROWEST, type PlacedRow, xOf } from './draw';
import type { Node } from './model';
import type { Window } from './window';

export interface Hit {
  node: Node;
  event?: SpanEvent;
}

/** How far beside a bar the pointer may be. */
const REACH = 3;

export function hitIn(placed: PlacedRow, x: number, window: Window, width: number, origin: number): Hit | undefined {
  const { row } = placed;
  const scene = { window, width };
  if (row.type === 'span') {
    const event = row.node.span.events.find((other) => {
      return row.node.role === 'object' && Math.abs(xOf(scene, parseTime(other.time) - origin) - x) < 6;
    });
    if (event) return { node: row.node, event };
  }
  const drawn = row.type === 'lane' ? row.inline : [row.node, ...(row.node.lead ? [row.node.lead] : []), ...row.inline];
  let best: Node | undefined;
  for (const node of drawn) {
    const left = xOf(scene, node.start);
    const right = Math.max(xOf(scene, node.end), left + NARROWEST);
    if (x < left - REACH || x > right + REACH) continue;
    if (!best || node.end - node.start < best.end - best.start) best = node;
  }
  return best && { node: best };
}
