import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, Pod } from 'kube-endpoints/types';
import type { Change } from '../controller/controller.ts';
import type { Watches } from '../engine/watch.ts';
import type { NetworkContext } from './router.ts';

/** The readiness gates of pods that a load balancer's controller opens. */
export interface ReadinessGates {
  /** Watches that deliver the endpoints of pods that only wait for such a gate as ready ones: they become targets. */
  readonly watches: Watches;
  /** Sets the conditions of the gates of the pod at an address to True, unless they have been set. */
  open(address: string): void;
}

/** Those of aws-load-balancer-controller (docs/deploy/pod_readiness_gate.md) and controllers like it, and of GKE. */
const gatePattern = /^(target-health\.|cloud\.google\.com\/load-balancer-neg-ready$)/;

export function createReadinessGates({ clock, watches, answer }: NetworkContext): ReadinessGates {
  const actor = 'load-balancers';
  const pods = new Map<string, ApiObject>();
  return {
    watches: { watch: (...options) => watchPastGates(watches, pods, options) },
    open(address) {
      const pod = [...pods.values()].find(({ status }) => (status as Pod['status'])?.podIPs?.some(({ ip }) => ip === address));
      const types = pod ? findGates(pod).filter((type) => !hasCondition(pod, type)) : [];
      if (!pod || types.length === 0) return;
      const { namespace = '', name = '', uid } = pod.metadata;
      const patch = { metadata: { uid }, status: { conditions: types.map((type) => ({ type, status: 'True' })) } };
      clock.after({ name: 'request', actor }, () => {
        try {
          answer?.(actor, { do: 'patch', kind: 'Pod', namespace, name, type: 'strategic', patch, subresource: 'status' });
        } catch (error) {
          // The pod was deleted or replaced.
          if (!(error instanceof ApiError)) throw error;
        }
      });
    },
  };
}

/** @param pods receives the pods with gates, by UID */
function watchPastGates(
  watches: Watches,
  pods: Map<string, ApiObject>,
  [actor, kinds, onChange, isSelected]: Parameters<Watches['watch']>,
): ReturnType<Watches['watch']> {
  if (!kinds.includes('EndpointSlice')) return watches.watch(actor, kinds, onChange, isSelected);
  const slices = new Map<string | undefined, ApiObject>();
  const isWaiting = (uid: string | null | undefined): boolean => isReadyButForGates(pods.get(uid ?? ''));
  const deliver = ({ current, ...change }: Change): void =>
    onChange({ ...change, ...(current && { current: markReady(current, isWaiting) }) });
  const onPod = ({ previous, current }: Change): void => {
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    const wasWaiting = isWaiting(uid);
    if (current) pods.set(uid, current);
    else pods.delete(uid);
    if (isWaiting(uid) === wasWaiting) return;
    for (const slice of slices.values())
      if (endpointsOf(slice).some(({ targetRef }) => targetRef?.uid === uid))
        deliver({ kind: 'EndpointSlice', previous: slice, current: slice });
  };
  watches.watch(actor, ['Pod'], onPod, (pod) => findGates(pod).length > 0);
  const onSlice = (change: Change): void => {
    const { previous, current } = change;
    if (current) slices.set(current.metadata.uid, current);
    else slices.delete(previous?.metadata.uid);
    deliver(change);
  };
  return watches.watch(actor, kinds, onSlice, isSelected);
}

const endpointsOf = (slice: ApiObject): NonNullable<EndpointSliceInput['endpoints']> => (slice as EndpointSliceInput).endpoints ?? [];

const markReady = (slice: ApiObject, isWaiting: (uid: string | null | undefined) => boolean): ApiObject => ({
  ...slice,
  endpoints: endpointsOf(slice).map((endpoint) =>
    isWaiting(endpoint.targetRef?.uid) ? { ...endpoint, conditions: { ...endpoint.conditions, ready: true } } : endpoint,
  ),
});

const findGates = ({ spec }: ApiObject): string[] =>
  ((spec as Pod['spec'])?.readinessGates ?? []).flatMap(({ conditionType }) =>
    gatePattern.test(conditionType ?? '') ? [conditionType as string] : [],
  );

const hasCondition = ({ status }: ApiObject, type: string): boolean =>
  !!(status as Pod['status'])?.conditions?.some((each) => each.type === type && each.status === 'True');

const isReadyButForGates = (pod: ApiObject | undefined): boolean =>
  !!pod && !pod.metadata.deletionTimestamp && hasCondition(pod, 'ContainersReady');
