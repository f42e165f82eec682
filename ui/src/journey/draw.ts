/**
 * Draws the bars of the rows that are seen. A canvas, since one lane may hold thousands of spans and every
 * one of them moves on a zoom; names, states and reasons are also text in the rows beside it.
 */

import { cssColor, onColor } from '../lib/colors';
import { formatMs } from '../lib/duration';
import { parseTime } from '../lib/time';
import type { Node } from './model';
import { colorName, colorOf } from './palette';
import type { WaterfallRow } from './rows';
import { ticks, type Window } from './window';

export interface PlacedRow {
  row: WaterfallRow;
  top: number;
  height: number;
}

export interface Scene {
  rows: PlacedRow[];
  window: Window;
  origin: number;
  width: number;
  height: number;
  selected: string | undefined;
  matches: ReadonlySet<string>;
}

export const NARROWEST = 2;
/** Half a mark, and a little air. */
const MARK_ROOM = 8;

export function xOf(scene: Pick<Scene, 'window' | 'width'>, ms: number): number {
  return ((ms - scene.window.from) / (scene.window.to - scene.window.from)) * scene.width;
}

export function drawScene(context: CanvasRenderingContext2D, scene: Scene): void {
  context.clearRect(0, 0, scene.width, scene.height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  drawGrid(context, scene);
  for (const placed of scene.rows) drawRow(context, scene, placed);
}

function drawGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = cssColor('--line');
  for (const tick of ticks(scene.window, scene.width / 110)) {
    context.fillRect(Math.round(xOf(scene, tick)), 0, 1, scene.height);
  }
}

function drawRow(context: CanvasRenderingContext2D, scene: Scene, placed: PlacedRow): void {
  const { row, top, height } = placed;
  const middle = top + height / 2;
  if (row.type === 'lane') {
    drawLane(context, scene, row.inline, middle);
    return;
  }
  const { node } = row;
  if (node.lead) drawBar(context, scene, node.lead, middle, 8);
  drawBar(context, scene, node, middle, node.role === 'object' || node.role === 'journey' ? 14 : 12);
  for (const phase of row.inline) drawBar(context, scene, phase, middle, 14);
  drawEvents(context, scene, node, middle);
  drawWords(context, scene, row.inline, node, middle);
}

/** Many spans in one lane; what falls on the same pixels is drawn once. */
function drawLane(context: CanvasRenderingContext2D, scene: Scene, nodes: Node[], middle: number): void {
  let drawnUntil = Number.NEGATIVE_INFINITY;
  for (const node of nodes) {
    const right = Math.max(xOf(scene, node.end), xOf(scene, node.start) + NARROWEST);
    if (right <= drawnUntil && !node.error && node.role !== 'gap') continue;
    drawBar(context, scene, node, middle, node.role === 'gap' ? 5 : 9);
    if (node.role !== 'gap' && right - xOf(scene, node.start) <= NARROWEST + 1) drawnUntil = right;
  }
}

function drawBar(context: CanvasRenderingContext2D, scene: Scene, node: Node, middle: number, height: number): void {
  const left = Math.max(xOf(scene, node.start), -10);
  const right = Math.min(Math.max(xOf(scene, node.end), left + NARROWEST), scene.width + 10);
  if (right < 0 || left > scene.width) return;
  const width = right - left;
  const top = middle - height / 2;
  const isError = node.error && node.role !== 'object' && node.role !== 'journey';
  const color = isError ? cssColor('--failed') : colorOf(node);
  if (node.role === 'gap') hatch(context, left, top, width, height, color);
  else {
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(left, top, width, height, Math.min(3, width / 2));
    context.fill();
  }
  if (isError) cross(context, left, middle);
  if (node.running && node.role !== 'object') fade(context, right, top, height);
  if (node.critical) {
    context.fillStyle = cssColor('--text');
    context.fillRect(left, middle + height / 2 + 1, width, 2.5);
  }
  if (node.id === scene.selected || scene.matches.has(node.id)) {
    context.strokeStyle = cssColor(node.id === scene.selected ? '--focus' : '--stuck');
    context.lineWidth = 2;
    context.strokeRect(left - 2, top - 2, width + 4, height + 4);
  }
}

function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  context.beginPath();
  for (let at = x - height; at < x + width; at += 6) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.stroke();
  context.restore();
}

function cross(context: CanvasRenderingContext2D, x: number, middle: number): void {
  context.strokeStyle = cssColor('--failed');
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - 9, middle - 3.5);
  context.lineTo(x - 2, middle + 3.5);
  context.moveTo(x - 2, middle - 3.5);
  context.lineTo(x - 9, middle + 3.5);
  context.stroke();
}

/** What still runs has no end: its bar goes over into points. */
function fade(context: CanvasRenderingContext2D, right: number, top: number, height: number): void {
  context.clearRect(right - 10, top, 3, height);
  context.clearRect(right - 5, top, 3, height);
}

function drawEvents(context: CanvasRenderingContext2D, scene: Scene, node: Node, middle: number): void {
  if (node.role !== 'object') return;
  for (const event of node.span.events) {
    const x = xOf(scene, parseTime(event.time) - scene.origin);
    if (x < -6 || x > scene.width + 6) continue;
    const warning = event.attributes.warning === true;
    context.fillStyle = cssColor(warning ? '--failed' : '--text');
    context.strokeStyle = cssColor('--surface');
    context.lineWidth = 1.5;
    const size = warning ? 5.5 : 4;
    context.beginPath();
    context.moveTo(x, middle - size);
    context.lineTo(x + size, middle);
    context.lineTo(x, middle + size);
    context.lineTo(x - size, middle);
    context.closePath();
    context.fill();
    context.stroke();
  }
}

/** Where the marks of events are. */
function markPlaces(scene: Scene, node: Node): number[] {
  if (node.role !== 'object') return [];
  return node.span.events
    .map((event) => xOf(scene, parseTime(event.time) - scene.origin))
    .sort((one, other) => one - other);
}

/** The first place from here on where words of this width touch no mark. */
export function placeFor(from: number, width: number, marks: number[]): number {
  let left = from;
  for (const mark of marks) {
    if (mark > left - MARK_ROOM && mark < left + width + MARK_ROOM) left = mark + MARK_ROOM;
  }
  return left;
}

/** Names inside what is wide enough, the duration after the bar, and the reason of an error. */
function drawWords(context: CanvasRenderingContext2D, scene: Scene, inline: Node[], node: Node, middle: number): void {
  for (const phase of inline) {
    const name = phase.span.name;
    const width = context.measureText(name).width;
    const left = placeFor(Math.max(xOf(scene, phase.start), 0) + 4, width, markPlaces(scene, node));
    if (left + width + 4 > xOf(scene, phase.end)) continue;
    context.fillStyle = cssColor(onColor(colorName(phase)));
    context.fillText(name, left, middle + 0.5);
  }
  const message = node.error ? node.span.status.message : '';
  const gapName = node.role === 'gap' ? `${node.span.name} ` : '';
  const words = `${gapName}${formatMs(node.end - node.start)}${node.running ? ' so far' : ''}${message ? `  ${message}` : ''}`;
  context.fillStyle = cssColor(node.error ? '--failed' : '--text-quiet');
  const after = xOf(scene, node.end) + 6;
  const width = context.measureText(words).width;
  const before = xOf(scene, node.lead?.start ?? node.start) - 6;
  if (after + Math.min(width, 200) <= scene.width) context.fillText(words, Math.max(after, 4), middle + 0.5);
  else if (before - width > 0) context.fillText(words, before - width, middle + 0.5);
  else if (node.role === 'object' && inline.length === 0 && node.span.events.length === 0)
    context.fillText(words, Math.max(before, 0) + 12, middle + 0.5);
}
