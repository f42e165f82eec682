/** Searching within a journey. */

import { shortStep } from '../lib/path';
import type { Model, Node } from './model';

/** Nodes whose name, attributes, events or error hold the text, in the order of the tree. */
export function findIn(model: Model, text: string): Node[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return model.nodes.filter((node) => holds(node, wanted));
}

function holds({ span }: Node, wanted: string): boolean {
  if (span.name.toLowerCase().includes(wanted)) return true;
  if (span.status.message.toLowerCase().includes(wanted)) return true;
  for (const [key, value] of Object.entries(span.attributes)) {
    if (key.toLowerCase().includes(wanted) || String(value).toLowerCase().includes(wanted)) return true;
  }
  return span.events.some((event) =>
    `${event.name} ${String(event.attributes.message ?? '')}`.toLowerCase().includes(wanted),
  );
}

/** The one after `current` in a list, or before it; around the end. */
export function nextOf(nodes: Node[], current: string | undefined, by: 1 | -1): Node | undefined {
  if (nodes.length === 0) return undefined;
  const at = nodes.findIndex((node) => node.id === current);
  if (at < 0) return by > 0 ? nodes[0] : nodes.at(-1);
  return nodes[(at + by + nodes.length) % nodes.length];
}

/** Spans that failed by themselves, not only something in them. */
export function errorsIn(model: Model): Node[] {
  return model.nodes.filter((node) => node.error && node.role !== 'journey');
}

/** The longest span of a step of the critical path, by its short name. */
export function longestOf(model: Model, step: string): Node | undefined {
  const kind = /^(\S+) converges$/.exec(step)?.[1];
  const isMeant = (node: Node) => {
    if (kind !== undefined) return node.role === 'object' && node.span.name.startsWith(`${kind} `);
    return shortStep(node.span.name) === step;
  };
  const meant = model.nodes.filter(isMeant);
  const critical = meant.filter((node) => node.critical);
  const candidates = critical.length > 0 ? critical : meant;
  return [...candidates].sort((one, other) => other.end - other.start - (one.end - one.start))[0];
}
