/**
 * Pictures of pages in both themes and two widths: `npm run shots -- http://127.0.0.1:7071 out / /system`.
 * They are looked at, not compared.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open } from './browser';

const [base = 'http://127.0.0.1:7071', folder = 'shots', ...paths] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const path of paths.length > 0 ? paths : ['/']) {
  for (const theme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      const { context, page, complaints } = await open(browser, base + path, { theme, width, height });
      await page.waitForTimeout(900);
      const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '').slice(0, 40) || 'changes';
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
      if (complaints.length > 0) console.log(path, theme, width, complaints);
      await context.close();
    }
  }
}
await browser.close();
