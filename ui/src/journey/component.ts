/** Who did it: the API server, a controller, the scheduler, a kubelet, the runtime, or a person's program. */

import type { Span } from '../api/types';
import { agentName, userName } from '../lib/title';

export function componentOf(span: Span): string {
  const { attributes } = span;
  if (span.native) return nativeComponent(span);
  switch (attributes['clew.kind']) {
    case 'request':
      return actor(String(attributes['user.name'] ?? ''), String(attributes['user_agent.original'] ?? ''));
    case 'phase':
      return span.name === 'queued' ? 'scheduler' : 'kubelet';
    case 'cri':
      return 'container runtime';
    case 'gap':
      return gapOwner(span.name);
    default:
      return 'clew';
  }
}

// The kubelet's client spans of the container runtime are the only sign of the runtime that Kubernetes gives.
function nativeComponent(span: Span): string {
  if (/^runtime\.v1\./.test(span.name)) return 'container runtime';
  if (/^etcdserverpb\./.test(span.name)) return 'etcd';
  if (span.service === 'apiserver' || span.service === 'kube-apiserver') return 'API server';
  return span.service || 'unnamed service';
}

function actor(user: string, agent: string): string {
  if (user.startsWith('system:node:')) return 'kubelet';
  if (user === 'system:kube-scheduler') return 'scheduler';
  if (user === 'system:apiserver') return 'API server';
  if (user.startsWith('system:')) return userName(user).replace(/^system:/, '');
  return agentName(agent) || user || 'unknown';
}

function gapOwner(name: string): string {
  const noticed = /^(.+) notices$/.exec(name);
  const who = noticed?.[1];
  if (!who) return 'waiting';
  return who === 'system' || who === 'kube-scheduler' ? 'scheduler' : who;
}
