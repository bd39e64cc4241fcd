import { readyCondition } from '../../spec/readiness.ts';
import { isSelectedBy } from '../../spec/select.ts';
import type { Settings } from '../../spec/settings.ts';
import type { DesiredState, NodesByName } from '../../spec/slices/desired.ts';
import type { Pod, Service } from '../../types/index.ts';
import { createMembers, type Member, type Members } from '../members.ts';
import { createPodPlaces, type Place } from './places.ts';

/**
 * The pods of one Service and the endpoints they come to, kept from sync to sync, so that a sync judges those pods alone
 * that have changed. This one is for a host that hands in lists.
 */
export interface Roster {
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

/** Makes the roster of a Service over these nodes. */
export function createRoster(service: Service, nodes: NodesByName, settings: Settings): Roster {
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
