import { deepEqual } from '../../apimachinery/equal.ts';
import { readyCondition } from '../../spec/eligibility.ts';
import { createPodMatcher } from '../../spec/select.ts';
import type { Settings } from '../../spec/settings.ts';
import {
  addressTypesOf,
  createSlicePodEvaluator,
  type DesiredState,
  type MissingNode,
  type NodesByName,
  type PodOutcome,
  sortByPod,
  sortGroups,
} from '../../spec/slices/desired.ts';
import type { AddressType, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { type CachedPod, createPodIndex, type PodIndex } from '../pods.ts';
import type { Entry } from './entries.ts';
import { type CachedGroup, createCachedGroup } from './group.ts';

/**
 * The pods of one Service and their endpoints, kept between syncs, so that a sync evaluates only changed pods. For callers that
 * pass lists of pods.
 */
export interface PodListIndex {
  /** Replaces the pods and returns the selected ones. May be every pod of the cluster. */
  update(pods: readonly Pod[]): readonly Pod[];
  /** The desired state, one per address type. */
  listDesiredStates(): readonly DesiredState[];
}

/** The pods of one Service on a feed and their endpoints, kept between syncs. */
export interface PodFeedIndex extends PodIndex {
  listDesiredStates(): readonly DesiredState[];
}

/** Creates the pod index of a Service on a feed, for these nodes. */
export function createPodFeedIndex(service: Service, nodes: NodesByName, settings: Settings): PodFeedIndex {
  const memberships = createMemberships(service, nodes, settings);
  const podIndex = createPodIndex<FeedPod>(service, (previous, pod, time) => {
    const membership = memberships.replace(previous?.membership, pod);
    if (!membership && time === undefined) return undefined;
    if (!previous || previous.membership !== membership) return { time, membership };
    previous.time = time;
    return previous;
  });
  return { ...podIndex, listDesiredStates: memberships.listDesiredStates };
}

interface FeedPod extends CachedPod {
  time: string | undefined;
  readonly membership: Membership | undefined;
}

/** A selected pod with the fields that were read. */
interface ListedPod {
  readonly pod: Pod;
  readonly fields: PodFields;
  readonly membership: Membership | undefined;
  /** The number of the update that last contained the pod. */
  lastUpdate: number;
}

/** The fields of a pod that affect its outcome. Objects that callers do not modify in place are compared by identity. */
interface PodFields {
  readonly metadata: Pod['metadata'];
  readonly labels: unknown;
  readonly resourceVersion: unknown;
  readonly deletionTimestamp: unknown;
  readonly spec: Pod['spec'];
  readonly phase: unknown;
  readonly podIP: unknown;
  readonly podIPs: unknown;
  readonly ready: unknown;
}

/** Creates the pod index of a Service whose pods are lists, for these nodes. */
export function createPodListIndex(service: Service, nodes: NodesByName, settings: Settings): PodListIndex {
  const isSelected = createPodMatcher(service);
  const memberships = createMemberships(service, nodes, settings);
  let listedPods: ListedPod[] = [];
  let updateCount = 0;
  return {
    update(pods) {
      updateCount++;
      const previousPods = listedPods;
      const selectedPods: Pod[] = [];
      listedPods = [];
      let cursor = 0;
      for (const pod of pods) {
        cursor = findPod(previousPods, cursor, pod);
        const member = previousPods[cursor];
        if (member?.pod === pod && isUnchanged(member.fields, pod)) {
          member.lastUpdate = updateCount;
          listedPods.push(member);
          selectedPods.push(pod);
          cursor++;
        } else if (isSelected(pod)) {
          listedPods.push({ pod, fields: fieldsOf(pod), membership: memberships.replace(undefined, pod), lastUpdate: updateCount });
          selectedPods.push(pod);
        }
      }
      for (const member of previousPods) if (member.lastUpdate !== updateCount) memberships.replace(member.membership, undefined);
      return selectedPods;
    },
    listDesiredStates: memberships.listDesiredStates,
  };
}

/**
 * Finds a pod among the members of the previous update: at the cursor or a few steps ahead, if pods keep their order. Otherwise
 * returns a position without a match, and the pod is treated as new, which only costs time.
 */
function findPod(members: readonly ListedPod[], cursor: number, pod: Pod): number {
  for (let offset = 0; offset < maxLookahead; offset++) if (members[cursor + offset]?.pod === pod) return cursor + offset;
  const name = pod.metadata?.name;
  return members[cursor]?.pod.metadata?.name === name && name ? cursor + 1 : cursor;
}

const maxLookahead = 4;

const fieldsOf = (pod: Pod): PodFields => ({
  metadata: pod.metadata,
  labels: pod.metadata?.labels,
  resourceVersion: pod.metadata?.resourceVersion,
  deletionTimestamp: pod.metadata?.deletionTimestamp,
  spec: pod.spec,
  phase: pod.status?.phase,
  podIP: pod.status?.podIP,
  podIPs: pod.status?.podIPs,
  ready: readyCondition(pod)?.status,
});

const isUnchanged = (fields: PodFields, pod: Pod): boolean =>
  fields.metadata === pod.metadata &&
  fields.resourceVersion === pod.metadata?.resourceVersion &&
  fields.labels === pod.metadata?.labels &&
  fields.deletionTimestamp === pod.metadata?.deletionTimestamp &&
  fields.spec === pod.spec &&
  fields.phase === pod.status?.phase &&
  fields.podIP === pod.status?.podIP &&
  fields.podIPs === pod.status?.podIPs &&
  fields.ready === readyCondition(pod)?.status;

/** The memberships of a Service's pods in groups of endpoints, per address type and ports. */
export interface Memberships {
  /** Replaces the current membership of a pod, if any, by its new one. Returns the same object if nothing changed. */
  replace(current: Membership | undefined, pod: Pod | undefined): Membership | undefined;
  /** The desired state, one per address type. */
  listDesiredStates(): readonly DesiredState[];
}

/** The membership of a pod in a group of one address type. */
export interface Membership {
  readonly group: CountedGroup;
  readonly entry: Entry | undefined;
  readonly missingNode: MissingNode | undefined;
  /** The membership for the next address type. */
  readonly next: Membership | undefined;
}

/** A group with the number of its pods, including those without an endpoint. It is removed with its last pod. */
interface CountedGroup {
  readonly group: CachedGroup;
  readonly type: TypeState;
  podCount: number;
}

interface TypeState {
  readonly addressType: AddressType;
  readonly evaluate: (pod: Pod) => PodOutcome | undefined;
  readonly groups: Map<string, CountedGroup>;
  readonly missingNodes: Set<MissingNode>;
}

/** Creates the memberships of a Service without pods, for these nodes. */
export function createMemberships(service: Service, nodes: NodesByName, { profile, targetRef }: Settings): Memberships {
  const types: TypeState[] = addressTypesOf(service, profile).map((addressType) => ({
    addressType,
    evaluate: createSlicePodEvaluator(service, nodes, addressType, profile, targetRef),
    groups: new Map(),
    missingNodes: new Set(),
  }));
  const reversedTypes = types.toReversed();
  return {
    replace(current, pod) {
      let membership: Membership | undefined;
      for (const type of reversedTypes) {
        const previous = findMembership(type, current);
        const outcome = pod && type.evaluate(pod);
        if (previous && outcome && isCurrent(previous, outcome)) {
          membership = previous.next === membership ? previous : { ...previous, next: membership };
          continue;
        }
        if (outcome) membership = addMembership(type, outcome, membership, profile);
        if (previous) removeMembership(previous);
      }
      return membership;
    },
    listDesiredStates: () =>
      types.map(({ addressType, groups, missingNodes }) => {
        for (const { group } of groups.values()) group.beginSync();
        return { addressType, groups: sortGroups([...groups.values()].map(({ group }) => group)), missingNodes: sortByPod(missingNodes) };
      }),
  };
}

function findMembership(type: TypeState, current: Membership | undefined): Membership | undefined {
  for (let membership = current; membership; membership = membership.next) if (membership.group.type === type) return membership;
  return undefined;
}

const isCurrent = ({ group: { group }, entry, missingNode }: Membership, outcome: PodOutcome): boolean =>
  group.key === outcome.ports.key && deepEqual(entry?.endpoint, outcome.endpoint) && deepEqual(missingNode, outcome.missingNode);

function addMembership(
  type: TypeState,
  { ports, endpoint, missingNode }: PodOutcome,
  next: Membership | undefined,
  profile: Profile,
): Membership {
  let group = type.groups.get(ports.key);
  if (!group) {
    group = { group: createCachedGroup(ports, type.addressType, profile), type, podCount: 0 };
    type.groups.set(ports.key, group);
  }
  group.podCount++;
  if (missingNode) type.missingNodes.add(missingNode);
  return { group, entry: endpoint && group.group.add(endpoint), missingNode, next };
}

function removeMembership({ group: countedGroup, entry, missingNode }: Membership): void {
  const { group, type } = countedGroup;
  if (missingNode) type.missingNodes.delete(missingNode);
  if (entry) group.remove(entry);
  countedGroup.podCount--;
  if (countedGroup.podCount === 0) type.groups.delete(group.key);
}
