import { publishesNotReady } from '../spec/eligibility.ts';
import { type DesiredSubsets, desiredSubsets, type EndpointsState, observeEndpoints, type Plan, planDesired } from '../spec/plan.ts';
import { selectPods } from '../spec/select.ts';
import { type TrackedTrigger, type TriggerTimes, trackTriggerTime } from '../spec/trigger-time.ts';
import type { EndpointsInput, Pod, Service } from '../types/index.ts';
import { createEndpointsRoster, type EndpointsRoster } from './endpoints-roster.ts';
import {
  defaultRosterFrom,
  fingerprintOf,
  giveUpRoster,
  isFeed,
  keepRoster,
  listOf,
  type PodFeed,
  type ReconcilerSettings,
  type ServiceMemory,
  triggersWithoutRoster,
  updateRoster,
} from './pods.ts';

export interface ReconcileInput {
  /** "namespace/name" of the Service, which is also that of its Endpoints. */
  readonly key: string;
  /** Undefined if the Service is deleted. */
  readonly service?: Service | undefined;
  /** A list, which may be every pod of the cluster; or a feed, so that the cost of a sync depends on the changed pods only. */
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

type Memory = ServiceMemory<EndpointsState, EndpointsRoster>;

/** Plans the same as `planEndpoints`. For a Service on a feed with many pods, the cost of a sync depends on the changed pods only. */
export function createEndpointsReconciler(settings: ReconcilerSettings): EndpointsReconciler {
  const memories = new Map<string, Memory>();
  return {
    reconcile({ key, service, pods, current }) {
      const memory: Memory = memories.get(key) ?? { state: {} };
      let hasReadPods = false;
      const { plan, state } = planDesired(service, current, memory.state, settings, (owner, triggers) => {
        hasReadPods = true;
        return isFeed(pods)
          ? followFeed(memory, pods, owner, triggers, settings)
          : desiredSubsets(owner, pods, triggersWithoutRoster(memory, triggers), settings);
      });
      if (hasReadPods) {
        memory.state = state;
        memories.set(key, memory);
      } else if (service) giveUpRoster(memory);
      else memories.delete(key);
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

/** The stage of a Service on a feed. */
function followFeed(
  memory: Memory,
  feed: PodFeed,
  service: Service,
  before: TriggerTimes | undefined,
  settings: ReconcilerSettings,
): DesiredSubsets {
  const { profile, rosterFrom = defaultRosterFrom } = settings;
  const fingerprint = (): string => `${publishesNotReady(service, profile)} ${fingerprintOf(service)}`;
  const updated = memory.roster && updateRoster(memory, feed, service, before, fingerprint());
  if (updated && memory.roster) return desiredOf(memory.roster, updated);
  const triggers = triggersWithoutRoster(memory, before);
  const pods = listOf(feed);
  if (pods.length < rosterFrom) return desiredSubsets(service, pods, triggers, settings);
  const selected = selectPods(service, pods);
  const tracked = trackTriggerTime(triggers, service, selected);
  const roster = createEndpointsRoster(service, settings);
  roster.load(selected, tracked.next);
  return desiredOf(roster, keepRoster(memory, roster, fingerprint(), tracked));
}

const desiredOf = ({ subsets, areIn }: EndpointsRoster, tracked: TrackedTrigger): DesiredSubsets => ({
  ...tracked,
  subsets,
  areIn,
  kept: true,
});
