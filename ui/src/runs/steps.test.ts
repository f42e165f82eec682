import { describe, expect, it } from 'vitest';
import { RUNS } from '../../tests/fixture/runs';
import type { RunDetail } from '../api/types';
import { changePoints, guilty, namesOf, stepsOf } from './steps';

describe('the steps of a run', () => {
  it('are the spans below its own, in the order of time', () => {
    const steps = stepsOf(RUNS[0] as RunDetail);
    expect(steps.map((step) => step.name)).toEqual([
      'select driver',
      'pull base image',
      'create container',
      'prepare Kubernetes',
      'verify components',
    ]);
  });

  it('are named by how much time they take over all runs', () => {
    expect(namesOf(RUNS.map(stepsOf), 2)).toEqual(['prepare Kubernetes', 'pull base image']);
  });
});

describe('a change point', () => {
  it('is where the time shifts, once', () => {
    const points = changePoints(RUNS.map(({ run }) => run.durationMs ?? 0));
    expect(points.map((point) => point.index)).toEqual([12]);
    expect(points[0]?.after).toBeGreaterThan(points[0]?.before ?? 0);
  });

  it('names the step that shifted', () => {
    const [point] = changePoints(RUNS.map(({ run }) => run.durationMs ?? 0));
    expect(point && guilty(RUNS.map(stepsOf), point)?.name).toBe('pull base image');
  });

  it('is not an outlier, nor noise, nor told from few runs', () => {
    expect(changePoints([10, 10, 10, 10, 30, 10, 10, 10, 10])).toEqual([]);
    expect(changePoints([10, 14, 9, 13, 8, 12, 10, 15, 9, 13])).toEqual([]);
    expect(changePoints([10, 20])).toEqual([]);
  });
});
