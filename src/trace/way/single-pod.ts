import { nameOf, objectKey } from '../../apimachinery/index.ts';
import { explainReadiness } from '../../readiness/index.ts';
import { isPodReady } from '../../spec/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import { clause, item, note } from '../note.ts';
import { type Draft, draft, skipped } from '../step.ts';

/** The way to a pod by its own address: no Service is on it, and nobody looks whether the pod is ready. */
export function singlePod({ pod, address }: Extract<Destination, { kind: 'pod' }>, { version }: Cluster): Draft[] {
  const name = objectKey(pod);
  const phase = pod.status?.phase || 'Unknown';
  const own = item(`pod/${name}`, `${nameOf(pod)} ${address}`);
  const stopped = phase === 'Running' ? undefined : note('PodNotRunning', { pod: name, phase }, 'pod.status.phase');
  const causes = explainReadiness(pod, { version }).causes.map(({ code }) => code);
  const unready = isPodReady(pod)
    ? undefined
    : note('PodAskedUnready', { pod: name, causes: causes.join(', ') || 'for no known cause' }, 'pod.status.conditions[Ready].status');
  return [
    skipped('service', 'No Service', [note('PodOfAddress', { address, pod: name })]),
    skipped('policy', 'Rules of the node'),
    skipped('endpoints', 'Endpoints'),
    draft('pod', `Pod ${name}`, {
      outcome: stopped ? 'error' : 'ok',
      notes: stopped ? [stopped] : [],
      chosen: stopped ? [] : [own],
      leftOut: stopped ? [{ ...own, notes: [stopped] }] : [],
      blame: stopped && clause(stopped.message),
    }),
    draft('readiness', 'Readiness', {
      outcome: unready ? 'warning' : 'ok',
      notes: [unready ?? note('PodIsReady', { pod: name })],
      chosen: stopped ? [] : [own],
      blame: unready && clause(unready.message),
    }),
  ];
}
