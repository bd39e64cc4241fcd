import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { isStale, type Observation, observe } from '../election/ownership.ts';
import { parseRecord } from '../election/record.ts';
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
  /** Whether a sharding replica wrote the Lease, so that it may be deleted when it is abandoned. */
  readonly isReplica: boolean;
  readonly released: boolean;
  /** Duration of the Lease in milliseconds. */
  readonly duration: number;
  readonly observation: Observation;
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
 * Updates the other replicas from a list of Leases. If the Lease of a live replica disappears, the replica is kept as if its Lease had
 * changed, because it may not have noticed the deletion yet.
 */
export function updateNeighbours(previous: Neighbours, listing: LeaseListing): Neighbours {
  const neighbours = new Map<string, Neighbour>();
  for (const lease of listing.leases) {
    const name = lease.metadata?.name ?? '';
    neighbours.set(name, toNeighbour(lease, name, previous.get(name), listing));
  }
  for (const neighbour of previous.values()) {
    if (neighbours.has(neighbour.name) || !isAlive(neighbour, listing.start)) continue;
    neighbours.set(neighbour.name, {
      ...neighbour,
      isReplica: false,
      observation: observe(neighbour.observation, disappearedLease, listing.end),
    });
  }
  return neighbours;
}

/** Whether the replica may own keys at time `now`, which must not be later than the start of the last list. */
export const isAlive = ({ released, observation, duration }: Neighbour, now: number): boolean =>
  !released && !isStale(observation, duration, now);

function toNeighbour(lease: ApiObject, name: string, previous: Neighbour | undefined, { end, leaseDuration }: LeaseListing): Neighbour {
  const record = parseRecord(lease);
  const annotation = lease.metadata?.annotations?.[claimAnnotation];
  return {
    name,
    identity: record.holder,
    uid: lease.metadata?.uid,
    resourceVersion: lease.metadata?.resourceVersion,
    claim: readClaim(lease),
    isReplica: annotation !== undefined,
    released: record.holder === '',
    duration: Math.max(leaseDuration, (record.durationSeconds ?? 0) * 1000),
    observation: observe(previous?.observation, JSON.stringify([record.text, annotation]), end),
  };
}

const disappearedLease = 'disappeared';

/**
 * Returns the Leases to delete: those released at least one duration ago, or unchanged for three durations. A Lease that is acquired again
 * meanwhile has another resourceVersion, so its deletion fails. Leases that no sharding replica wrote are ignored.
 */
export const findAbandonedLeases = (neighbours: Neighbours, now: number): readonly Neighbour[] =>
  [...neighbours.values()].filter((each) => each.isReplica && isStale(each.observation, (each.released ? 1 : 3) * each.duration, now));

export async function removeLease(port: ClientPort, namespace: string, neighbour: Neighbour, signal: AbortSignal): Promise<void> {
  const { name, uid, resourceVersion } = neighbour;
  if (uid === undefined || resourceVersion === undefined) return;
  await port.delete(resources.leases, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
}
