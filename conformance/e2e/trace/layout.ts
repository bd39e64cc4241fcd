import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';
import { contrastReport } from './probes.ts';

const screenshotWidths: readonly number[] = [360, 390, 1280];

/** Checks that the page has sufficient contrast and nothing beyond its edges, in light and dark mode, at some widths in pixels. */
export async function checkLayout(browser: Browser, key: string, url: string, folder: string, widths: readonly number[]): Promise<Check[]> {
  const checks: Check[] = [];
  const backgrounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await open(browser, url, { colorScheme });
    try {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        checks.push(check(key, `width at ${width} px, ${colorScheme}`, await page.evaluate('document.documentElement.scrollWidth'), width));
        if (screenshotWidths.includes(width))
          await page.screenshot({ path: join(folder, `${key}-${width}-${colorScheme}.png`), fullPage: true });
      }
      const contrast = await page.evaluate<{ count: number; pale: string[] }>(contrastReport);
      checks.push(
        check(key, `texts and icons with low contrast, ${colorScheme}`, contrast.pale, []),
        check(key, 'enough elements were checked', contrast.count > 3, true),
      );
      backgrounds.push(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
    } finally {
      await close();
    }
  }
  return [...checks, check(key, 'backgrounds differ', new Set(backgrounds).size, 2)];
}

/** Checks that the printed page of a trace has no map, no dark background and nothing collapsed. */
export async function checkPrint(browser: Browser, key: string, url: string): Promise<Check[]> {
  const { page, close } = await open(browser, url, { colorScheme: 'dark' });
  try {
    await page.emulateMedia({ media: 'print' });
    const countHiddenLists = `[...document.querySelectorAll('details > ul')].filter((ul) => !ul.checkVisibility()).length`;
    return [
      check(key, 'map in print', await page.locator('nav').isVisible(), false),
      check(key, 'background in print', await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)'),
      check(key, 'collapsed in print', await page.evaluate(countHiddenLists), 0),
    ];
  } finally {
    await close();
  }
}
