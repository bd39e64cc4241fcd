import deepEqual from 'fast-deep-equal';
import type { Settings } from '../../spec/settings.ts';
import { addressTypesOf } from '../../spec/slices/address-types.ts';
import {
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
import type { Entry } from './entries.ts';
import { createGroup, type LastingGroup } from './group.ts';

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
    group = { group: createGroup(ports, of.addressType, profile), of, pods: 0 };
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
