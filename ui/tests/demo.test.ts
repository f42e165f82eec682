import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatMs } from '../src/lib/duration';
import { axeFindings } from './axe';
import { launch, type Opened, open } from './browser';
import { Demo, HAS_DEMO } from './demo';
import { lookedAt } from './pictures';
import { BINARY } from './real';

const demo = new Demo();
let browser: Browser;
let opened: Opened | undefined;
let clicks = 0;

async function visit(path: string, ready: string): Promise<Opened> {
  clicks = 0;
  opened = await open(browser, demo.url + path);
  await opened.page.waitForSelector(ready);
  return opened;
}

async function click(page: Page, selector: string): Promise<void> {
  clicks += 1;
  await page.locator(selector).first().click();
}

type Answer = Record<string, string | number>;

/** Asks the same clew in SQL. */
async function sql(query: string): Promise<Answer[]> {
  const words = ['sql', query, '--output', 'jsonl', '--server', demo.behind];
  const { stdout } = await promisify(execFile)(BINARY ?? 'clew', words);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer);
}

describe.skipIf(!HAS_DEMO)('with the journeys of clew demo', () => {
  beforeAll(async () => {
    browser = await launch();
    await demo.start();
  });
  afterEach(async () => {
    await opened?.context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await demo.stop();
  });

  describe('the four questions', () => {
    it('why did this rollout take so long: one click', async () => {
      const { page } = await visit('/?namespace=shop&kind=Deployment&state=converged', '.line');
      await click(page, '.line-main:not(.line-command)');
      await page.waitForSelector('.critical');
      expect(await page.locator('.verdict').innerText()).toMatch(/Converged in [\d.]+ m?s/);
      expect(await page.locator('.critical figcaption').innerText()).toMatch(
        /Critical path:\s+\S.*[\d.]+ m?s\s+\d+ %/s,
      );
      expect(clicks).toBe(1);
      await lookedAt(page, 'journey');
    });

    it('what is this stuck on: none, the list says it', async () => {
      const { page } = await visit('/?namespace=lab&name=badimage', '.line');
      const line = await page.locator('.line').first().innerText();
      expect(line).toMatch(/ImagePullBackOff|ErrImagePull/);
      expect(clicks).toBe(0);
      await click(page, '.line-main');
      await page.waitForSelector('.waits');
      expect(await page.locator('.waits').innerText()).toMatch(/(ImagePullBackOff|ErrImagePull) of Pod lab\/badimage/);
      await lookedAt(page, 'stuck');
    });

    it('who changed this and what did it cause: three clicks', async () => {
      const { page } = await visit('/?namespace=shop&name=web&kind=Deployment', '.line');
      await click(page, '.line-main:not(.line-command)');
      await page.waitForSelector('.toolbar');
      await click(page, 'role=tab[name="Objects"]');
      expect(await page.locator('.object-tree').innerText()).toContain('ReplicaSet shop/web-');
      await click(page, '.object-line:has-text("Deployment shop/web") .quiet-link');
      await page.waitForSelector('.history');
      expect(await page.locator('.history').innerText()).toContain('by alice@example.com with kubectl');
      expect(clicks).toBe(3);
      await lookedAt(page, 'object');
    });

    it('did it get slower and where: three clicks', async () => {
      const { page } = await visit('/?namespace=shop&name=web&kind=Deployment', '.line');
      await click(page, '.line-main:not(.line-command)');
      await page.waitForSelector('.about');
      await click(page, '.about >> text=Compare');
      await page.waitForSelector('.others button');
      await click(page, '.others button');
      await page.waitForSelector('.comparison-verdict');
      expect(await page.locator('.comparison-verdict').innerText()).toMatch(/B is .* (slower|faster)|same time/);
      expect(await page.locator('.steps tbody tr').count()).toBeGreaterThan(3);
      expect(clicks).toBe(3);
      await lookedAt(page, 'compare');
    });
  });

  describe('every page', () => {
    it.each([
      ['changes', '/', '.line', /alice@example\.com/],
      ['dashboards', '/dashboards', '.slo-answer', /Time to converge/],
      ['runs', '/runs', 'main .notice h2, .stack', /Runs/],
      ['system', '/system', '.system', /Sources/],
    ])('%s shows what is there, and complains of nothing', async (name, path, ready, words) => {
      const { page, complaints } = await visit(path, ready);
      await page.waitForTimeout(800);
      expect(await page.locator('main').innerText()).toMatch(words);
      expect(await axeFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await lookedAt(page, name);
    });

    it('is less than 200 KB to load', async () => {
      const { page } = await visit('/', '.line');
      await page.reload();
      await page.waitForSelector('.line');
      const { shown, bytes } = await page.evaluate(() => {
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const own = files.filter((file) => /\.(js|css|svg)$/.test(new URL(file.name).pathname));
        return { shown: performance.now(), bytes: own.reduce((sum, file) => sum + file.encodedBodySize, 0) };
      });
      console.log(`first page: ${Math.round(bytes / 1024)} KiB of files, rows within ${Math.round(shown)} ms`);
      expect(bytes).toBeLessThan(200 * 1024);
    });

    it('keeps every view of the largest journey without a complaint', async () => {
      const { page, complaints } = await visit('/?namespace=shop&kind=Deployment', '.line');
      await click(page, '.line-main:not(.line-command)');
      for (const view of ['Components', 'Table', 'Objects', 'Waterfall']) {
        await page.getByRole('tab', { name: view }).click();
        await page.waitForTimeout(150);
        expect(await axeFindings(page)).toEqual([]);
        await lookedAt(page, `journey-${view.toLowerCase()}`);
      }
      expect(complaints).toEqual([]);
    });

    it('says that a journey which does not exist is none', async () => {
      await visit(`/journeys/${'e'.repeat(32)}`, 'text=There is no such journey');
      await opened?.context.close();
      await visit('/journeys/nonsense', '.notice-bad');
    });

    it.skipIf(!BINARY)('dashboards show the numbers that SQL gives', { timeout: 300_000 }, async () => {
      // What still moves would have other numbers a moment later.
      const open = async () => (await sql("select journey_id from journeys where state = 'open'")).length;
      await expect.poll(open, { timeout: 240_000, interval: 2000 }).toBe(0);
      const requests = await sql(
        "select name, count(*) n, sum(case when status = 'error' then 1 else 0 end) bad, max(duration_nano) longest, " +
          'sum(duration_nano) total from spans ' +
          "where class = 'journey' and attributes_string['clew.kind'] = 'request' group by name order by total desc limit 12",
      );
      const { page } = await visit('/dashboards', '.slo-answer');
      const table = page.getByRole('region', { name: 'API requests by verb and resource', exact: true });
      await table.locator('tbody tr').first().waitFor();
      const shown = await table
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
      const cells = (row: Answer) => [row.name, String(row.n), String(row.bad), formatMs(Number(row.longest) / 1e6)];
      expect(shown.map(([name, count, errors, , , longest]) => [name, count, errors, longest])).toEqual(
        requests.map(cells),
      );
      const states = await sql('select state, count(*) n, max(duration_nano) longest from journeys group by state');
      const of = (state: string) => states.find((row) => row.state === state);
      const [converged, stuck] = [Number(of('converged')?.n), Number(of('stuck')?.n)];
      expect(stuck).toBeGreaterThan(0);
      const objective = await page.locator('.slo').innerText();
      // All that converged did so within the objective's 30 seconds; what is stuck never will.
      expect(objective).toContain(`${converged} of ${converged + stuck} journeys`);
      const burn = Number(/burns ([\d.]+) times/.exec(objective)?.[1]);
      expect(Math.abs(burn - stuck / (converged + stuck) / 0.01)).toBeLessThan(0.06);
      expect(
        await page
          .getByRole('region', { name: /^Stuck or failed/ })
          .locator('h2')
          .innerText(),
      ).toBe(`Stuck or failed: ${stuck}`);
      const slowest = await page.getByRole('region', { name: 'Slowest' }).locator('.duration-text').first().innerText();
      expect(slowest).toBe(formatMs(Number(of('converged')?.longest) / 1e6));
      const heat = await page.locator('.heat svg').getAttribute('aria-label');
      const counted = [...(heat ?? '').matchAll(/: (\d+)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
      expect(counted).toBe(converged);
    });
  });
});
