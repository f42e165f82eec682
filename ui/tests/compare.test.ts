import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { stage } from './setup';

const on = stage(60);

describe('comparing', () => {
  it('two groups says what got slower and how sure that is, and complains of nothing', async () => {
    const { page, complaints } = await on.visit('/compare?a.namespace=shop&b.namespace=billing', '.steps');
    expect(await page.locator('.comparison-verdict').innerText()).toContain(
      'B is 2.3 s slower (4.7 s rather than 2.4 s): image +2.2 s',
    );
    expect(await page.locator('.steps tbody tr').first().innerText()).toMatch(/image.*slower\s*sure \(p < 0\.001\)/s);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('a journey offers others of its kind', async () => {
    const [first] = on.server.world.rows;
    const { page } = await on.visit(`/compare?a=${first?.journey}`, '.others button');
    await page.locator('.others button').first().click();
    await page.waitForSelector('.steps');
    expect(new URL(page.url()).searchParams.get('b')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('takes what is typed into the link, and swaps it', async () => {
    const { page } = await on.visit('/compare', 'text=What should be compared?');
    await page.getByLabel('Side A').fill('namespace:shop since:1h');
    await page.getByLabel('Side B').fill('namespace:shop since:25h');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL('**/compare?a.namespace=shop&a.since=1h&b.namespace=shop&b.since=25h');
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.waitForURL('**/compare?a.namespace=shop&a.since=25h&b.namespace=shop&b.since=1h');
  });
});
