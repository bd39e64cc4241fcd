import type { Browser } from 'playwright-core';
import type { Trace, TraceNote, TraceStage, TraceStep } from '../../../src/trace/trace.ts';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';
import { mapShown, remediesShown, stepsShown, suspiciousContent } from './probes.ts';

/** The page contains the whole trace, in order, in the list and on the map, and makes no requests. */
export async function checkContent(browser: Browser, key: string, url: string, trace: Trace): Promise<Check[]> {
  const { page, messages, close } = await open(browser, url, { viewport: { width: 1280, height: 900 } });
  try {
    const remedies = await page.evaluate<string[]>(remediesShown);
    return [
      check(key, 'heading', await page.locator('h1').textContent(), shown(trace.target)),
      check(key, 'verdict', (await page.locator('p.verdict').textContent())?.endsWith(` ${shown(trace.verdict)}`), true),
      check(key, 'steps', await page.evaluate(stepsShown), trace.steps.map(stepShown)),
      check(key, 'remedies', remedies, [...new Set(trace.steps.flatMap(notesOf).flatMap(({ remedy }) => remedy ?? []))].map(shown)),
      check(key, 'map', await page.evaluate(mapShown), trace.steps.map(mapEntryShown)),
      check(key, 'broken links, duplicate ids and active content', await page.evaluate(suspiciousContent), []),
      check(key, 'console messages, errors and requests', messages, []),
    ];
  } finally {
    await close();
  }
}

const stages: Readonly<Record<TraceStage, string>> = {
  name: 'Name',
  record: 'DNS record',
  service: 'Service',
  policy: 'Traffic policy',
  endpoints: 'Endpoints',
  pod: 'Pods',
  readiness: 'Readiness',
};
const badges: Readonly<Record<TraceStep['outcome'], string>> = { ok: 'OK', warning: 'Warning', error: 'Problem', skipped: 'Skipped' };

/** The text as displayed: invisible characters and those that change the text direction are replaced. */
function shown(text: string): string {
  return text.replace(/[\0\u202e\ud800]/g, '\ufffd');
}

function stepShown({ stage, title, outcome, notes, chosen, leftOut }: TraceStep, i: number): object {
  return {
    heading: `${i + 1}. ${stages[stage]} ${shown(title)}`,
    badge: badges[outcome],
    notes: notes.map(noteShown),
    chosen: chosen.map(({ label, notes }) => [shown(label), ...notes.map(noteShown)]),
    leftOut: leftOut.map(({ label, notes }) => [shown(label), ...notes.map(noteShown)]),
  };
}

function noteShown({ message, code, path, remedy }: TraceNote): string {
  const text = [message, code, ...(path === undefined ? [] : [path])].join(' ');
  return shown(remedy === undefined ? text : `${text}Fix: ${remedy}`);
}

function mapEntryShown({ stage, title, outcome, chosen, leftOut }: TraceStep, i: number): object {
  const counts = [...countShown(chosen, 'chosen'), ...countShown(leftOut, 'left out')].join(', ');
  const label = `Step ${i + 1}, ${stages[stage]}: ${shown(title)}. ${badges[outcome]}`;
  return { href: `#step-${i + 1}`, label: counts === '' ? label : `${label}. ${counts}` };
}

function countShown(items: readonly unknown[], what: string): string[] {
  return items.length === 0 ? [] : [`${items.length} ${what}`];
}

function notesOf({ notes, chosen, leftOut }: TraceStep): readonly TraceNote[] {
  return [...notes, ...[...chosen, ...leftOut].flatMap((item) => item.notes)];
}
