import { describe, expect, it } from 'vitest';
import { rollout } from '../../tests/fixture/rollout';
import { makeRows } from '../../tests/fixture/rows';
import type { Row } from '../api/types';
import { buildModel } from './model';
import { rowsByObject } from './rows';
import { treeStep } from './tree-keys';

const detail = rollout(makeRows(1, Date.parse('2026-11-15T09:00:00Z'), 1000)[0] as Row, 2);
const rows = rowsByObject(buildModel(detail.spans, [], Date.parse('2026-11-15T09:01:00Z')), {
  toggled: new Set(),
  evidence: new Set(),
  criticalOnly: false,
});
const press = (key: string, at: number, ctrlKey = false) =>
  treeStep({ key, ctrlKey, metaKey: false, altKey: false }, rows, rows[at]?.key);

describe('a key in the tree', () => {
  it('moves within its ends', () => {
    expect(press('ArrowDown', 0)).toEqual({ go: 1 });
    expect(press('ArrowUp', 0)).toEqual({ go: 0 });
    expect(press('End', 0)).toEqual({ go: rows.length - 1 });
    expect(press('PageDown', rows.length - 1)).toEqual({ go: rows.length - 1 });
  });

  it('opens and closes, and goes to the parent of what is closed', () => {
    expect(press('ArrowLeft', 1)).toEqual({ toggle: rows[1]?.key });
    expect(press('ArrowRight', 1)).toEqual({});
    expect(rows[2]?.type).toBe('lane');
    expect(press('ArrowRight', 2)).toEqual({ toggle: rows[2]?.key });
    expect(press('ArrowLeft', 2)).toEqual({ go: 1 });
  });

  it('chooses a span and opens a lane', () => {
    expect(press('Enter', 1)).toEqual({ select: rows[1]?.key });
    expect(press('Enter', 2)).toEqual({ toggle: rows[2]?.key });
  });

  it('is left alone with a modifier, or when it means nothing', () => {
    expect(press('ArrowDown', 0, true)).toBeUndefined();
    expect(press('x', 0)).toBeUndefined();
  });
});
