import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { launch, open } from './browser';
import { lookedAt } from './pictures';
import { BINARY, RealClew } from './real';

const clew = new RealClew();
let browser: Browser;

describe.skipIf(!BINARY)('a clew that wants a token', () => {
  beforeAll(async () => {
    browser = await launch();
    writeFileSync(join(clew.folder, 'token'), 's3cret');
    const data = join(clew.folder, 'data');
    await clew.start(['up', '--cluster', 'lab', '--data', data, '--token-file', join(clew.folder, 'token')]);
  });
  afterAll(async () => {
    await browser?.close();
    await clew.stop();
  });

  it('asks for it, refuses another one, keeps the right one until the browser is closed, and goes on', async () => {
    const { page, context } = await open(browser, `${clew.url}/system`);
    await page.waitForSelector('text=This clew wants a token');
    expect(await axeFindings(page)).toEqual([]);
    await lookedAt(page, 'token');
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForSelector('text=does not know that token');
    await page.getByLabel('Token').fill('s3cret');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.system');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'clew-token', httpOnly: true, sameSite: 'Strict', expires: -1 });
    // The stream cannot bring a header; it is live by the cookie.
    await page.goto(clew.url);
    await page.waitForSelector('.live-live');
    await context.close();
    const stranger = await open(browser, clew.url);
    await stranger.page.waitForSelector('text=This clew wants a token');
    await stranger.context.close();
  });
});
