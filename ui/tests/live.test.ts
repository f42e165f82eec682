import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, open } from './browser';
import { Demo } from './demo';

/** Slow enough for new journeys to come in while someone looks. */
const demo = new Demo('4', 1);
let browser: Browser;

describe.skipIf(!process.env.CLEW_BIN)('while a demo plays', () => {
  beforeAll(async () => {
    browser = await launch();
    await demo.start();
  });
  afterAll(async () => {
    await browser?.close();
    await demo.stop();
  });

  it('journeys come in by themselves', async () => {
    const { page, complaints } = await open(browser, demo.url);
    await page.waitForSelector('.live-live');
    await page.waitForSelector('.line');
    const before = await page.locator('.line-main').allTextContents();
    await page.waitForFunction((seen) => {
      const lines = [...document.querySelectorAll('.line-main')].map((line) => line.textContent ?? '');
      return lines.length > seen.length && lines.some((line) => !seen.includes(line));
    }, before);
    const loads = await page.evaluate(() => performance.getEntriesByType('navigation').length);
    expect(loads).toBe(1);
    expect(complaints).toEqual([]);
  });
});
