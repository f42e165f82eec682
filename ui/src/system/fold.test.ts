import { describe, expect, it } from 'vitest';
import type { Source } from '../api/types';
import { folded } from './fold';

const watch = (name: string, change: Partial<Source> = {}): Source => ({
  name,
  kind: 'watch',
  cluster: 'prod',
  state: 'up',
  lastSeen: '2026-11-15T09:00:00Z',
  rate: 0.5,
  message: '',
  ...change,
});

describe('many sources', () => {
  const sources = [
    ...['pods', 'nodes', 'jobs', 'services'].map((name) => watch(name)),
    watch('events', { lastSeen: '2026-11-15T09:00:00.5Z' }),
    watch('heads.demo.example.com', { state: 'failed', message: 'forbidden' }),
  ];

  it('are one line while they are well, after those that are not', () => {
    const lines = folded(sources, false);
    expect(lines.map(({ name }) => name)).toEqual(['heads.demo.example.com', '5 resources']);
    expect(lines[1]).toMatchObject({ rate: 2.5, lastSeen: '2026-11-15T09:00:00.5Z' });
  });

  it('are all shown when they are asked for, and when they are few', () => {
    expect(folded(sources, true)).toHaveLength(6);
    expect(folded(sources.slice(0, 3), false)).toHaveLength(3);
  });
});
