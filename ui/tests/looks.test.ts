import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { stage } from './setup';

const on = stage(120);
const PHONE = { theme: 'dark', width: 390, height: 844 } as const;

describe('on a phone, in the dark', () => {
  it.each([
    ['/', '.line'],
    ['/journeys/FIRST', '.wf-row'],
    ['/journeys/FIRST?view=objects', '.object-tree'],
    ['/journeys/FIRST?view=table', '.span-table'],
    ['/objects?kind=Deployment&name=web', '.history'],
    ['/compare?a.namespace=shop&b.namespace=billing', '.steps'],
    ['/dashboards', '.slo-answer'],
    ['/runs', '.stack'],
    ['/system', '.doctor'],
  ])('%s fits the width and axe finds nothing serious', async (path, ready) => {
    const first = on.server.world.rows[0]?.journey ?? '';
    const { page, complaints } = await on.visit(path.replace('FIRST', first), ready, PHONE);
    const [needed, there] = await page.evaluate(() => {
      const main = document.querySelector('main');
      return [Math.max(main?.scrollWidth ?? 0, document.documentElement.scrollWidth), main?.clientWidth ?? 0];
    });
    expect(needed).toBeLessThanOrEqual(there ?? 0);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
