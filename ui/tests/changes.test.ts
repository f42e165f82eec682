import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../src/api/types';
import { axeFindings } from './axe';
import { launch, type Opened, open } from './browser';
import { randomFrom } from './fixture/random';
import { makeRow } from './fixture/rows';
import { FixtureServer } from './fixture/server';
import { World } from './fixture/world';

let browser: Browser;
let server: FixtureServer;
let opened: Opened | undefined;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

beforeEach(async () => {
  server = new FixtureServer(new World(300));
  await server.start(0);
});
afterEach(async () => {
  await opened?.context.close();
  await server.stop();
});

async function visit(path = '/') {
  opened = await open(browser, server.url + path);
  await opened.page.waitForSelector('.line');
  return opened;
}

const firstRow = (): Row => server.world.rows[0] as Row;

/** A change that is its command's only one, and so has a line of its own. */
function alone(fits: (row: Row) => boolean = () => true): Row {
  const { rows } = server.world;
  return rows.find((row) => fits(row) && rows.filter((other) => other.command === row.command).length === 1) as Row;
}

describe('the list of changes', () => {
  it('shows what changed in words, its state and its duration, and complains of nothing', async () => {
    const { page, complaints } = await visit();
    const single = server.world.rows[3] as Row;
    const line = page.locator('.line', { hasText: single.title });
    expect(await line.count()).toBe(1);
    expect(await line.textContent()).toContain('objects');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows a change that happens now within two seconds, without a reload', async () => {
    const { page } = await visit();
    const fresh = {
      ...makeRow(randomFrom(5), Date.now(), 4),
      title: 'carol scaled Deployment shop/new to 5 with kubectl',
    };
    const before = Date.now();
    server.world.tell(fresh);
    await page.waitForSelector('text=carol scaled', { timeout: 2000 });
    expect(Date.now() - before).toBeLessThan(2000);
  });

  it('takes away a change that no longer fits the filter, and brings it back when it fits again', async () => {
    const { page } = await visit('/?state=stuck');
    await page.waitForSelector('.live-live');
    const leaving = alone((row) => row.state === 'stuck');
    const line = page.locator(`a[href="/journeys/${leaving.journey}"]`);
    await expect.poll(() => line.count()).toBe(1);
    const others = await page.locator('.line').count();
    server.world.say('left', { journey: leaving.journey });
    await expect.poll(() => line.count()).toBe(0);
    expect(await page.locator('.line').count()).toBe(others - 1);
    server.world.say('journey', leaving);
    await expect.poll(() => line.count()).toBe(1);
  });

  it('takes away a change that turned out to be part of another', async () => {
    const { page } = await visit();
    await page.waitForSelector('.live-live');
    const retired = alone();
    const line = page.locator(`a[href="/journeys/${retired.journey}"]`);
    await expect.poll(() => line.count()).toBe(1);
    server.world.say('retired', { journey: retired.journey });
    await expect.poll(() => line.count()).toBe(0);
  });

  it('asks for the list again when it missed something', async () => {
    const { page } = await visit();
    await page.waitForSelector('.live-live');
    const missed = { ...makeRow(randomFrom(6), Date.now(), 4), title: 'what the stream never told' };
    server.world.rows = [missed, ...server.world.rows.slice(1)];
    expect(await page.locator('text=what the stream never told').count()).toBe(0);
    server.world.say('resync', {});
    await page.waitForSelector('text=what the stream never told');
  });

  it('opens a command of several changes with a click', async () => {
    const { page } = await visit();
    const command = page.locator('.line-command').first();
    expect(await command.getAttribute('aria-expanded')).toBe('false');
    await command.click();
    expect(await page.locator('.line-nested').count()).toBe(3);
  });

  it('is walked by j and k, and enter opens a journey', async () => {
    const { page } = await visit();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.line-nested');
    expect(await page.locator('.line-nested').count()).toBe(3);
    await page.keyboard.press('j');
    await page.waitForFunction(
      () => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') === '1',
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/journeys/${firstRow().journey}`);
  });

  it('keeps its filters in the link', async () => {
    const { page } = await visit();
    await page.keyboard.press('/');
    await page.keyboard.type('namespace:shop');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?namespace=shop');
    await page.getByRole('button', { name: 'Stuck' }).click();
    await page.waitForURL('**/?namespace=shop&state=stuck');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.line')].every((line) => line.textContent?.includes(' shop/')),
    );
    await page.reload();
    await page.waitForSelector('.line');
    const shown = await page.locator('.line').allTextContents();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every((text) => text.includes('shop/') && text.includes('Stuck'))).toBe(true);
  });

  it('is narrowed to the time that is brushed', async () => {
    const { page } = await visit();
    const box = await page.locator('.histogram svg').boundingBox();
    if (!box) throw new Error('no histogram');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/since=.*until=/);
    const link = new URL(page.url()).searchParams;
    const asked = Date.parse(link.get('until') ?? '') - Date.parse(link.get('since') ?? '');
    expect(asked / (300 * 30_000)).toBeCloseTo(0.1, 1);
    await page.waitForFunction(() => document.querySelectorAll('.line').length > 0);
  });

  it('says what to do when nothing matches', async () => {
    opened = await open(browser, `${server.url}/?namespace=nowhere`);
    await opened.page.waitForSelector('text=Nothing matches these filters');
  });
});

describe('bad luck', () => {
  it('a server that goes away and comes back loses nothing', async () => {
    const { page } = await visit();
    await page.waitForSelector('.live-live');
    await server.stop();
    await page.waitForSelector('text=Connection lost');
    server.world.rows = [
      { ...makeRow(randomFrom(8), Date.now(), 4), title: 'while you were away' },
      ...server.world.rows,
    ];
    await server.start();
    await page.waitForSelector('.live-live', { timeout: 10_000 });
    await page.waitForSelector('text=while you were away');
  });

  it('HTML in a name is text', async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    server.world.rows = [{ ...(server.world.rows[4] as Row), journey: 'e'.repeat(32), command: null, title: evil }];
    const { page } = await visit();
    expect(await page.locator('.line-main').first().textContent()).toBe(evil);
    expect(await page.locator('.line img').count()).toBe(0);
  });
});

describe('a hundred thousand journeys', () => {
  it('are scrolled from end to end with a few dozen rows in the page', async () => {
    await server.stop();
    server = new FixtureServer(new World(100_000));
    await server.start(0);
    const { page } = await visit();
    for (let round = 0; round < 30; round += 1) {
      await page.locator('.lines').evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
      await page.waitForTimeout(60);
    }
    const loaded = await page.locator('.virtual').evaluate((list) => list.clientHeight);
    expect(loaded).toBeGreaterThan(58 * 1000);
    expect(await page.locator('.line').count()).toBeLessThan(80);
  });
});

describe('coming back', () => {
  it('finds the list where it was left', async () => {
    const { page } = await visit();
    await page.locator('.lines').evaluate((list) => list.scrollTo({ top: 3000 }));
    await page.waitForTimeout(200);
    await page.locator('.line-main:not(.line-command)').nth(12).click();
    await page.waitForSelector('.verdict');
    await page.goBack();
    await page.waitForSelector('.line');
    expect(await page.locator('.lines').evaluate((list) => list.scrollTop)).toBe(3000);
  });

  it('the keys are told on a question mark', async () => {
    const { page } = await visit();
    await page.keyboard.press('?');
    await page.waitForSelector('.key-help[open]');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.key-help:not([open])', { state: 'attached' });
  });
});

describe('a tab that nobody sees', () => {
  it('holds no connection, and is up to date when it is seen again', async () => {
    const { page } = await visit();
    await page.waitForSelector('.live-live');
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    await expect.poll(() => server.world.listeners.size).toBe(0);
    server.world.tell({ ...makeRow(randomFrom(9), Date.now(), 4), title: 'while nobody looked' });
    await hide(false);
    await page.waitForSelector('text=while nobody looked');
    expect(server.world.listeners.size).toBe(1);
  });
});

describe('going to another page', () => {
  it('takes the focus along and names the window', async () => {
    const { page } = await visit();
    await page.getByRole('link', { name: 'System', exact: true }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    expect(await page.title()).toBe('System · clew');
  });
});
