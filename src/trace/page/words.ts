import type { Trace, TraceOutcome, TraceStage, TraceStep } from '../trace.ts';

/** What a stage is called in a picture. */
export const stageWords: Readonly<Record<TraceStage, string>> = {
  name: 'Name',
  record: 'DNS record',
  service: 'Service',
  policy: 'Traffic policy',
  endpoints: 'Endpoints',
  pod: 'Pods',
  readiness: 'Readiness',
};

export const stepWords: Readonly<Record<TraceStep['outcome'], string>> = {
  ok: 'OK',
  warning: 'Warning',
  error: 'Problem',
  skipped: 'Skipped',
};

export const outcomeWords: Readonly<Record<TraceOutcome, string>> = {
  reached: 'Reached',
  degraded: 'Degraded',
  outside: 'Outside',
  unreachable: 'Unreachable',
};

/** A trace's outcome looks like a step's. */
export const outcomeLooks: Readonly<Record<TraceOutcome, TraceStep['outcome']>> = {
  reached: 'ok',
  degraded: 'warning',
  outside: 'skipped',
  unreachable: 'error',
};

/** "from pod/frontend-1 on node n1"; nothing where neither is known. */
export function startWords({ from, node }: Trace): string {
  return [from === undefined ? [] : `from ${from}`, node === undefined ? [] : `on node ${node}`].flat().join(' ');
}

/** "2 go on, 1 left out"; nothing where there are none. */
export function countWords({ chosen, leftOut }: TraceStep): string {
  const on = chosen.length === 0 ? [] : `${chosen.length} ${chosen.length === 1 ? 'goes' : 'go'} on`;
  return [on, leftOut.length === 0 ? [] : `${leftOut.length} left out`].flat().join(', ');
}

/** Messages as they are read out, one after the other: each ends as a sentence does. */
export function sentences(messages: readonly string[]): string {
  return messages.map((message) => (/[.!?…]$/.test(message) ? message : `${message}.`)).join(' ');
}

/** Whether traffic still comes through each step: from the first error on, it does not. */
export function passes(steps: readonly TraceStep[]): boolean[] {
  const end = steps.findIndex(({ outcome }) => outcome === 'error');
  return steps.map((_, i) => end < 0 || i < end);
}
