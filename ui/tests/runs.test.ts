/** Runs in a real store, which `crates/cli/tests/api/runs.rs` filled: CLEW_RUNS is its folder. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { launch, open } from './browser';
import { lookedAt } from './pictures';
import { BINARY, RealClew } from './real';

const STORE = process.env.CLEW_RUNS;
const clew = new RealClew();
let browser: Browser;

describe.skipIf(!BINARY || !STORE)('runs in a real store', () => {
  beforeAll(async () => {
    browser = await launch();
    await clew.start(['up', '--cluster', 'lab', '--data', STORE ?? '']);
  });
  afterAll(async () => {
    await browser?.close();
    await clew.stop();
  });

  it('say from which version on they are slower, and which step it is', { timeout: 60_000 }, async () => {
    const { page, context, complaints } = await open(browser, `${clew.url}/runs`);
    await expect.poll(() => page.locator('.stack-runs li').count(), { timeout: 20_000 }).toBe(20);
    expect(await page.locator('.stack-answer').innerText()).toMatch(
      /^▲ Slower from 1\.4\.12 on: 2\d\.\d+ s rather than 1\d\.\d+ s; pull base image \+6(\.\d+)? s$/,
    );
    const stacks = page.locator('.stack-runs li').first().locator('.stack-bar > span');
    expect(await stacks.count()).toBe(4);
    expect(await page.locator('.stack-mark').count()).toBe(1);
    expect(await page.locator('tr:has-text("Failed")').innerText()).toContain('1.3.7');
    expect(await axeFindings(page)).toEqual([]);
    await lookedAt(page, 'runs');
    await page.locator('.stack-runs a').first().click();
    await page.waitForSelector('.wf-row:has-text("pull base image")');
    expect(await page.locator('.verdict').innerText()).toContain('took 18.4 s');
    expect(complaints).toEqual([]);
    await lookedAt(page, 'run');
    await context.close();
  });
});
