import { describe, expect, it } from 'vitest';
import { longestSteps, pathParts, shortStep } from './path';

const path = [
  { name: 'create deployments', ms: 5 },
  { name: 'controller notices', ms: 3 },
  { name: 'image: Pod shop/web-1', ms: 600 },
  { name: 'image: Pod shop/web-2', ms: 300 },
  { name: 'readiness: Pod shop/web-2', ms: 200 },
];

describe('the critical path', () => {
  it('names the longest steps, whichever object they happened to', () => {
    expect(longestSteps(path, 2)).toEqual([
      { name: 'image', ms: 900 },
      { name: 'readiness', ms: 200 },
    ]);
  });

  it('names a kind that converges, whichever object it was', () => {
    expect(shortStep('ReplicaSet shop/web-1 converges')).toBe('ReplicaSet converges');
    expect(shortStep('replicaset-controller notices')).toBe('replicaset-controller notices');
  });

  it('puts what is too short to see into one part', () => {
    const parts = pathParts(path);
    expect(parts.map((part) => part.name)).toEqual([
      '2 short steps',
      'image: Pod shop/web-1',
      'image: Pod shop/web-2',
      'readiness: Pod shop/web-2',
    ]);
    expect(parts.reduce((sum, part) => sum + part.share, 0)).toBeCloseTo(1);
  });

  it('of nothing is nothing', () => {
    expect(pathParts([])).toEqual([]);
    expect(pathParts([{ name: 'nothing', ms: 0 }])).toEqual([]);
  });
});
