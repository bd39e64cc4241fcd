import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type Check, check } from '../../compare.ts';
import { open } from '../browser.ts';
import { checkTabStops } from '../keyboard.ts';
import { checkLayout } from '../layout.ts';
import { checkCauses, checkSlider } from './control.ts';
import { type ExpectedState, expectState } from './expected.ts';
import { hostileName, type RenderedCheck, renderBigWorld } from './pages.ts';
import {
  activeContent,
  describeSlider,
  headingLevels,
  landmarksScript,
  moveTo,
  movingElements,
  namelessElements,
  stateScript,
} from './probes.ts';

const widths: readonly number[] = [390, 800, 1600];
const viewport = { width: 1280, height: 900 };

/** Checks the page of a rollout or drain. */
export async function checkSimulation(browser: Browser, key: string, rendered: RenderedCheck, folder: string): Promise<Check[]> {
  const url = write(folder, key, rendered.page);
  const { page, messages, close } = await open(browser, url, { viewport, reducedMotion: 'reduce' });
  try {
    return [
      check(key, 'the same check gives the same page', rendered.page === rendered.again, true),
      ...(await checkAnswer(page, key, rendered)),
      ...(await checkStructure(page, key, rendered)),
      ...(key === 'hostile names' ? await checkHostileNames(page, key) : await checkStates(page, key, rendered)),
      ...(await checkSlider(page, key, rendered.check)),
      ...(await checkCauses(page, key, rendered.check)),
      ...(await checkKeyboard(page, key, url)),
      check(key, 'console messages, errors and requests', messages, []),
      ...(await checkLayout(browser, key, url, folder, widths)),
    ];
  } finally {
    await close();
  }
}

function write(folder: string, key: string, page: string): string {
  const path = join(folder, `${key.replace(' ', '-')}.html`);
  writeFileSync(path, page);
  return pathToFileURL(path).href;
}

const verdictStarts = { safe: 'No request ', drops: 'Requests fail in', unfinished: 'No request fails, but' };

async function checkAnswer(page: Page, key: string, { check: { verdict, worst, fix } }: RenderedCheck): Promise<Check[]> {
  const text = (await page.locator('p.verdict').textContent()) ?? '';
  const sentences = await page.locator('.drops li').allTextContents();
  const fixText = (await page.locator('header .cause').allTextContents()).join();
  const isHostile = key === 'hostile names';
  return [
    check(key, 'verdict', text.trim().startsWith(verdictStarts[verdict]), true),
    check(key, 'worst run', verdict !== 'drops' || text.includes(`"${worst.name}"`), true),
    check(key, 'sentences', isHostile ? sentences.length : sentences, isHostile ? worst.sentences.length : worst.sentences),
    check(key, 'fix', fix === undefined || fix.parts.every(({ summary }) => fixText.includes(summary)), true),
  ];
}

async function checkStructure(page: Page, key: string, { check: { worst, verdict, fix } }: RenderedCheck): Promise<Check[]> {
  const fixRegions = verdict === 'drops' && fix ? ['region How to fix it'] : [];
  return [
    check(key, 'landmarks', (await page.evaluate<string[]>(landmarksScript)).slice(0, 2 + fixRegions.length), [
      ...['banner', ...fixRegions, 'main Timeline'],
    ]),
    check(key, 'slider', await page.evaluate(describeSlider), { label: 'Time since the change', hasValueText: true }),
    check(key, 'levels of headings', await page.evaluate(headingLevels), []),
    check(key, 'pictures, tables, buttons and regions without a name', await page.evaluate(namelessElements), []),
    check(key, 'active content', await page.evaluate(activeContent), ['SCRIPT', 'SCRIPT']),
    check(key, 'moving elements', await page.evaluate(movingElements), []),
    check(key, 'language', await page.evaluate('document.documentElement.lang'), 'en'),
    check(key, 'labels of failing periods', (await page.locator('.lane .fail-text').count()) > 0, worst.drops.length > 0),
  ];
}

/** Compares the state that the page shows with the timeline, before the change, at its end, and at the ends of drops. */
async function checkStates(page: Page, key: string, { check: { worst } }: RenderedCheck): Promise<Check[]> {
  const last = (worst.timeline.at(-1)?.at ?? worst.since) - worst.since;
  const times = [
    -1000,
    0,
    ...worst.drops.flatMap(({ from, to }) => [from, (from + to) >> 1, to]),
    Math.round(last / 3),
    Math.round(last / 2),
  ];
  const checks: Check[] = [];
  for (const at of times) {
    await page.evaluate(moveTo(at));
    const { isFailing, ...state } = await page.evaluate<ExpectedState & { isFailing: boolean }>(stateScript);
    checks.push(check(key, `state at ${at} ms`, state, expectState(worst, at)));
    const isFailingNow = expectFailing(worst, at);
    if (isFailingNow !== undefined) checks.push(check(key, `whether connections fail at ${at} ms`, isFailing, isFailingNow));
  }
  return checks;
}

/** Undefined within a drop: those that are close are merged, so that requests may work for a moment. */
function expectFailing({ drops }: RenderedCheck['check']['worst'], at: number): boolean | undefined {
  if (drops.some(({ kind, from }) => kind !== 'cut' && from === at)) return true;
  return drops.every(({ from, to }) => at < from || at >= to) ? false : undefined;
}

async function checkHostileNames(page: Page, key: string): Promise<Check[]> {
  const shown = hostileName.replace('\u202e', '\ufffd');
  const first = (await page.locator('#pods td').first().textContent()) ?? '';
  return [
    check(key, 'heading', await page.locator('h1').textContent(), `Deployment ${shown}`),
    check(key, 'name of a pod', first.includes('<script>alert(1)</script>'), true),
    check(key, 'labels of lanes', (await page.locator('.lanes .label').allTextContents()).join().includes('<img src=x'), true),
  ];
}

async function checkKeyboard(page: Page, key: string, url: string): Promise<Check[]> {
  await page.goto(url);
  return checkTabStops(page, key);
}

const maxBytes = 5_000_000;
const maxOpenMs = 2000;
const attempts = 3;

/** Checks the size of the page of 200 pods on 50 nodes, and how long it takes to open. */
export async function checkBigWorld(browser: Browser, folder: string): Promise<Check[]> {
  const key = 'big world';
  const html = renderBigWorld(200, 50);
  const url = write(folder, key, html);
  const times: number[] = [];
  let pods = 0;
  for (let i = 0; i < attempts; i++) {
    const { page, close } = await open(browser, url, { viewport });
    times.push(await page.evaluate<number>(`performance.getEntriesByType('navigation')[0].loadEventEnd`));
    pods = await page.locator('#pods tr').count();
    await close();
  }
  console.log(`${key}: ${html.length} bytes, opened in ${times.map(Math.round).join(', ')} ms`);
  return [
    check(key, 'size', html.length < maxBytes, true),
    check(key, 'opens in time', Math.min(...times) < maxOpenMs, true),
    check(key, 'pods', pods >= 200, true),
  ];
}
