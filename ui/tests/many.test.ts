/** Many journeys in a real store: CLEW_MANY says how many, 100000 with a release build to measure. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeAuditLog } from './audit';
import { launch, open } from './browser';
import { lookedAt } from './pictures';
import { BINARY, RealClew } from './real';

const COUNT = Number(process.env.CLEW_MANY ?? 5000);
/** No one waits longer; a debug build on a busy machine is far from this too. */
const PATIENCE_MS = 15_000;

const clew = new RealClew();
let browser: Browser;

/** How long until the page shows what is waited for. */
async function measured(what: string, act: () => Promise<unknown>): Promise<void> {
  const before = performance.now();
  await act();
  const took = performance.now() - before;
  console.log(`${COUNT} journeys: ${what} ${Math.round(took)} ms`);
  expect(took).toBeLessThan(PATIENCE_MS);
}

const first = (page: Page) => page.locator('.line-main').first().innerText();

describe.skipIf(!BINARY)(`${COUNT} journeys in a real store`, () => {
  beforeAll(async () => {
    browser = await launch();
    const [log, data] = [join(clew.folder, 'audit.log'), join(clew.folder, 'data')];
    await writeAuditLog(log, COUNT);
    await promisify(execFile)(BINARY ?? 'clew', ['import', log, '--cluster', 'lab', '--data', data]);
    await clew.start(['up', '--cluster', 'lab', '--data', data]);
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await clew.stop();
  });

  it('are listed, scrolled and narrowed while one waits', { timeout: 120_000 }, async () => {
    const { page, complaints } = await open(browser, clew.url);
    await page.waitForSelector('.line');
    await measured('first lines after a reload', async () => {
      await page.reload();
      await page.waitForSelector('.line');
    });
    await measured('the histogram', () => page.waitForSelector('.histogram svg rect'));
    expect(await first(page)).toContain(`prices-${COUNT - 1} `);
    const height = () => page.locator('.virtual').evaluate((list) => list.clientHeight);
    const loaded = await height();
    await measured('2,000 lines further down', async () => {
      for (let more = loaded; more < loaded * 11; more = await height()) {
        await page.locator('.lines').evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
        await page.waitForFunction((last) => (document.querySelector('.virtual')?.clientHeight ?? 0) > last, more);
      }
    });
    expect(await page.locator('.line').count()).toBeLessThan(80);
    await measured('a filter by user', async () => {
      await page.goto(`${clew.url}/?user=bob@example.com`);
      await page.waitForSelector('.line');
    });
    expect(await first(page)).toContain('bob@example.com');
    await measured('a search for the oldest', async () => {
      await page.goto(`${clew.url}/?q=prices-0`);
      await page.waitForSelector('.line');
    });
    expect(await page.locator('.line').count()).toBe(1);
    await measured('dashboards', async () => {
      await page.goto(`${clew.url}/dashboards`);
      await page.waitForSelector('.slo-answer');
    });
    expect(complaints).toEqual([]);
    await lookedAt(page, 'many-dashboards');
  });
});
