import type { Browser, Page } from 'playwright-core';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';
import { focusedElement, tabStops } from './probes.ts';

interface Focus {
  /** Describes the focused element. */
  readonly what: string;
  /** Whether the focus is visible. */
  readonly seen: boolean;
}

/** Checks keyboard navigation: Tab reaches everything in document order, the focus is always visible, and there is no focus trap. */
export async function checkKeyboard(browser: Browser, key: string, url: string): Promise<Check[]> {
  const { page, messages, close } = await open(browser, url, { viewport: { width: 1280, height: 900 } });
  try {
    return [
      ...(await checkTabStops(page, key)),
      ...(await checkLinks(page, key)),
      ...(await checkFolding(page, key)),
      check(key, 'console messages, errors and requests', messages, []),
    ];
  } finally {
    await close();
  }
}

/** Checks that Tab reaches everything in document order, with a visible focus, and then leaves the page. */
export async function checkTabStops(page: Page, key: string): Promise<Check[]> {
  const expected = await page.evaluate<string[]>(tabStops);
  const stops = await tabThrough(page, expected.length);
  return [
    check(
      key,
      'tab stops',
      stops.slice(0, -1).map(({ what }) => what),
      expected,
    ),
    check(key, 'after the last stop', stops.at(-1)?.what, 'body'),
    check(
      key,
      'tab stops with an invisible focus',
      stops.filter(({ seen }) => !seen),
      [],
    ),
  ];
}

async function tabThrough(page: Page, count: number): Promise<Focus[]> {
  const stops: Focus[] = [];
  for (let i = 0; i <= count; i++) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate<Focus>(focusedElement));
  }
  return stops;
}

/** Checks that the skip link skips the map (the list of links in `nav`), and that a link of the map leads to its step. */
async function checkLinks(page: Page, key: string): Promise<Check[]> {
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  const skipped = await page.evaluate<Focus>(focusedElement);
  await page.keyboard.press('Tab');
  const next = await page.evaluate<boolean>(`document.activeElement.closest('main') !== null`);
  await page.locator('nav a').last().focus();
  await page.keyboard.press('Enter');
  const last = await page.evaluate<boolean>(`document.activeElement === document.querySelector('main ol.steps > li:last-child')`);
  const top = await page.evaluate<number>(`document.activeElement.getBoundingClientRect().top`);
  return [
    check(key, 'focus after the skip link', skipped.what, 'main #steps'),
    check(key, 'the next tab stop is among the steps', next, true),
    check(key, 'focus after a link of the map', last, true),
    check(key, 'the step has scrolled into view', top >= 0 && top < 900, true),
  ];
}

/** Checks that Enter expands and collapses a list. */
async function checkFolding(page: Page, key: string): Promise<Check[]> {
  const summary = page.locator('summary').first();
  if ((await summary.count()) === 0) return [];
  const isOpen = (): Promise<boolean> => page.evaluate<boolean>(`document.querySelector('details').open`);
  const before = await isOpen();
  await summary.focus();
  await page.keyboard.press('Enter');
  const after = await isOpen();
  await page.keyboard.press('Enter');
  return [check(key, 'expanded and collapsed by Enter', [after, await isOpen()], [!before, before])];
}
