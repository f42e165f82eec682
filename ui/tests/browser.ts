/** Debian's Chromium, driven by Playwright. */

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] });
}

export interface Opened {
  context: BrowserContext;
  page: Page;
  /** What the page complained about: errors, refused files, answers that the policy forbade. */
  complaints: string[];
}

export interface Look {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** A screen for fingers. */
  touch?: boolean;
}

/** A page in a context of its own, which writes down every complaint and every request to someone else. */
export async function open(browser: Browser, url: string, look: Look = {}): Promise<Opened> {
  const { theme = 'light', width = 1280, height = 800, touch = false } = look;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: touch });
  const page = await context.newPage();
  const complaints: string[] = [];
  const origin = new URL(url).origin;
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`request to someone else: ${request.url()}`);
  });
  await page.goto(url);
  return { context, page, complaints };
}
