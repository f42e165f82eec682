import { describe, expect, it } from 'vitest';
import { makeRows } from '../../tests/fixture/rows';
import { agentName, commandTitle, objectLabel, shortSpanName, titleOf, userName, waitingText } from './title';

const rows = makeRows(3, Date.parse('2026-11-15T09:00:00Z'), 1000);

describe('names in words', () => {
  it('of objects have their namespace, when there is one', () => {
    expect(objectLabel({ kind: 'Pod', namespace: 'shop', name: 'web-1' })).toBe('Pod shop/web-1');
    expect(objectLabel({ kind: 'Node', namespace: '', name: 'node1' })).toBe('Node node1');
  });

  it('of people and programs are short', () => {
    expect(userName('system:serviceaccount:kube-system:job-controller')).toBe('job-controller');
    expect(userName('alice@example.com')).toBe('alice@example.com');
    expect(agentName('kubectl/v1.34.11 (linux/amd64) kubernetes/$Format')).toBe('kubectl');
    expect(agentName('')).toBe('');
  });

  it('of calls are the method', () => {
    expect(shortSpanName('runtime.v1.RuntimeService/RunPodSandbox')).toBe('RunPodSandbox');
    expect(shortSpanName('PATCH /api/v1/pods')).toBe('PATCH /api/v1/pods');
    expect(shortSpanName('update deployments/status')).toBe('update deployments/status');
  });

  it('of a command say who changed how many of what', () => {
    expect(commandTitle(rows)).toMatch(/ made 3 changes.* with kubectl: 3 × Deployment$/);
    expect(commandTitle([])).toBe('');
  });

  it('of a journey are the title, else what it began with', () => {
    const [row] = rows;
    if (!row) throw new Error('no row');
    expect(titleOf(row)).toBe(row.title);
    expect(titleOf({ ...row, title: '' })).toMatch(/ patch Deployment /);
  });
});

describe('what is waited for', () => {
  it('is told without what stands beside it', () => {
    const object = { uid: 'u', kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const message = 'Pod shop/web-1: Unschedulable: 0/1 nodes are available';
    expect(waitingText({ reason: 'Unschedulable', message, object })).toBe('0/1 nodes are available');
    expect(waitingText({ reason: 'Other', message, object })).toBe(message);
    expect(waitingText({ reason: 'Unschedulable', message, object: null })).toBe(message);
  });
});
