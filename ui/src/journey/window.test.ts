import { describe, expect, it } from 'vitest';
import { clampWindow, firstWindow, isWhole, moveBy, pinched, ticks, windowFor, zoomAround } from './window';

describe('the seen part of time', () => {
  it('stays within the journey', () => {
    expect(clampWindow({ from: -5, to: 5 }, 100)).toEqual({ from: 0, to: 10 });
    expect(clampWindow({ from: 95, to: 200 }, 100)).toEqual({ from: 0, to: 100 });
    expect(moveBy({ from: 80, to: 90 }, 50, 100)).toEqual({ from: 90, to: 100 });
  });

  it('keeps the point under the pointer where it is', () => {
    expect(zoomAround({ from: 0, to: 100 }, 25, 0.5, 100)).toEqual({ from: 12.5, to: 62.5 });
    expect(zoomAround({ from: 40, to: 60 }, 50, 100, 100)).toEqual({ from: 0, to: 100 });
  });

  it('keeps under two fingers what they took hold of', () => {
    const fingers: [[number, number], [number, number]] = [
      [40, 20],
      [60, 80],
    ];
    const near = pinched({ from: 0, to: 100 }, 100, fingers, 100);
    expect(near.from).toBeCloseTo(100 / 3);
    expect(near.to).toBeCloseTo(200 / 3);
    const back = fingers.map(([from, now]) => [now, from] as [number, number]) as typeof fingers;
    expect(pinched(near, 100, back, 100).from).toBeCloseTo(0);
    expect(pinched(near, 100, back, 100).to).toBeCloseTo(100);
  });

  it('stays within the journey when two fingers meet', () => {
    const together: [number, number] = [50, 50];
    const window = pinched({ from: 0, to: 100 }, 100, [together, together], 100);
    expect([window.from >= 0, window.to <= 100]).toEqual([true, true]);
  });

  it('goes to what is out of sight or too small, and stays otherwise', () => {
    expect(windowFor({ from: 0, to: 100 }, 20, 40, 100)).toEqual({ from: 0, to: 100 });
    const near = windowFor({ from: 0, to: 10_000 }, 500, 501, 10_000);
    expect(near.from).toBeLessThan(500);
    expect(near.to - near.from).toBeLessThan(50);
  });

  it('begins with what happened, not with hours of waiting', () => {
    expect(firstWindow(20, 100_000)).toEqual({ from: 0, to: 100 });
    expect(firstWindow(90, 100)).toEqual({ from: 0, to: 100 });
    expect(isWhole({ from: 0, to: 100 }, 100)).toBe(true);
  });

  it('is marked at round times', () => {
    expect(ticks({ from: 0, to: 4750 }, 8)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(ticks({ from: 0, to: 3_600_000 }, 6)).toEqual([
      0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000, 3_600_000,
    ]);
    expect(ticks({ from: 5, to: 5 }, 8)).toEqual([]);
  });
});
