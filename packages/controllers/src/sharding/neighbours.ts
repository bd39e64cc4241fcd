import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { isStale, type Observation, observe } from '../election/ownership.ts';
import { readRecord } from '../election/record.ts';
import { type Claim, claimAnnotation, readClaim } from './ring.ts';

/** Another replica, as its Lease shows it. */
export interface Neighbour {
  /** Of its Lease. */
  readonly name: string;
  readonly identity: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** undefined: it cannot be told what it claims. */
  readonly claim: Claim | undefined;
  /** Whether a replica of this kind made it. */
  readonly isKin: boolean;
  readonly released: boolean;
  readonly duration: number;
  readonly seen: Observation;
}

export type Neighbours = ReadonlyMap<string, Neighbour>;

/** A list of Leases, and when it was asked for and answered, by `clock.elapsed()`. */
export interface Look {
  readonly leases: readonly ApiObject[];
  readonly start: number;
  readonly end: number;
  /** The least that a Lease is good for. */
  readonly leaseDuration: number;
}

/**
 * What is known of the others after a look. A Lease that was held when it was seen last and has disappeared is not gone: its holder may
 * not know yet, and is given as long as if its Lease had changed.
 */
export function lookAround(before: Neighbours, look: Look): Neighbours {
  const after = new Map<string, Neighbour>();
  for (const lease of look.leases) {
    const name = lease.metadata?.name ?? '';
    after.set(name, neighbourOf(lease, name, before.get(name), look));
  }
  for (const neighbour of before.values()) {
    if (after.has(neighbour.name) || !isAlive(neighbour, look.start)) continue;
    after.set(neighbour.name, { ...neighbour, isKin: false, seen: observe(neighbour.seen, disappeared, look.end) });
  }
  return after;
}

/** Whether it may own something at a moment; the moment must not be later than when the last look began. */
export const isAlive = ({ released, seen, duration }: Neighbour, moment: number): boolean => !released && !isStale(seen, duration, moment);

function neighbourOf(lease: ApiObject, name: string, before: Neighbour | undefined, { end, leaseDuration }: Look): Neighbour {
  const record = readRecord(lease);
  const annotation = lease.metadata?.annotations?.[claimAnnotation];
  return {
    name,
    identity: record.holder,
    uid: lease.metadata?.uid,
    resourceVersion: lease.metadata?.resourceVersion,
    claim: readClaim(lease),
    isKin: annotation !== undefined,
    released: record.holder === '',
    duration: Math.max(leaseDuration, (record.seconds ?? 0) * 1000),
    seen: observe(before?.seen, JSON.stringify([record.text, annotation]), end),
  };
}

const disappeared = 'disappeared';

/**
 * The Leases that nobody will hold any more: given back, or run out for twice their duration. One that is held again meanwhile has another
 * resourceVersion, and stays. What no replica of this kind made is left alone.
 */
export const leftovers = (neighbours: Neighbours, moment: number): readonly Neighbour[] =>
  [...neighbours.values()].filter((each) => each.isKin && isStale(each.seen, (each.released ? 1 : 3) * each.duration, moment));

export async function removeLease(port: ClientPort, namespace: string, neighbour: Neighbour, signal: AbortSignal): Promise<void> {
  const { name, uid, resourceVersion } = neighbour;
  if (uid === undefined || resourceVersion === undefined) return;
  await port.delete(resources.leases, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
}
