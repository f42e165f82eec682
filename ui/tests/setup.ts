/** A browser for a file of tests, and a server for each test. */

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Look, launch, type Opened, open } from './browser';
import { FixtureServer } from './fixture/server';
import { World } from './fixture/world';

export interface Stage {
  server: FixtureServer;
  visit(path: string, ready?: string, look?: Look): Promise<Opened>;
}

/** To be called once in a file of tests. */
export function stage(journeys: number): Stage {
  let browser: Browser;
  let opened: Opened | undefined;
  const stage: Stage = {
    server: new FixtureServer(new World(journeys)),
    async visit(path, ready = 'main', look = {}) {
      opened = await open(browser, stage.server.url + path, look);
      await opened.page.waitForSelector(ready);
      return opened;
    },
  };
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    stage.server = new FixtureServer(new World(journeys));
    await stage.server.start(0);
  });
  afterEach(async () => {
    await opened?.context.close();
    await stage.server.stop();
  });
  return stage;
}
