import { describe, expect, it } from 'vitest';
import { rollout } from '../../tests/fixture/rollout';
import { makeRows } from '../../tests/fixture/rows';
import type { Row, Span } from '../api/types';
import { changeDiff } from './change-diff';
import { curlFor, kubectlFor, quote } from './commands';
import { placeFor } from './draw';
import { errorsIn, findIn, longestOf, nextOf } from './find';
import { buildModel, type Node, namedObject, objectOf } from './model';
import { keysTo, opened, rowsByComponent, rowsByObject, type Shown } from './rows';

const detail = rollout(makeRows(3, Date.parse('2026-11-15T09:00:00Z'), 1000)[2] as Row, 3);
const model = buildModel(detail.spans, detail.edges, Date.parse('2026-11-15T09:01:00Z'));
const all: Shown = { toggled: new Set(), evidence: new Set(), criticalOnly: false };
const named = (name: string): Node => {
  const found = model.nodes.find((node) => node.span.name === name || node.span.name.startsWith(name));
  if (!found) throw new Error(`no ${name}`);
  return found;
};

describe('the model of a journey', () => {
  it('hangs objects under their owners and counts errors upwards', () => {
    const [journey] = model.roots;
    expect(model.roots).toHaveLength(1);
    expect(journey?.role).toBe('journey');
    expect(journey?.errors).toBe(1);
    expect(named('Pod').parent?.span.name).toContain('ReplicaSet');
  });

  it('hangs what has lost its parent under the journey', () => {
    const lost = detail.spans.map((span) => (span.name === 'queued' ? { ...span, parentId: 'gone' } : span));
    const node = buildModel(lost, [], 0).nodes.find((other) => other.span.name === 'queued');
    expect(node?.parent?.role).toBe('journey');
  });

  it('cuts a circle of parents', () => {
    const [first, second] = detail.spans.slice(1, 3) as [Span, Span];
    const circle = [
      { ...first, parentId: second.spanId },
      { ...second, parentId: first.spanId },
    ];
    expect(buildModel(circle, [], 0).nodes).toHaveLength(2);
  });

  it('gives an object the gap before it', () => {
    expect(named('ReplicaSet').lead?.span.name).toBe('deployment-controller notices');
    expect(named('Deployment').lead).toBeUndefined();
  });

  it('knows the object of every span, by its attributes', () => {
    const pod = objectOf(named('image'));
    expect(pod && namedObject(pod)).toMatchObject({ kind: 'Pod', uid: 'uid-pod-0', resource: 'pods' });
  });

  it('of nothing is empty', () => {
    expect(buildModel([], [], 0)).toMatchObject({ roots: [], nodes: [] });
  });
});

describe('the rows', () => {
  it('are objects with their steps in one lane each', () => {
    const rows = rowsByObject(model, all);
    expect(rows.filter((row) => row.type === 'span' && row.node.role === 'object')).toHaveLength(5);
    expect(rows.some((row) => row.type === 'span' && row.node.role === 'request')).toBe(false);
    expect(rows.find((row) => row.type === 'lane')).toMatchObject({ label: '2 requests, 1 gap' });
  });

  it('show a span when all above it is opened', () => {
    const deep = named('etcdserverpb.KV/Txn');
    const toggled = opened(keysTo(deep), model, new Set());
    expect(rowsByObject(model, { ...all, toggled }).some((row) => row.key === deep.id)).toBe(true);
  });

  it('leave out what hangs together by other evidence than asked for', () => {
    const rows = rowsByObject(model, { ...all, evidence: new Set(['context', 'identity']) });
    const kinds = rows.flatMap((row) => (row.type === 'span' ? [row.node.span.name.split(' ')[0]] : []));
    expect(kinds).toEqual(['patch', 'Deployment']);
  });

  it('show the critical path alone', () => {
    const rows = rowsByObject(model, { ...all, criticalOnly: true });
    const pods = rows.filter((row) => row.type === 'span' && row.node.span.name.startsWith('Pod'));
    expect(pods).toHaveLength(1);
  });

  it('are lanes of components when asked by who did it', () => {
    const labels = rowsByComponent(model, all).map((row) => row.type === 'lane' && row.label.split(':')[0]);
    expect(labels).toEqual(
      expect.arrayContaining(['API server', 'etcd', 'kubelet', 'scheduler', 'deployment-controller']),
    );
  });
});

describe('finding', () => {
  it('looks at names, attributes, events and reasons', () => {
    expect(findIn(model, 'KV/TXN').length).toBe(6);
    expect(findIn(model, 'successfully assigned')).toHaveLength(3);
    expect(findIn(model, 'latest version')).toHaveLength(1);
    expect(findIn(model, '  ')).toEqual([]);
  });

  it('goes around the end', () => {
    const found = findIn(model, 'Successfully assigned');
    expect(nextOf(found, found[2]?.id, 1)).toBe(found[0]);
    expect(nextOf(found, undefined, -1)).toBe(found[2]);
    expect(nextOf([], undefined, 1)).toBeUndefined();
  });

  it('leads from a step of the critical path to its longest span', () => {
    expect(longestOf(model, 'image')?.parent?.span.attributes['k8s.pod.uid']).toBe('uid-pod-0');
    expect(longestOf(model, 'ReplicaSet converges')?.span.name).toContain('ReplicaSet');
    expect(longestOf(model, 'nothing')).toBeUndefined();
  });

  it('knows the errors', () => {
    expect(errorsIn(model).map((node) => node.span.name)).toEqual(['update deployments/status']);
  });
});

describe('commands to copy', () => {
  it('name the object, safely for a shell', () => {
    const { namespace, name } = detail.root;
    expect(kubectlFor(named('patch deployments'))).toBe(
      `kubectl -n ${namespace} get deployments ${name} -o yaml --show-managed-fields`,
    );
    expect(quote(`it's; rm -rf $HOME`)).toBe(`'it'\\''s; rm -rf $HOME'`);
  });

  it('name the request that a native span tells of', () => {
    expect(curlFor(named('patch deployments'))).toContain('/apis/apps/v1/namespaces/shop/deployments/web');
    expect(curlFor(named('queued'))).toBeUndefined();
  });
});

describe('the diff of a write', () => {
  it('is read from its lines', () => {
    expect(changeDiff(['spec.replicas: 5 → 4', 'env[B]: ∅ → x: y', 'odd'])).toEqual([
      { path: 'spec.replicas', before: '5', after: '4' },
      { path: 'env[B]', before: null, after: 'x: y' },
      { path: 'odd', before: null, after: null },
    ]);
  });
});

describe('words on a bar', () => {
  it('stand where no mark of an event is', () => {
    expect(placeFor(4, 60, [])).toBe(4);
    expect(placeFor(4, 60, [200])).toBe(4);
    expect(placeFor(4, 60, [10, 30])).toBe(38);
    expect(placeFor(4, 60, [40, 60, 300])).toBe(68);
  });
});
