import { deepEqual } from '../../apimachinery/equal.ts';
import { readyCondition } from '../../spec/eligibility.ts';
import { isSelectedBy } from '../../spec/select.ts';
import type { Settings } from '../../spec/settings.ts';
import {
  addressTypesOf,
  byPod,
  createPodJudge,
  type DesiredState,
  inOrder,
  type MissingNode,
  type NodesByName,
  type PodOutcome,
} from '../../spec/slices/desired.ts';
import type { AddressType, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createMembers, type Member, type Members } from '../pods.ts';
import type { Entry } from './entries.ts';
import { createLastingGroup, type LastingGroup } from './group.ts';

/**
 * The pods of one Service and their endpoints, kept between syncs, so that a sync evaluates only pods that changed. This variant
 * is for callers that pass lists.
 */
export interface ListRoster {
  /** Replaces the pods and returns the selected ones. May be every pod of the cluster. */
  update(pods: readonly Pod[]): readonly Pod[];
  /** The desired state, one per address type. */
  desired(): readonly DesiredState[];
}

/** The same for a Service on a feed. */
export interface FeedRoster extends Members {
  desired(): readonly DesiredState[];
}

/** Creates the roster of a Service on a feed, for these nodes. */
export function createFeedRoster(service: Service, nodes: NodesByName, settings: Settings): FeedRoster {
  const places = createPodPlaces(service, nodes, settings);
  const members = createMembers<Placed>(service, (before, pod, time) => {
    const place = places.move(before?.place, pod);
    if (!place && time === undefined) return undefined;
    if (!before || before.place !== place) return { time, place };
    before.time = time;
    return before;
  });
  return { ...members, desired: places.desired };
}

interface Placed extends Member {
  time: string | undefined;
  readonly place: Place | undefined;
}

/** A selected pod with the fields that were read. */
interface Listed {
  readonly pod: Pod;
  readonly facts: Facts;
  readonly place: Place | undefined;
  /** The number of the update that last contained it. */
  seen: number;
}

/** The fields of a pod that affect its outcome. Objects that callers do not modify in place are compared by identity. */
interface Facts {
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

/** Creates the roster of a Service whose pods are lists, for these nodes. */
export function createListRoster(service: Service, nodes: NodesByName, settings: Settings): ListRoster {
  const isSelected = isSelectedBy(service);
  const places = createPodPlaces(service, nodes, settings);
  let members: Listed[] = [];
  let updates = 0;
  return {
    update(pods) {
      updates++;
      const before = members;
      const selected: Pod[] = [];
      members = [];
      let cursor = 0;
      for (const pod of pods) {
        cursor = seek(before, cursor, pod);
        const known = before[cursor];
        if (known?.pod === pod && isUnchanged(known.facts, pod)) {
          known.seen = updates;
          members.push(known);
          selected.push(pod);
          cursor++;
        } else if (isSelected(pod)) {
          members.push({ pod, facts: factsOf(pod), place: places.move(undefined, pod), seen: updates });
          selected.push(pod);
        }
      }
      for (const member of before) if (member.seen !== updates) places.move(member.place, undefined);
      return selected;
    },
    desired: places.desired,
  };
}

/**
 * Finds a pod among the members of the previous update: at the cursor or a few steps ahead, if pods keep their order. Otherwise
 * returns a position without a match, and the pod is treated as new, which only costs time.
 */
function seek(members: readonly Listed[], cursor: number, pod: Pod): number {
  for (let ahead = 0; ahead < lookahead; ahead++) if (members[cursor + ahead]?.pod === pod) return cursor + ahead;
  const name = pod.metadata?.name;
  return members[cursor]?.pod.metadata?.name === name && name ? cursor + 1 : cursor;
}

const lookahead = 4;

const factsOf = (pod: Pod): Facts => ({
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

const isUnchanged = (facts: Facts, pod: Pod): boolean =>
  facts.metadata === pod.metadata &&
  facts.resourceVersion === pod.metadata?.resourceVersion &&
  facts.labels === pod.metadata?.labels &&
  facts.deletionTimestamp === pod.metadata?.deletionTimestamp &&
  facts.spec === pod.spec &&
  facts.phase === pod.status?.phase &&
  facts.podIP === pod.status?.podIP &&
  facts.podIPs === pod.status?.podIPs &&
  facts.ready === readyCondition(pod)?.status;

/** The places of a Service's pods: per address type, in groups by ports. */
export interface PodPlaces {
  /** Moves a pod from its current place, if any, to its new one. Returns the same place if nothing changed. */
  move(from: Place | undefined, pod: Pod | undefined): Place | undefined;
  /** The desired state, one per address type. */
  desired(): readonly DesiredState[];
}

/** The place of a pod for one address type. */
export interface Place {
  readonly group: CountedGroup;
  readonly entry: Entry | undefined;
  readonly missingNode: MissingNode | undefined;
  /** The place for the next address type. */
  readonly next: Place | undefined;
}

/** A group with the number of its pods, including those without an endpoint. It is removed with its last pod. */
interface CountedGroup {
  readonly group: LastingGroup;
  readonly of: TypeState;
  pods: number;
}

interface TypeState {
  readonly addressType: AddressType;
  readonly judge: (pod: Pod) => PodOutcome | undefined;
  readonly groups: Map<string, CountedGroup>;
  readonly missing: Set<MissingNode>;
}

/** Creates the places of a Service, for these nodes. */
export function createPodPlaces(service: Service, nodes: NodesByName, { profile, targetRef }: Settings): PodPlaces {
  const types: TypeState[] = addressTypesOf(service).map((addressType) => ({
    addressType,
    judge: createPodJudge(service, nodes, addressType, profile, targetRef),
    groups: new Map(),
    missing: new Set(),
  }));
  const lastFirst = types.toReversed();
  return {
    move(from, pod) {
      let place: Place | undefined;
      for (const type of lastFirst) {
        const old = placeUnder(type, from);
        const outcome = pod && type.judge(pod);
        if (old && outcome && isRight(old, outcome)) {
          place = old.next === place ? old : { ...old, next: place };
          continue;
        }
        if (outcome) place = enter(type, outcome, place, profile);
        if (old) leave(old);
      }
      return place;
    },
    desired: () =>
      types.map(({ addressType, groups, missing }) => {
        for (const { group } of groups.values()) group.begin();
        return { addressType, groups: inOrder([...groups.values()].map(({ group }) => group)), missingNodes: byPod(missing) };
      }),
  };
}

function placeUnder(type: TypeState, from: Place | undefined): Place | undefined {
  for (let place = from; place; place = place.next) if (place.group.of === type) return place;
  return undefined;
}

const isRight = ({ group: { group }, entry, missingNode }: Place, outcome: PodOutcome): boolean =>
  group.key === outcome.ports.key && deepEqual(entry?.endpoint, outcome.endpoint) && deepEqual(missingNode, outcome.missingNode);

function enter(of: TypeState, { ports, endpoint, missingNode }: PodOutcome, next: Place | undefined, profile: Profile): Place {
  let group = of.groups.get(ports.key);
  if (!group) {
    group = { group: createLastingGroup(ports, of.addressType, profile), of, pods: 0 };
    of.groups.set(ports.key, group);
  }
  group.pods++;
  if (missingNode) of.missing.add(missingNode);
  return { group, entry: endpoint && group.group.add(endpoint), missingNode, next };
}

function leave({ group: counted, entry, missingNode }: Place): void {
  const { group, of } = counted;
  if (missingNode) of.missing.delete(missingNode);
  if (entry) group.remove(entry);
  counted.pods--;
  if (counted.pods === 0) of.groups.delete(group.key);
}
