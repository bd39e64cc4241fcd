import type { Trace, TraceOutcome, TraceStage, TraceStep } from '../trace.ts';
import { type Markup, markup } from './markup.ts';

/** The display name of each stage. */
export const stageWords: Readonly<Record<TraceStage, string>> = {
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

export const stepWords: Readonly<Record<TraceStep['outcome'], string>> = {
  ok: 'OK',
  warning: 'Warning',
  error: 'Problem',
  unknown: 'Unknown',
  skipped: 'Skipped',
};

export const outcomeWords: Readonly<Record<TraceOutcome, string>> = {
  reached: 'Reached',
  degraded: 'Degraded',
  outside: 'Outside',
  unreachable: 'Unreachable',
};

/** The step outcome whose colours and sign a trace outcome uses. */
export const outcomeStyles: Readonly<Record<TraceOutcome, TraceStep['outcome']>> = {
  reached: 'ok',
  degraded: 'warning',
  outside: 'skipped',
  unreachable: 'error',
};

/** "from pod/frontend-1 on node n1"; empty if neither is known. */
export function formatOrigin({ from, node }: Trace): string {
  return [from === undefined ? [] : `from ${from}`, node === undefined ? [] : `on node ${node}`].flat().join(' ');
}

/** "2 chosen, 1 left out"; empty if there are no items. */
export function formatItemCounts({ chosen, leftOut }: TraceStep): string {
  const chosenCount = chosen.length === 0 ? [] : `${chosen.length} chosen`;
  return [chosenCount, leftOut.length === 0 ? [] : `${leftOut.length} left out`].flat().join(', ');
}

/** Joins messages into sentences, adding missing full stops. */
export function joinSentences(messages: readonly string[]): string {
  return messages.map((message) => (/[.!?…]$/.test(message) ? message : `${message}.`)).join(' ');
}

/** Whether traffic gets through each step: false from the first error on. */
export function findPassFlags(steps: readonly TraceStep[]): boolean[] {
  const end = steps.findIndex(({ outcome }) => outcome === 'error');
  return steps.map((_, i) => end < 0 || i < end);
}

type Outcome = TraceStep['outcome'];

/**
 * The sign of an outcome, centred at 0,0 within a radius of 13. The five shapes differ, so that they can be distinguished without colour.
 */
export function renderSign(outcome: Outcome): Markup {
  return markup`<g class="sign ${outcome}">${signShapes[outcome]}</g>`;
}

/** A sign as a standalone picture in HTML, next to text with the same meaning. */
export function renderStandaloneSign(outcome: Outcome): Markup {
  return markup`<svg class="sign-picture" viewBox="-14 -14 28 28" width="28" height="28" aria-hidden="true">${renderSign(outcome)}</svg>`;
}

const signShapes: Readonly<Record<Outcome, Markup>> = {
  ok: markup`<circle r="12"/><path class="stroke" d="M-5.5 .5 -1.5 4.5 6 -4"/>`,
  warning: markup`<path d="M0-12.5 12.5 10.5H-12.5Z"/><path class="stroke" d="M0-4.5V2M0 6v.2"/>`,
  error: markup`<path d="M-5-12H5L12-5V5L5 12H-5L-12 5V-5Z"/><path class="stroke" d="M-4.5-4.5 4.5 4.5M4.5-4.5-4.5 4.5"/>`,
  unknown: markup`<circle r="11"/><path class="stroke" d="M-3.5-3A3.5 3.5 0 1 1 0 1V3M0 6.5v.2"/>`,
  skipped: markup`<circle r="11"/><path class="stroke" d="M-4.5 0H4.5"/>`,
};
