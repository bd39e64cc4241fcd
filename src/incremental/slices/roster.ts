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
 * The pods of one Service and the endpoints they come to, kept from sync to sync, so that a sync judges those pods alone
 * that have changed. This one is for a host that hands in lists.
 */
export interface ListRoster {
  /** Takes in the pods as they are now and tells which of them are selected. May be every pod there is. */
  update(pods: readonly Pod[]): readonly Pod[];
  /** What they come to, an address type each. */
  desired(): readonly DesiredState[];
}

/** The same for a Service that is on a feed. */
export interface FeedRoster extends Members {
  desired(): readonly DesiredState[];
}

/** Makes the roster of a Service that is on a feed, over these nodes. */
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

/** A selected pod as it was read. */
interface Listed {
  readonly pod: Pod;
  readonly facts: Facts;
  readonly place: Place | undefined;
  /** The update in which it was last there. */
  seen: number;
}

/** What of a pod changes its outcome. Parts that nobody changes in place are told by their identity. */
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

/** Makes the roster of a Service on lists, over these nodes. */
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
 * Where a pod stands among the members of the update before: at the cursor or a little behind it, if pods come in their
 * old order. The cursor where it is not found; then the pod is taken for a new one, which costs time and no more.
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

/** The places of a Service's pods: for each address type, in groups by ports. */
export interface PodPlaces {
  /** Moves a pod from the place that it has, if it has one, to the one that it is to have; it keeps one that is right. */
  move(from: Place | undefined, pod: Pod | undefined): Place | undefined;
  /** What the pods come to, an address type each. */
  desired(): readonly DesiredState[];
}

/** The place of a pod under one address type. */
export interface Place {
  readonly group: CountedGroup;
  readonly entry: Entry | undefined;
  readonly missingNode: MissingNode | undefined;
  /** That under the type which follows. */
  readonly next: Place | undefined;
}

/** A group with the number of its pods, with or without an endpoint: it is gone when there are none. */
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

/** Makes the places of a Service over these nodes. */
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
