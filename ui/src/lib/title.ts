/** Names of things in words: objects, people and their programs, commands of several changes. */

import type { ObjectRef, Root, Row, WaitingOn } from '../api/types';

/** `Deployment shop/web`; `Namespace shop` for what has no namespace. */
export function objectLabel(object: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>): string {
  return object.namespace ? `${object.kind} ${object.namespace}/${object.name}` : `${object.kind} ${object.name}`;
}

/** `kubectl` out of `kubectl/v1.34.11 (linux/amd64) kubernetes/$Format`. */
export function agentName(agent: string): string {
  return agent.split(/[/ ]/, 1)[0] ?? agent;
}

/** `deployment-controller` out of `system:serviceaccount:kube-system:deployment-controller`. */
export function userName(user: string): string {
  const account = /^system:serviceaccount:[^:]*:(.+)$/.exec(user);
  return account?.[1] ?? user;
}

/** What a journey began with, when the server gave no title. */
export function rootLabel(root: Root): string {
  const object = objectLabel({ kind: root.objectKind || root.resource, namespace: root.namespace, name: root.name });
  return `${root.verb} ${object}`;
}

export function titleOf(row: Row): string {
  return row.title || `${userName(row.root.user)} ${rootLabel(row.root)}`;
}

/** One line for a command that made several changes: who, with what, on which kinds. */
export function commandTitle(rows: Row[]): string {
  const first = rows.at(-1);
  if (!first) return '';
  const kinds = new Map<string, number>();
  for (const { root } of rows) {
    const kind = root.objectKind || root.resource;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const named = [...kinds].sort((one, other) => other[1] - one[1]).slice(0, 4);
  const listed = named.map(([kind, count]) => (count > 1 ? `${count} × ${kind}` : kind)).join(', ');
  const more = kinds.size > named.length ? ', …' : '';
  const agent = agentName(first.root.agent);
  const namespaces = new Set(rows.map((row) => row.root.namespace));
  const place = namespaces.size === 1 && first.root.namespace ? ` in ${first.root.namespace}` : '';
  const means = agent ? ` with ${agent}` : '';
  return `${userName(first.root.user)} made ${rows.length} changes${place}${means}: ${listed}${more}`;
}

/** `RunPodSandbox` out of `runtime.v1.RuntimeService/RunPodSandbox`: in a narrow column the method matters most. */
export function shortSpanName(name: string): string {
  return /^[\w.]+\/(\w+)$/.exec(name)?.[1] ?? name;
}

/** What is waited for, without the object and the reason that stand beside it anyway. */
export function waitingText({ reason, message, object }: WaitingOn): string {
  const repeated = object ? `${objectLabel(object)}: ${reason}: ` : '';
  return repeated && message.startsWith(repeated) ? message.slice(repeated.length) : message;
}
