/** Pictures of pages in both themes and two widths, kept in the folder that CLEW_PICTURES names: to be looked at, not compared. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = process.env.CLEW_PICTURES;

const WIDTHS = [
  [1280, 800],
  [390, 844],
] as const;

export async function lookedAt(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  const before = page.viewportSize();
  for (const [width, height] of WIDTHS) {
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      // Charts are drawn anew for another theme or width.
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
