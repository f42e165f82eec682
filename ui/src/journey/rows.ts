/** The rows of the waterfall: which spans have a row of their own, and which are drawn together in a lane. */

import type { Evidence } from '../api/types';
import { plural } from '../lib/numbers';
import type { Model, Node } from './model';

export interface SpanRow {
  type: 'span';
  key: string;
  node: Node;
  depth: number;
  expandable: boolean;
  open: boolean;
  /** Spans drawn inside the row: a pod's phases on the pod's lane. */
  inline: Node[];
}

/** Several spans in one lane: the steps of an object, or all that one component did. */
export interface LaneRow {
  type: 'lane';
  key: string;
  label: string;
  depth: number;
  open: boolean;
  inline: Node[];
  errors: number;
}

export type WaterfallRow = SpanRow | LaneRow;

export interface Shown {
  /** Keys whose state differs from what is open by itself. */
  toggled: ReadonlySet<string>;
  evidence: ReadonlySet<Evidence>;
  criticalOnly: boolean;
}

export const stepsKey = (id: string): string => `steps ${id}`;

/** Journeys, objects and whatever stands at the top, as a run does, are open by themselves; all else is closed. */
export function isOpen(key: string, node: Node | undefined, toggled: ReadonlySet<string>): boolean {
  const byItself = node !== undefined && (node.role === 'journey' || node.role === 'object' || !node.parent);
  return toggled.has(key) !== byItself;
}

/** Objects as lanes, children under owners, the steps of each in a lane of their own. */
export function rowsByObject(model: Model, shown: Shown): WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  const visible = visibleIn(model, shown);
  const add = (node: Node, depth: number) => {
    const children = node.children.filter(visible);
    const holder = node.role === 'journey' || node.role === 'object';
    const steps = holder ? children.filter((child) => child.role !== 'object') : [];
    const open = isOpen(node.id, node, shown.toggled);
    const inline = steps.filter((step) => step.role === 'phase');
    rows.push({ type: 'span', key: node.id, node, depth, expandable: children.length > 0, open, inline });
    if (!open) return;
    if (steps.length > 0) addSteps(node, steps, depth + 1);
    for (const child of holder ? children.filter((child) => child.role === 'object') : children) add(child, depth + 1);
  };
  const addSteps = (owner: Node, steps: Node[], depth: number) => {
    const key = stepsKey(owner.id);
    const open = isOpen(key, undefined, shown.toggled);
    // Phases are drawn on the object's own lane already; native spans lie under the requests that they belong to.
    const inline = [
      ...steps.filter((step) => step.role === 'native'),
      ...steps.filter((step) => !['native', 'phase'].includes(step.role)),
    ];
    rows.push({ type: 'lane', key, label: stepsLabel(steps), depth, open, inline, errors: sumErrors(steps) });
    if (open) for (const step of steps) add(step, depth + 1);
  };
  for (const root of model.roots.filter(visible)) add(root, 0);
  return rows;
}

/** A lane for each component: who worked when. */
export function rowsByComponent(model: Model, shown: Shown): WaterfallRow[] {
  const visible = visibleIn(model, shown);
  const lanes = new Map<string, Node[]>();
  for (const node of model.nodes) {
    if (node.role === 'journey' || node.role === 'object' || !visible(node)) continue;
    const lane = lanes.get(node.component);
    if (lane) lane.push(node);
    else lanes.set(node.component, [node]);
  }
  return [...lanes].flatMap(([component, nodes]): WaterfallRow[] => {
    const key = `component ${component}`;
    const open = isOpen(key, undefined, shown.toggled);
    const byStart = [...nodes].sort((one, other) => one.start - other.start);
    const errors = nodes.filter((node) => node.error).length;
    const label = `${component}: ${plural(nodes.length, 'span')}`;
    const lane: LaneRow = { type: 'lane', key, label, depth: 0, open, inline: byStart, errors };
    const own = open ? byStart.map((node) => leaf(node)) : [];
    return [lane, ...own];
  });
}

function leaf(node: Node): SpanRow {
  return { type: 'span', key: node.id, node, depth: 1, expandable: false, open: false, inline: [] };
}

/** What must be open for a node to have a row of its own in the view by objects. */
export function keysTo(node: Node): string[] {
  const keys: string[] = [];
  for (let at: Node = node; at.parent; at = at.parent) {
    const holder = at.parent.role === 'journey' || at.parent.role === 'object';
    if (holder && at.role !== 'object') keys.push(stepsKey(at.parent.id));
    keys.push(at.parent.id);
  }
  return keys;
}

/** The toggles with which all these keys are open. */
export function opened(keys: string[], model: Model, toggled: ReadonlySet<string>): ReadonlySet<string> {
  const next = new Set(toggled);
  for (const key of keys) {
    if (isOpen(key, model.byId.get(key), next)) continue;
    if (!next.delete(key)) next.add(key);
  }
  return next;
}

function visibleIn(model: Model, shown: Shown): (node: Node) => boolean {
  const onPath = shown.criticalOnly ? withCritical(model) : undefined;
  return (node) => {
    if (node.evidence && shown.evidence.size > 0 && !shown.evidence.has(node.evidence)) return false;
    return !onPath || onPath.has(node);
  };
}

function withCritical(model: Model): Set<Node> {
  const found = new Set<Node>();
  for (const node of model.nodes) {
    if (!node.critical) continue;
    for (let at: Node | undefined = node; at && !found.has(at); at = at.parent) found.add(at);
  }
  return found;
}

function sumErrors(nodes: Node[]): number {
  return nodes.reduce((sum, node) => sum + node.errors, 0);
}

/** `12 requests, 6 phases, 2 gaps`. */
export function stepsLabel(steps: Node[]): string {
  const count = (role: Node['role']) => steps.filter((step) => step.role === role).length;
  const parts: [number, string, string][] = [
    [count('request'), 'request', 'requests'],
    [count('phase'), 'phase', 'phases'],
    [count('gap'), 'gap', 'gaps'],
    [count('cri'), 'runtime call', 'runtime calls'],
    [count('native'), 'native span', 'native spans'],
  ];
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, one, many]) => plural(amount, one, many))
    .join(', ');
}
