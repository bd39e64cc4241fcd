import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** An open page, with everything it has logged or requested since. */
export interface Opened {
  readonly page: Page;
  /** Console messages, script errors, dialogs, and requests other than for the document itself. */
  readonly noises: readonly string[];
  close(): Promise<void>;
}

/** Debian's Chromium, or the path in CHROMIUM. */
export const chromiumPath: string = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no browser to open the pages; undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  return existsSync(chromiumPath) ? undefined : `there is no ${chromiumPath}: install Debian's package chromium or name one in CHROMIUM`;
}

/** For the browser's start and for each operation on a page: a busy machine without a warm cache is slow. */
const PATIENCE_MS = 180_000;

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'], timeout: PATIENCE_MS });
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const noises: string[] = [];
  page.on('console', (message) => noises.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noises.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) noises.push(`request: ${request.url()}`);
  });
  page.on('dialog', async (dialog) => {
    noises.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(url);
  return { page, noises, close: () => context.close() };
}
