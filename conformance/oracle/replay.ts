import { createReconciler, type Reconciler, type ReconcilerOptions } from 'kube-endpoints';
import type { EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import { withPodFeeds } from '../../test/property/on-feed.ts';
import type { Case, Step, Write } from './case.ts';

/** The writes of one sync by the library. */
export interface StepResult {
  readonly writes: readonly Write[];
  /** Set if the sync must be retried. The upstream controller returns an error in this case. */
  readonly retry?: true;
}

/** Returns the library's writes for a case in a release: the first sync, then the steps. */
export const replay = (testCase: Case, version: string): StepResult[] => replayWith(createReconciler({ version }), testCase);

/** Like replay, but passes the pods as a feed, which also reports the pods changed since the last sync. */
export const replayWithPodFeed = (testCase: Case, options: ReconcilerOptions): StepResult[] =>
  replayWith(withPodFeeds(createReconciler({ minIndexedPods: 0, ...options })), testCase);

/** Like replay, with an existing reconciler that has no state of the Service. */
export function replayWith(reconciler: Reconciler, { service, pods, endpoints, steps = [] }: Case): StepResult[] {
  const key = `${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`;
  let state: State = { service: undefined, pods: [], current: undefined };
  let version = 1000;
  const firstStep: Step = { service, pods, ...(endpoints && { endpoints }) };
  return [firstStep, ...steps].map((step) => {
    state = advance(state, step);
    const { action, object } = reconciler.reconcile({ key, ...state });
    if (action === 'retry') return { writes: [], retry: true };
    if (!state.service) {
      state = { ...state, current: undefined };
      // the controller sends the deletion without checking whether the object exists
      return { writes: [{ verb: 'delete', name: key.slice(key.indexOf('/') + 1) }] };
    }
    if (action === 'none') return { writes: [] };
    if (!object || action === 'delete') throw new Error(`unexpected action ${action} in the plan for ${key}`);
    version += 1;
    const stored: EndpointsInput = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    reconciler.observe(stored);
    state = { ...state, current: stored };
    return { writes: [{ verb: action, object: withoutServerFields(object) }] };
  });
}

interface State {
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
  readonly current: EndpointsInput | undefined;
}

function advance(state: State, { service, serviceDeleted, pods, endpoints }: Step): State {
  return {
    service: serviceDeleted ? undefined : (service ?? state.service),
    pods: pods ?? state.pods,
    current: endpoints
      ? { ...endpoints, metadata: { ...endpoints.metadata, resourceVersion: endpoints.metadata?.resourceVersion || '1' } }
      : state.current,
  };
}

/** Returns the object as an oracle prints it: without apiVersion, kind, namespace, resourceVersion and creationTimestamp. */
function withoutServerFields(object: EndpointsInput): EndpointsInput {
  const { apiVersion, kind, ...plain } = structuredClone(object) as EndpointsInput & { apiVersion?: string; kind?: string };
  const { resourceVersion, creationTimestamp, namespace, ...metadata } = plain.metadata ?? {};
  return { ...plain, metadata };
}
