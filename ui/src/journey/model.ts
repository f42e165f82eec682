/** The spans of a journey as a tree with times in milliseconds since its start. */

import type { Edge, Evidence, Span } from '../api/types';
import { parseTime } from '../lib/time';
import { componentOf } from './component';

export type Role = 'journey' | 'object' | 'request' | 'phase' | 'gap' | 'cri' | 'native';

export interface Node {
  id: string;
  span: Span;
  role: Role;
  parent: Node | undefined;
  children: Node[];
  /** Milliseconds since the start of the whole. */
  start: number;
  end: number;
  /** It has not ended yet. */
  running: boolean;
  error: boolean;
  /** Errors in it and below. */
  errors: number;
  critical: boolean;
  /** Why it hangs where it hangs; what has none of its own takes its parent's. */
  evidence: Evidence | undefined;
  component: string;
  /** On an object: the gap that ends where the object's own time begins. */
  lead: Node | undefined;
}

export interface Model {
  roots: Node[];
  byId: Map<string, Node>;
  /** All nodes in the order of the tree. */
  nodes: Node[];
  /** When the whole starts, in milliseconds since 1970. */
  origin: number;
  duration: number;
  /** When the last thing happened; what only goes on is nothing that happens. */
  lastActivity: number;
}

const ROLES: Record<string, Role> = {
  journey: 'journey',
  object: 'object',
  request: 'request',
  phase: 'phase',
  gap: 'gap',
  cri: 'cri',
};

function roleOf(span: Span): Role {
  return ROLES[String(span.attributes['clew.kind'] ?? '')] ?? 'native';
}

/** `now` ends what has not ended yet. */
export function buildModel(spans: Span[], edges: Edge[], now: number): Model {
  const evidence = evidenceOf(edges);
  const starts = spans.map((span) => parseTime(span.start));
  const origin = starts.reduce((least, start) => Math.min(least, start), starts[0] ?? now);
  const byId = new Map<string, Node>();
  spans.forEach((span, index) => {
    const start = (starts[index] ?? origin) - origin;
    const end = span.end === null ? Math.max(now - origin, start) : parseTime(span.end) - origin;
    const error = span.status.code === 'error';
    byId.set(span.spanId, {
      id: span.spanId,
      span,
      role: roleOf(span),
      parent: undefined,
      children: [],
      start,
      end: Math.max(end, start),
      running: span.end === null,
      error,
      errors: error ? 1 : 0,
      critical: span.critical,
      evidence: span.evidence ?? evidence.get(span.spanId),
      component: componentOf(span),
      lead: undefined,
    });
  });
  const roots = link(byId);
  const nodes = inOrder(roots);
  for (const node of [...nodes].reverse()) if (node.parent) node.parent.errors += node.errors;
  for (const node of nodes) node.evidence ??= node.parent?.evidence;
  giveLeads(nodes);
  const last = nodes.reduce((most, node) => Math.max(most, node.end), 0);
  const lastActivity = nodes.reduce((most, node) => Math.max(most, node.running ? node.start : node.end), 0);
  return { roots, byId, nodes, origin, duration: Math.max(last, 0.001), lastActivity };
}

function evidenceOf(edges: Edge[]): Map<string, Evidence> {
  const found = new Map<string, Evidence>();
  for (const edge of edges) if ('span' in edge.child) found.set(edge.child.span, edge.evidence);
  return found;
}

/** Hangs every node under its parent. One whose parent is missing hangs under the journey; a circle is cut. */
function link(byId: Map<string, Node>): Node[] {
  const journey = [...byId.values()].find((node) => node.role === 'journey');
  const roots: Node[] = [];
  for (const node of byId.values()) {
    const named = node.span.parentId ? byId.get(node.span.parentId) : undefined;
    const parent = node === journey ? undefined : (named ?? journey);
    if (!parent || descendsFrom(parent, node)) roots.push(node);
    else {
      node.parent = parent;
      parent.children.push(node);
    }
  }
  const byStart = (one: Node, other: Node) => one.start - other.start || other.end - one.end;
  for (const node of byId.values()) node.children.sort(byStart);
  return roots.sort(byStart);
}

function descendsFrom(node: Node, ancestor: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function inOrder(roots: Node[]): Node[] {
  const nodes: Node[] = [];
  const stack = [...roots].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    nodes.push(node);
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child) stack.push(child);
    }
  }
  return nodes;
}

/** The wait before an object hangs beside it; it is drawn on the object's own lane. */
function giveLeads(nodes: Node[]): void {
  for (const node of nodes) {
    const gaps = node.children.filter((child) => child.role === 'gap');
    if (gaps.length === 0) continue;
    for (const object of node.children.filter((child) => child.role === 'object')) {
      object.lead = gaps.find((gap) => Math.abs(gap.end - object.start) < 0.01);
    }
  }
}

export function ancestors(node: Node): Node[] {
  const found: Node[] = [];
  for (let at = node.parent; at; at = at.parent) found.push(at);
  return found;
}

/** The object that a span belongs to. */
export function objectOf(node: Node): Node | undefined {
  return node.role === 'object' ? node : ancestors(node).find((ancestor) => ancestor.role === 'object');
}

export interface NamedObject {
  kind: string;
  namespace: string;
  name: string;
  uid: string;
  resource: string;
}

/** The object that an object's span names by its attributes, `k8s.<kind>.name` and `k8s.<kind>.uid`. */
export function namedObject(node: Node): NamedObject | undefined {
  const { attributes, name: label } = node.span;
  const resource = String(attributes['k8s.resource'] ?? '');
  const keys = Object.keys(attributes).filter((key) => /^k8s\.[^.]+\.uid$/.test(key));
  const kind = label.split(' ', 1)[0] ?? '';
  const key = keys.find((other) => other === `k8s.${kind.toLowerCase()}.uid`) ?? keys[0];
  if (!key) return undefined;
  const stem = key.slice(0, -'.uid'.length);
  const isNamespace = stem === 'k8s.namespace';
  return {
    kind: node.role === 'object' ? kind : stem.slice('k8s.'.length),
    namespace: isNamespace ? '' : String(attributes['k8s.namespace.name'] ?? ''),
    name: String(attributes[`${stem}.name`] ?? ''),
    uid: String(attributes[key] ?? ''),
    resource,
  };
}
