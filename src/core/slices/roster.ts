import type { AddressType, Node, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { readyCondition } from '../readiness.ts';
import { inNamespace, matcherOf } from '../select.ts';
import { addressTypesOf } from './address-types.ts';
import {
  byPod,
  createPodJudge,
  type DesiredState,
  inOrder,
  type MissingNode,
  type NodesByName,
  type PodOutcome,
  zoneLabel,
} from './desired.ts';
import type { Entry } from './entries.ts';
import { createGroup, type LastingGroup } from './group.ts';

/**
 * The pods of one Service and the endpoints they come to, kept from sync to sync, so that a sync judges those pods alone
 * that have changed.
 */
export interface Roster {
  /** Takes in the pods as they are now and tells which of them are selected. May be every pod there is. */
  update(pods: readonly Pod[]): readonly Pod[];
  /** What they come to, an address type each. */
  desired(): readonly DesiredState[];
  /** Whether the roster still stands on the same Service and nodes. */
  isFor(service: Service, nodes: NodesByName): boolean;
}

/** A selected pod as it was read. */
interface Member {
  readonly pod: Pod;
  readonly facts: Facts;
  /** One for each address type. */
  readonly places: readonly (Place | undefined)[];
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

interface Place {
  readonly group: CountedGroup;
  readonly entry: Entry | undefined;
  readonly missingNode: MissingNode | undefined;
}

/** A group with the number of its pods, with or without an endpoint: it is gone when there are none. */
interface CountedGroup {
  readonly group: LastingGroup;
  pods: number;
}

interface TypeState {
  readonly addressType: AddressType;
  readonly judge: (pod: Pod) => PodOutcome | undefined;
  readonly groups: Map<string, CountedGroup>;
  readonly missing: Set<MissingNode>;
}

/** Makes the roster of a Service over these nodes. */
export function createRoster(service: Service, nodes: NodesByName, profile: Profile): Roster {
  const standing = fingerprintOf(service);
  const zones = zonesOf(nodes);
  const namespace = service.metadata?.namespace;
  const matches = matcherOf(service.spec?.selector);
  const types: TypeState[] = addressTypesOf(service).map((addressType) => ({
    addressType,
    judge: createPodJudge(service, nodes, addressType, profile),
    groups: new Map(),
    missing: new Set(),
  }));
  let members: Member[] = [];
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
        } else if (inNamespace(pod, namespace) && matches(pod.metadata?.labels)) {
          members.push({ pod, facts: factsOf(pod), places: types.map((type) => enter(type, pod, profile)), seen: updates });
          selected.push(pod);
        }
      }
      for (const member of before) if (member.seen !== updates) leave(types, member);
      return selected;
    },
    desired: () =>
      types.map(({ addressType, groups, missing }) => {
        for (const { group } of groups.values()) group.begin();
        return { addressType, groups: inOrder([...groups.values()].map(({ group }) => group)), missingNodes: byPod(missing) };
      }),
    isFor: (now, nodesNow) => standing === fingerprintOf(now) && sameZones(zones, zonesOf(nodesNow)),
  };
}

/**
 * Where a pod stands among the members of the update before: at the cursor or a little behind it, if pods come in their
 * old order. The cursor where it is not found; then the pod is taken for a new one, which costs time and no more.
 */
function seek(members: readonly Member[], cursor: number, pod: Pod): number {
  for (let ahead = 0; ahead < lookahead; ahead++) if (members[cursor + ahead]?.pod === pod) return cursor + ahead;
  const name = pod.metadata?.name;
  return members[cursor]?.pod.metadata?.name === name && name ? cursor + 1 : cursor;
}

const lookahead = 4;

function enter({ addressType, judge, groups, missing }: TypeState, pod: Pod, profile: Profile): Place | undefined {
  const outcome = judge(pod);
  if (!outcome) return undefined;
  const { ports, endpoint, missingNode } = outcome;
  let group = groups.get(ports.key);
  if (!group) {
    group = { group: createGroup(ports, addressType, profile), pods: 0 };
    groups.set(ports.key, group);
  }
  group.pods++;
  if (missingNode) missing.add(missingNode);
  return { group, entry: endpoint && group.group.add(endpoint), missingNode };
}

function leave(types: readonly TypeState[], { places }: Member): void {
  for (const [i, { groups, missing }] of types.entries()) {
    const place = places[i];
    if (!place) continue;
    if (place.missingNode) missing.delete(place.missingNode);
    if (place.entry) place.group.group.remove(place.entry);
    place.group.pods--;
    if (place.group.pods === 0) groups.delete(place.group.group.key);
  }
}

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

/** All of a Service that the outcome of its pods depends on. */
const fingerprintOf = ({ metadata, spec }: Service): string => JSON.stringify([metadata?.name, metadata?.namespace, spec]);

/** What of nodes the outcome of pods depends on: which there are, and in which zones. */
const zonesOf = (nodes: NodesByName): ReadonlyMap<string, string> | undefined =>
  nodes && new Map([...nodes].map(([name, node]: [string, Node]) => [name, node.metadata?.labels?.[zoneLabel] ?? '']));

function sameZones(a: ReadonlyMap<string, string> | undefined, b: ReadonlyMap<string, string> | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.size !== b.size) return false;
  for (const [name, zone] of a) if (b.get(name) !== zone) return false;
  return true;
}
