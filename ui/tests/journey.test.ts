import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Detail, Row } from '../src/api/types';
import { axeFindings } from './axe';
import { launch, type Opened, open } from './browser';
import { rollout } from './fixture/rollout';
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
  server = new FixtureServer(new World(30));
  await server.start(0);
});
afterEach(async () => {
  await opened?.context.close();
  await server.stop();
});

/** The first journey in some state, told about as the test likes it. */
function journeyIn(state: Row['state'], change: (detail: Detail) => void = () => undefined, pods = 3): Detail {
  const row: Row = { ...(server.world.rows[0] as Row), state, end: null, durationMs: state === 'open' ? null : 4750 };
  const detail = rollout({ ...row, end: new Date(Date.parse(row.start) + 4750).toISOString() }, pods);
  change(detail);
  server.world.details.set(detail.journey, detail);
  return detail;
}

async function visit(detail: Detail, query = '') {
  opened = await open(browser, `${server.url}/journeys/${detail.journey}${query}`);
  await opened.page.waitForSelector('.toolbar');
  return opened;
}

const rowNames = (page: Page) => page.locator('.wf-name, .wf-lane').allTextContents();

describe('a journey', () => {
  it('gives the answer first, and complains of nothing', async () => {
    const { page, complaints } = await visit(
      journeyIn('converged', (detail) => {
        detail.criticalPath = [
          { name: 'image: Pod shop/web-1', ms: 2850 },
          { name: 'readiness: Pod shop/web-1', ms: 1900 },
        ];
      }),
    );
    const answer = await page.locator('.answer').innerText();
    expect(answer).toContain('Converged in 4.75 s');
    expect(answer).toMatch(/image\s+2\.85 s\s+60 %/);
    expect(await rowNames(page)).toEqual(
      expect.arrayContaining([expect.stringContaining('ReplicaSet'), '1 request, 6 phases']),
    );
    for (const view of ['Waterfall', 'Objects', 'Components', 'Table']) {
      await page.getByRole('tab', { name: view }).click();
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it('says what it waits on', async () => {
    const { page } = await visit(
      journeyIn('stuck', (detail) => {
        const object = { uid: 'uid-x', kind: 'Pod', namespace: 'shop', name: 'web-1' };
        detail.waitingOn = {
          reason: 'Unschedulable',
          message: 'Pod shop/web-1: Unschedulable: 0/1 nodes are available',
          object,
        };
      }),
    );
    const answer = await page.locator('.waits').innerText();
    expect(answer).toBe('Waits on Unschedulable of Pod shop/web-1: 0/1 nodes are available');
    expect(await page.locator('.waits a').getAttribute('href')).toBe('/objects?uid=uid-x');
  });

  it('goes to the next error, and shows its reason', async () => {
    const { page } = await visit(journeyIn('converged'));
    await page.keyboard.press('e');
    await page.waitForSelector('.detail-error');
    expect(await page.locator('.detail-error').innerText()).toContain('the object has been modified');
    expect(await page.locator('.wf-row.selected').innerText()).toContain('update deployments/status');
  });

  it('is explored by keyboard as a tree', async () => {
    const { page } = await visit(journeyIn('converged'));
    await page.locator('.wf-scroller').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'Enter'])
      await page.keyboard.press(key);
    await page.waitForSelector('.detail');
    expect(await page.locator('.detail h2').innerText()).toBe('patch deployments');
    expect(await page.locator('.detail').innerText()).toContain('spec.template.spec.containers[0].env[0].value');
  });

  it('zooms by drag and by wheel, and the link says where', async () => {
    const { page } = await visit(journeyIn('converged'));
    const box = await page.locator('.wf-canvas').boundingBox();
    if (!box) throw new Error('no canvas');
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d/);
    const from = Number(new URL(page.url()).searchParams.get('from'));
    expect(from / 4750).toBeCloseTo(0.25, 1);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await page.waitForTimeout(500);
    const link = new URL(page.url()).searchParams;
    expect(Number(link.get('to')) - Number(link.get('from'))).toBeLessThan(4750 * 0.2);
    await page.keyboard.press('0');
    await page.waitForFunction(() => !location.search.includes('from='));
  });

  it('is zoomed by two fingers and moved by one, while up and down scrolls the page', async () => {
    const detail = journeyIn('converged');
    opened = await open(browser, `${server.url}/journeys/${detail.journey}`, { width: 390, height: 844, touch: true });
    const { page, context } = opened;
    await page.waitForSelector('.wf-canvas');
    const box = await page.locator('.wf-canvas').boundingBox();
    if (!box) throw new Error('no canvas');
    const shown = async () => {
      const link = new URL(page.url()).searchParams;
      return [Number(link.get('from') ?? 0), Number(link.get('to') ?? 4750)] as const;
    };
    const fingers = await touching(context, page);
    const at = (part: number) => ({ x: box.x + box.width * part, y: box.y + 60 });
    await fingers([at(0.4), at(0.6)], [at(0.2), at(0.8)]);
    await page.waitForURL(/from=\d/);
    const [from, to] = await shown();
    expect((to - from) / 4750).toBeCloseTo(1 / 3, 1);
    expect((from + to) / 2 / 4750).toBeCloseTo(0.5, 1);
    await fingers([at(0.3)], [at(0.6)]);
    await expect.poll(async () => (await shown())[0]).toBeLessThan(from);
    const [movedFrom, movedTo] = await shown();
    expect(movedTo - movedFrom).toBeCloseTo(to - from, 0);
    expect(await page.locator('.detail').count()).toBe(0);
  });

  it('shows only what strong evidence holds together', async () => {
    const { page } = await visit(journeyIn('converged'));
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Only context and identity' }).click();
    await page.waitForURL(/evidence=context/);
    expect((await rowNames(page)).some((name) => name.includes('ReplicaSet'))).toBe(false);
  });

  it('finds in it, and a link leads to the same place', async () => {
    const detail = journeyIn('converged');
    const { page } = await visit(detail);
    await page.keyboard.press('/');
    await page.keyboard.type('KV/Txn');
    await page.waitForSelector('text=6 found');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail');
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForSelector('.detail');
    expect(await page.locator('.detail h2').innerText()).toBe('etcdserverpb.KV/Txn');
    expect(await page.locator('.wf-row.selected').count()).toBe(1);
  });

  it('is live while it is open', async () => {
    const detail = journeyIn('open');
    const { page } = await visit(detail);
    await page.waitForSelector('text=Open for');
    server.world.details.set(detail.journey, { ...detail, state: 'converged', durationMs: 4750 });
    server.world.tell({ ...detail, state: 'converged' });
    await page.waitForSelector('text=Converged in 4.75 s', { timeout: 3000 });
  });
});

interface Spot {
  x: number;
  y: number;
}

/** Fingers that go from some places to others, as the browser itself would report them. */
async function touching(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', spots: Spot[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: spots.map((spot, id) => ({ ...spot, id })) });
  return async (from: Spot[], to: Spot[]) => {
    await send('touchStart', from);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      const between = from.map((spot, id) => {
        const end = to[id] ?? spot;
        return { x: spot.x + (end.x - spot.x) * part, y: spot.y + (end.y - spot.y) * part };
      });
      await send('touchMove', between);
    }
    await send('touchEnd', []);
  };
}

describe('bad input', () => {
  it('a journey that does not exist is said to be none', async () => {
    opened = await open(browser, `${server.url}/journeys/${'0'.repeat(32)}`);
    await opened.page.waitForSelector('text=There is no such journey');
  });

  it('HTML in names and attributes is text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const { page } = await visit(
      journeyIn('stuck', (detail) => {
        detail.title = evil;
        detail.findings = [{ kind: evil, message: evil }];
        for (const span of detail.spans) {
          span.name = `Pod ${evil}`;
          span.attributes[evil] = evil;
        }
      }),
      '',
    );
    await page.locator('.wf-name').first().click();
    await page.waitForSelector('.detail');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toBe(evil);
  });
});

describe('ten thousand spans', () => {
  it('scroll and zoom without a frame that is felt', async () => {
    const detail = journeyIn('converged', () => undefined, 1000);
    expect(detail.spans.length).toBeGreaterThan(10_000);
    const { page } = await visit(detail);
    const frames = await measureFrames(page);
    const sorted = [...frames].sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    console.log(
      `${detail.spans.length} spans, ${frames.length} frames: median ${at(0.5).toFixed(1)} ms, 95 % within ${at(0.95).toFixed(1)} ms, longest ${at(0.999).toFixed(1)} ms`,
    );
    expect(at(0.5)).toBeLessThan(34);
    expect(at(0.95)).toBeLessThan(200);
  });
});

/** The time from frame to frame while the waterfall is scrolled down and then zoomed in and out. */
async function measureFrames(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.wf-scroller');
    const canvas = document.querySelector('.wf-canvas');
    if (!scroller || !canvas) throw new Error('no waterfall');
    const frames: number[] = [];
    const box = canvas.getBoundingClientRect();
    let last = performance.now();
    for (let step = 0; step < 240; step += 1) {
      if (step < 120) scroller.scrollTop += 180;
      else {
        const deltaY = step % 60 < 30 ? -60 : 60;
        canvas.dispatchEvent(
          new WheelEvent('wheel', {
            deltaY,
            ctrlKey: true,
            clientX: box.x + 100,
            clientY: box.y + 50,
            bubbles: true,
            cancelable: true,
          }),
        );
      }
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
    return frames;
  });
}

describe('a part of the page that is gone', () => {
  it('is told, with a way on, rather than an empty window', async () => {
    opened = await open(browser, server.url);
    const { page } = opened;
    await page.waitForSelector('.line');
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
    await page.locator('.line-main:not(.line-command)').first().click();
    await page.waitForSelector('text=The page could not be loaded');
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.verdict');
  });
});
