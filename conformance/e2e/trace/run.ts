import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { degradedTrace, emptyTrace, hostileTrace, reachedTrace, unreachableTrace } from '../../../test/trace/page/traces.ts';
import { type Check, check } from '../compare.ts';
import { checkAccessibility } from './accessible.ts';
import { launch, reasonToSkip } from './browser.ts';
import { type RenderedTrace, render, traceByCommand } from './command.ts';
import { checkContent } from './content.ts';
import { checkKeyboard } from './keyboard.ts';
import { checkLayout, checkPrint } from './layout.ts';
import { checkPicture } from './picture.ts';
import { checkBigWorld, checkSimulation } from './simulation/check.ts';
import { simulations } from './simulation/pages.ts';

/**
 * Usage: run.ts [NAME...]. Tests the pages in Chromium: that of a trace, with its picture, and that of a rollout or drain. Checks their content,
 * keyboard, screen reader, widths and both color schemes. With names, it tests only those pages.
 */

/** The traces to test, by name. */
const traces: Readonly<Record<string, () => RenderedTrace>> = {
  reached: () => render(reachedTrace),
  degraded: () => render(degradedTrace),
  unreachable: () => render(unreachableTrace),
  empty: () => render(emptyTrace),
  hostile: () => render(hostileTrace),
  rollout: () => traceByCommand('storefront.shop:http', 'examples/cluster/shop.yaml'),
  nowhere: () => traceByCommand('storefrnt.shop:http', 'examples/cluster/shop.yaml'),
};

/** 320 is the width of a page of 1280 at a zoom of 400%. */
const widths: readonly number[] = [320, 360, 800, 1280, 1920];

/** Traces without keyboard and accessibility checks. */
const withoutNavigationChecks: readonly string[] = ['hostile', 'empty'];
const SHOWN_FAILURES = 20;

process.exitCode = await main();

async function main(): Promise<number> {
  const skipReason = reasonToSkip();
  if (skipReason !== undefined) {
    console.log(`the pages in a browser skipped: ${skipReason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kube-endpoints-trace-'));
  const browser = await launch();
  try {
    const checks: Check[] = [];
    for (const [key, make] of chosenOf(traces)) checks.push(...(await checkTrace(browser, key, make(), folder)));
    for (const [key, make] of chosenOf(simulations)) checks.push(...(await checkSimulation(browser, key, make(), folder)));
    for (const [, checkPage] of chosenOf({ 'big world': checkBigWorld })) checks.push(...(await checkPage(browser, folder)));
    console.log(`screenshots: ${folder}`);
    return report(checks);
  } finally {
    await browser.close();
  }
}

function chosenOf<T>(pages: Readonly<Record<string, T>>): [name: string, page: T][] {
  return Object.entries(pages).filter(([name]) => process.argv.length === 2 || process.argv.slice(2).includes(name));
}

async function checkTrace(browser: Browser, key: string, rendered: RenderedTrace, folder: string): Promise<Check[]> {
  const { trace } = rendered;
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).href;
  };
  const page = write(`${key}.html`, rendered.page);
  const picture = write(`${key}.svg`, rendered.picture);
  const frame = write(`${key}-picture.html`, `<!doctype html><title>${key}</title><body style="margin:0"><img src="${key}.svg" alt="">`);
  const navigationChecks = withoutNavigationChecks.includes(key)
    ? []
    : [...(await checkKeyboard(browser, key, page)), ...(await checkAccessibility(browser, key, page, trace))];
  return [
    check(key, 'the same trace gives the same page', render(trace).page === rendered.page.replace(/<p class="source">.*<\/p>/, ''), true),
    ...(await checkContent(browser, key, page, trace)),
    ...navigationChecks,
    ...(await checkLayout(browser, key, page, folder, widths)),
    ...(await checkPrint(browser, key, page)),
    ...(await checkPicture(browser, key, picture, frame, trace, folder)),
  ];
}

function report(checks: readonly Check[]): number {
  const failed = checks.filter(({ passed }) => !passed);
  for (const { key, what, computed, found } of failed.slice(0, SHOWN_FAILURES)) {
    const [actual, expected] = [computed, found].map((value) => JSON.stringify(value)?.slice(0, 2000));
    console.log(`FAILED ${key}: ${what}\n  actual   ${actual}\n  expected ${expected}`);
  }
  console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && checks.length > 0 ? 0 : 1;
}
