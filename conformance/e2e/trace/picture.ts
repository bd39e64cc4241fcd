import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Trace } from '../../../src/trace/trace.ts';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';
import { overflowingTexts } from './probes.ts';

/**
 * Checks that the picture is a standalone document that a browser parses without errors, that no text exceeds its frame, and that a page
 * can embed it as an image.
 * @param frame a page that embeds the picture as an image
 */
export async function checkPicture(
  browser: Browser,
  key: string,
  url: string,
  frame: string,
  trace: Trace,
  folder: string,
): Promise<Check[]> {
  const { page, messages, close } = await open(browser, url, { viewport: { width: 1000, height: 900 } });
  try {
    const root = await page.evaluate('[document.documentElement.nodeName, document.querySelector("parsererror") === null]');
    const stepCount = await page.evaluate(`document.querySelectorAll('text.stage').length`);
    return [
      check(key, 'root of the picture', root, ['svg', true]),
      check(key, 'steps of the picture', stepCount, trace.steps.length),
      check(key, 'texts beyond the frame', await page.evaluate(overflowingTexts), []),
      check(key, 'active content', await page.evaluate(`document.querySelectorAll('script, image, use, foreignObject, a').length`), 0),
      check(key, 'console messages, errors and requests of the picture', messages, []),
      ...(await checkEmbedding(browser, key, frame, folder)),
    ];
  } finally {
    await close();
  }
}

async function checkEmbedding(browser: Browser, key: string, frame: string, folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await open(browser, frame, { colorScheme, viewport: { width: 1000, height: 900 } });
    try {
      checks.push(check(key, `width as an image, ${colorScheme}`, await page.evaluate('document.images[0].naturalWidth'), 960));
      await page.screenshot({ path: join(folder, `${key}-picture-${colorScheme}.png`), fullPage: true });
    } finally {
      await close();
    }
  }
  return checks;
}
