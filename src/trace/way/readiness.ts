import type { ServiceExplanation } from '../../explain/index.ts';
import { explainReadiness } from '../../readiness/index.ts';
import type { Cluster } from '../cluster.ts';
import { clause, item, note } from '../note.ts';
import { type Draft, draft, skipped } from '../step.ts';
import type { TraceItem } from '../trace.ts';
import { idOfPod, notesOfPod } from './pods.ts';

/** The last step: what keeps pods from being ready. @param reached the pods that get traffic */
export function readinessStep(explained: ServiceExplanation, reached: readonly TraceItem[], cluster: Cluster): Draft {
  const { pods } = explained;
  const included = pods.filter((pod) => pod.included);
  if (included.length === 0) return skipped('readiness', 'Readiness');
  const notReady = included.filter(({ ready }) => !ready);
  const leftOut = notReady.map((pod): TraceItem => {
    const own = cluster.pod(pod.namespace, pod.name);
    const causes = own ? explainReadiness(own, { version: cluster.version }).causes.map(({ code }) => code) : [];
    return item(idOfPod(pod), pod.name, notesOfPod(pod, new Set<string>(causes.length > 0 ? causes : ['PodNotReady'])));
  });
  const [first] = leftOut;
  const cause = first?.notes[0];
  return draft('readiness', 'Readiness', {
    outcome: leftOut.length === 0 ? 'ok' : notReady.length === included.length ? 'error' : 'warning',
    notes: [leftOut.length === 0 ? note('AllReady') : note('SomeNotReady', { count: leftOut.length, all: included.length })],
    chosen: reached.map(({ id, label }) => item(id, label)),
    leftOut,
    blame: first && cause && (leftOut.length === 1 ? clause(cause.message) : `${first.label}: ${clause(cause.message)}`),
  });
}
