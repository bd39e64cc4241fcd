import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** An open page, with everything that it has logged or requested since it was opened. */
export interface OpenPage {
  readonly page: Page;
  /** Console messages, script errors, dialogs, and requests other than for the document itself. */
  readonly messages: readonly string[];
  close(): Promise<void>;
}

/** Debian's Chromium, or the path in CHROMIUM. */
export const chromiumPath: string = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Returns the reason why there is no browser to open the pages; undefined if there is one. */
export function reasonToSkip(): string | undefined {
  return existsSync(chromiumPath) ? undefined : `there is no ${chromiumPath}: install Debian's package chromium or set CHROMIUM`;
}

/** Timeout of the browser's start and of each operation on a page, long enough for a busy machine without a warm cache. */
const TIMEOUT_MS = 180_000;

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'], timeout: TIMEOUT_MS });
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) messages.push(`request: ${request.url()}`);
  });
  page.on('dialog', async (dialog) => {
    messages.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(url);
  return { page, messages, close: () => context.close() };
}
