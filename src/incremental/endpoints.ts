import { publishesNotReady } from '../spec/eligibility.ts';
import { mutateLabels } from '../spec/metadata.ts';
import {
  computeDesiredSubsets,
  type DesiredSubsets,
  type EndpointsState,
  observeEndpoints,
  type Plan,
  planEndpointsWith,
} from '../spec/plan.ts';
import { selectPods } from '../spec/select.ts';
import { type TrackedTrigger, type TriggerTimes, trackTriggerTime } from '../spec/trigger-time.ts';
import type { EndpointsInput, Pod, Service } from '../types/index.ts';
import { createEndpointsIndex, type EndpointsIndex } from './endpoints-index.ts';
import {
  defaultMinIndexedPods,
  dropIndex,
  fingerprintOf,
  isFeed,
  listPods,
  type PodFeed,
  type ReconcilerSettings,
  type ServiceMemory,
  storeIndex,
  takeTriggers,
  updateIndex,
} from './pods.ts';

export interface ReconcileInput {
  /** "namespace/name" of the Service, which is also that of its Endpoints. */
  readonly key: string;
  /** Undefined if the Service is deleted. */
  readonly service?: Service | undefined;
  /** A list, which may contain every pod of the cluster, or a feed. With a feed, the cost of a sync depends on the changed pods only. */
  readonly pods: readonly Pod[] | PodFeed;
  /** The Endpoints in the caller's cache; undefined if they do not exist. */
  readonly current?: EndpointsInput | undefined;
}

/** The part of a reconciler that manages Endpoints. */
export interface EndpointsReconciler {
  reconcile(input: ReconcileInput): Plan;
  observe(written: EndpointsInput): void;
  forget(key: string): void;
}

type Memory = ServiceMemory<EndpointsState, EndpointsIndex>;

/**
 * Creates a reconciler that plans the same as `planEndpoints`. For a Service on a feed with many pods, the cost of a sync depends on the
 * changed pods only.
 */
export function createEndpointsReconciler(settings: ReconcilerSettings): EndpointsReconciler {
  const memories = new Map<string, Memory>();
  const mutatedServices = new WeakMap<Service, Service>();
  return {
    reconcile({ key, service: cachedService, pods, current }) {
      const service = cachedService && (mutatedServices.get(cachedService) ?? cachedService);
      const memory: Memory = memories.get(key) ?? { state: {} };
      let hasReadPods = false;
      const { plan, state } = planEndpointsWith(service, current, memory.state, settings, (owner, triggers) => {
        hasReadPods = true;
        return isFeed(pods)
          ? computeDesiredFromFeed(memory, pods, owner, triggers, settings)
          : computeDesiredSubsets(owner, pods, takeTriggers(memory, triggers), settings);
      });
      if (hasReadPods) {
        memory.state = state;
        memories.set(key, memory);
      } else if (service) dropIndex(memory);
      else memories.delete(key);
      if (cachedService && service && plan.object) {
        const mutatedService = mutateLabels(service, settings.profile);
        if (mutatedService !== service) mutatedServices.set(cachedService, mutatedService);
      }
      return plan;
    },
    observe(written) {
      const memory = memories.get(`${written.metadata?.namespace ?? ''}/${written.metadata?.name ?? ''}`);
      if (memory) memory.state = observeEndpoints(memory.state, written, settings.profile);
    },
    forget(key) {
      memories.delete(key);
    },
  };
}

/** Computes the desired subsets of a Service whose pods come from a feed. */
function computeDesiredFromFeed(
  memory: Memory,
  feed: PodFeed,
  service: Service,
  previousTriggers: TriggerTimes | undefined,
  settings: ReconcilerSettings,
): DesiredSubsets {
  const { profile, minIndexedPods = defaultMinIndexedPods } = settings;
  const createFingerprint = (): string => `${publishesNotReady(service, profile)} ${fingerprintOf(service)}`;
  const trackedTrigger = memory.index && updateIndex(memory, feed, service, previousTriggers, createFingerprint());
  if (trackedTrigger && memory.index) return toDesiredSubsets(memory.index, trackedTrigger);
  const triggers = takeTriggers(memory, previousTriggers);
  const pods = listPods(feed);
  if (pods.length < minIndexedPods) return computeDesiredSubsets(service, pods, triggers, settings);
  const selectedPods = selectPods(service, pods);
  const tracked = trackTriggerTime(triggers, service, selectedPods);
  const index = createEndpointsIndex(service, settings);
  index.load(selectedPods, tracked.next);
  return toDesiredSubsets(index, storeIndex(memory, index, createFingerprint(), tracked));
}

const toDesiredSubsets = ({ subsets, matches }: EndpointsIndex, tracked: TrackedTrigger): DesiredSubsets => ({
  ...tracked,
  subsets,
  matches,
  cached: true,
});
