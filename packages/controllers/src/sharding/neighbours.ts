import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { isStale, type Observation, observe } from '../election/ownership.ts';
import { readRecord } from '../election/record.ts';
import { type Claim, claimAnnotation, readClaim } from './ring.ts';

/** Another replica, according to its Lease. */
export interface Neighbour {
  /** Name of its Lease. */
  readonly name: string;
  readonly identity: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** Undefined if the claim cannot be read. */
  readonly claim: Claim | undefined;
  /** Whether a replica of this kind wrote the Lease. */
  readonly isReplica: boolean;
  readonly released: boolean;
  readonly duration: number;
  readonly seen: Observation;
}

export type Neighbours = ReadonlyMap<string, Neighbour>;

/** A list of Leases, with the times of request and answer by `clock.elapsed()`. */
export interface LeaseListing {
  readonly leases: readonly ApiObject[];
  readonly start: number;
  readonly end: number;
  /** Minimum duration of a Lease in milliseconds. */
  readonly leaseDuration: number;
}

/**
 * Updates what is known of the other replicas. A Lease that was held and has disappeared still counts, as if it had changed: its holder may
 * not know of that yet.
 */
export function updateNeighbours(before: Neighbours, listing: LeaseListing): Neighbours {
  const after = new Map<string, Neighbour>();
  for (const lease of listing.leases) {
    const name = lease.metadata?.name ?? '';
    after.set(name, neighbourOf(lease, name, before.get(name), listing));
  }
  for (const neighbour of before.values()) {
    if (after.has(neighbour.name) || !isAlive(neighbour, listing.start)) continue;
    after.set(neighbour.name, { ...neighbour, isReplica: false, seen: observe(neighbour.seen, disappeared, listing.end) });
  }
  return after;
}

/** Whether the replica may own keys at `moment`, which must not be later than the start of the last list. */
export const isAlive = ({ released, seen, duration }: Neighbour, moment: number): boolean => !released && !isStale(seen, duration, moment);

function neighbourOf(lease: ApiObject, name: string, before: Neighbour | undefined, { end, leaseDuration }: LeaseListing): Neighbour {
  const record = readRecord(lease);
  const annotation = lease.metadata?.annotations?.[claimAnnotation];
  return {
    name,
    identity: record.holder,
    uid: lease.metadata?.uid,
    resourceVersion: lease.metadata?.resourceVersion,
    claim: readClaim(lease),
    isReplica: annotation !== undefined,
    released: record.holder === '',
    duration: Math.max(leaseDuration, (record.seconds ?? 0) * 1000),
    seen: observe(before?.seen, JSON.stringify([record.text, annotation]), end),
  };
}

const disappeared = 'disappeared';

/**
 * The Leases to delete: those released for one duration, or unchanged for three durations. A Lease that is held again meanwhile has another
 * resourceVersion, so it stays. Leases that no replica of this kind wrote are ignored.
 */
export const abandonedLeases = (neighbours: Neighbours, moment: number): readonly Neighbour[] =>
  [...neighbours.values()].filter((each) => each.isReplica && isStale(each.seen, (each.released ? 1 : 3) * each.duration, moment));

export async function removeLease(port: ClientPort, namespace: string, neighbour: Neighbour, signal: AbortSignal): Promise<void> {
  const { name, uid, resourceVersion } = neighbour;
  if (uid === undefined || resourceVersion === undefined) return;
  await port.delete(resources.leases, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
}
