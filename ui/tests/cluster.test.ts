/**
 * The page of `clew up` beside a real cluster, which `e2e/tests/page.rs` starts: CLEW_CLUSTER is where clew is,
 * KUBECTL and KUBECONFIG are how the cluster is changed.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { launch, type Opened, open } from './browser';
import { lookedAt } from './pictures';

const URL = process.env.CLEW_CLUSTER ?? '';
const WITHIN_MS = 2000;
/** Later than this nothing comes any more. */
const PATIENCE_MS = 20_000;

let browser: Browser;
let opened: Opened;

async function kubectl(...words: string[]): Promise<void> {
  await promisify(execFile)(process.env.KUBECTL ?? 'kubectl', words);
}

/** Changes the cluster, then waits for the words in the page; the time from kubectl's end to the words, by the page's own clock. */
async function changeAndSee(page: Page, words: string, ...change: string[]): Promise<number> {
  // What one person does within a second is one command, and one line.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await kubectl(...change);
  const changed = Date.now();
  const isThere = (text: string) =>
    [...document.querySelectorAll('.line-main')].some((line) => line.textContent?.includes(text)) && Date.now();
  const seen = await page.waitForFunction(isThere, words, { polling: 'raf', timeout: PATIENCE_MS });
  return Math.max(Number(await seen.jsonValue()) - changed, 0);
}

describe.skipIf(!URL)('beside a real cluster', () => {
  beforeAll(async () => {
    browser = await launch();
    opened = await open(browser, URL);
    await opened.page.waitForSelector('.live-live');
  });
  afterAll(() => browser?.close());

  it('a change appears without a reload within two seconds', { timeout: 120_000 }, async () => {
    const { page, complaints } = opened;
    const place = ['-n', 'depot'];
    const took = [
      await changeAndSee(page, 'created Namespace depot', 'create', 'namespace', 'depot'),
      await changeAndSee(
        page,
        'created Deployment depot/till',
        ...['create', 'deployment', 'till', '--image=clew/workload:1', '--replicas=2', ...place],
      ),
      await changeAndSee(page, 'created ConfigMap depot/prices', 'create', 'configmap', 'prices', ...place),
      await changeAndSee(page, 'to 3 with kubectl', 'scale', 'deployment/till', '--replicas=3', ...place),
      await changeAndSee(page, 'set env RELEASE=2', 'set', 'env', 'deployment/till', 'RELEASE=2', ...place),
    ];
    const sorted = took.map(Math.round).sort((one, other) => one - other);
    console.log(`from kubectl's end to the line in the page: ${sorted.join(', ')} ms`);
    expect(sorted.at(-1)).toBeLessThan(WITHIN_MS);
    const loads = await page.evaluate(() => performance.getEntriesByType('navigation').length);
    expect(loads).toBe(1);
    expect(complaints).toEqual([]);
    await lookedAt(page, 'cluster-changes');
  });

  it('a journey converges before the eyes of whoever looks at it', { timeout: 90_000 }, async () => {
    const { page, complaints } = opened;
    await page.locator('.line-main:has-text("set env RELEASE=2")').first().click();
    await page.waitForSelector('.verdict:has-text("Converged in")', { timeout: 60_000 });
    expect(await page.locator('.wf-row').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
    await lookedAt(page, 'cluster-journey');
  });

  it('an object shows its conditions of now', { timeout: 120_000 }, async () => {
    const { page, complaints } = opened;
    await page.goto(`${URL}/objects?kind=Deployment&namespace=depot&name=till`);
    const available = page.locator('.conditions tr', { hasText: 'Available' });
    await expect.poll(() => available.first().innerText(), { timeout: 40_000 }).toContain('MinimumReplicasAvailable');
    // An image that nobody has: the rollout hangs, and the condition says so without a reload.
    const bad =
      '{"spec":{"progressDeadlineSeconds":1,"template":{"spec":{"containers":[{"name":"workload","image":"none:1"}]}}}}';
    await kubectl('patch', 'deployment/till', '-n', 'depot', '--patch', bad);
    const progressing = page.locator('.conditions tr', { hasText: 'Progressing' });
    await expect.poll(() => progressing.innerText(), { timeout: 60_000 }).toContain('ProgressDeadlineExceeded');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await lookedAt(page, 'cluster-object');
  });

  it('the system shows the sources of the cluster', async () => {
    const { page, complaints } = opened;
    await page.goto(`${URL}/system`);
    await page.waitForSelector('.system');
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/\d+ resources\s+watch/);
    expect(text).toContain('audit');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await lookedAt(page, 'cluster-system');
  });
});
