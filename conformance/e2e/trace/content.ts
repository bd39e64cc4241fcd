import type { Browser } from 'playwright-core';
import type { Trace, TraceNote, TraceStage, TraceStep } from '../../../src/trace/trace.ts';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';
import { causeScript, mapScript, remediesScript, stepsScript, suspiciousContent } from './probes.ts';

/** Checks that the page contains the whole trace, in order, in the list and on the map, and makes no requests. */
export async function checkContent(browser: Browser, key: string, url: string, trace: Trace): Promise<Check[]> {
  const { page, messages, close } = await open(browser, url, { viewport: { width: 1280, height: 900 } });
  try {
    const remedies = await page.evaluate<string[]>(remediesScript);
    return [
      check(key, 'heading', await page.locator('h1').textContent(), displayText(trace.target)),
      check(
        key,
        'verdict',
        (await page.locator('p.verdict').textContent())?.endsWith(` ${displayText(trace.cause ? `${trace.headline}.` : trace.verdict)}`),
        true,
      ),
      check(key, 'root cause', await page.evaluate(causeScript), createExpectedCause(trace)),
      check(
        key,
        'steps',
        await page.evaluate(stepsScript),
        trace.steps.map((step, i) => createExpectedStep(step, i, trace)),
      ),
      check(key, 'remedies', remedies, trace.cause ? [] : remediesOf(trace.steps).map(displayText)),
      check(key, 'map', await page.evaluate(mapScript), trace.steps.map(createExpectedMapEntry)),
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
  route: 'Route',
  service: 'Service',
  policy: 'Traffic policy',
  endpoints: 'Endpoints',
  network: 'Network policies',
  pod: 'Pods',
  readiness: 'Readiness',
};
const badges: Readonly<Record<TraceStep['outcome'], string>> = {
  ok: 'OK',
  warning: 'Warning',
  error: 'Problem',
  unknown: 'Unknown',
  skipped: 'Skipped',
};

/** The text as displayed: invisible characters and those that change the text direction are replaced. */
function displayText(text: string): string {
  return text.replace(/[\0\u202e\ud800]/g, '\ufffd');
}

const remediesOf = (steps: readonly TraceStep[]): string[] => [...new Set(steps.flatMap(notesOf).flatMap(({ remedy }) => remedy ?? []))];

/** The cause with a link to its step, the evidence, the fix and its command. */
function createExpectedCause({ cause, steps }: Trace): string[] {
  if (!cause) return [];
  const { code, message, evidence, fix, stage } = cause;
  return [
    `${message} ${code} Step ${steps.findIndex((step) => step.stage === stage) + 1}`,
    ...evidence.map(({ object, path, value }) => `${object} ${path} ${value}`),
    ...(fix ? [fix.text] : []),
    ...(fix?.command === undefined ? [] : [fix.command]),
  ].map(displayText);
}

function createExpectedStep({ stage, title, outcome, notes, chosen, leftOut }: TraceStep, i: number, { cause }: Trace): object {
  return {
    heading: `${i + 1}. ${stages[stage]} ${displayText(title)}`,
    badge: stage === cause?.stage ? 'Root cause' : badges[outcome],
    notes: notes.map(createExpectedNote),
    chosen: chosen.map(({ label, notes }) => [displayText(label), ...notes.map(createExpectedNote)]),
    leftOut: leftOut.map(({ label, notes }) => [displayText(label), ...notes.map(createExpectedNote)]),
  };
}

function createExpectedNote({ message, code, path, remedy }: TraceNote): string {
  const text = [message, code, ...(path === undefined ? [] : [path])].join(' ');
  return displayText(remedy === undefined ? text : `${text}Fix: ${remedy}`);
}

function createExpectedMapEntry({ stage, title, outcome, chosen, leftOut }: TraceStep, i: number): object {
  const counts = [...formatCount(chosen, 'chosen'), ...formatCount(leftOut, 'left out')].join(', ');
  const label = `Step ${i + 1}, ${stages[stage]}: ${displayText(title)}. ${badges[outcome]}`;
  return { href: `#step-${i + 1}`, label: counts === '' ? label : `${label}. ${counts}` };
}

function formatCount(items: readonly unknown[], what: string): string[] {
  return items.length === 0 ? [] : [`${items.length} ${what}`];
}

function notesOf({ notes, chosen, leftOut }: TraceStep): readonly TraceNote[] {
  return [...notes, ...[...chosen, ...leftOut].flatMap((item) => item.notes)];
}
