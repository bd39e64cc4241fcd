import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import { requireMilliseconds, requireName, requireText } from '../base/checks.ts';
import type { DrainOptions } from './ownership.ts';

/** Timings of a Lease in milliseconds. */
export interface LeaseTimings {
  /** Other replicas consider the Lease expired if it has not changed for this time; 15,000 by default. */
  readonly leaseDuration?: number;
  /** The holder relies on the Lease for this time after the start of its last successful renewal; 10,000 by default. */
  readonly renewDeadline?: number;
  /** Time between two attempts; 2,000 by default. */
  readonly retryPeriod?: number;
}

/** Options of a replica, for leader election and for sharding. */
export interface ReplicaOptions extends LeaseTimings {
  /** Reads and writes the Leases. Should not share a rate limit with other requests, because a throttled renewal loses ownership. */
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  /** Random number from 0 to less than 1. */
  readonly random: () => number;
  /** Namespace of the Leases; "kube-system" by default. */
  readonly namespace?: string;
  /** Name that all replicas share. */
  readonly name: string;
  /** Identity of this replica; must be unique among the processes. */
  readonly identity: string;
  /** Whether to release the Lease at the end, so that other replicas need not wait until it expires; true by default. */
  readonly releaseOnExit?: boolean;
  /** Awaited after this replica has stopped owning keys and before it releases the Lease, so that running work can end. */
  readonly beforeRelease?: () => Promise<void>;
  /** Timeout of `beforeRelease` in milliseconds; renewDeadline by default. After a timeout the Lease is not released but expires. */
  readonly drainTimeout?: number;
}

/** The validated settings of a replica with their defaults. The timeout of each API call is half of renewDeadline. */
export interface ReplicaSettings extends Required<LeaseTimings>, DrainOptions {
  readonly namespace: string;
  readonly callTimeout: number;
}

/** @throws RangeError that names the invalid option and the remedy */
export function resolveReplicaSettings(options: ReplicaOptions): ReplicaSettings {
  const timings = resolveTimings(options);
  const { renewDeadline } = timings;
  const { namespace = 'kube-system', name, identity, beforeRelease, drainTimeout = renewDeadline } = options;
  requireText('identity', identity, 'unique to this process');
  requireName('name', name);
  requireName('namespace', namespace);
  requireMilliseconds('drainTimeout', drainTimeout, { allowZero: true });
  return { ...timings, namespace, beforeRelease, drainTimeout, callTimeout: renewDeadline / 2 };
}

/** Maximum extension of the wait after a failed attempt to acquire, in retry periods. `JitterFactor` of tools/leaderelection. */
export const jitterFactor = 1.2;

/**
 * The timings with their defaults, validated by the rules of `NewLeaderElector` (client-go 1.36, tools/leaderelection/leaderelection.go).
 * @throws RangeError that names the invalid option and the remedy
 */
export function resolveTimings(options: LeaseTimings): Required<LeaseTimings> {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
  const timings = { leaseDuration, renewDeadline, retryPeriod };
  for (const [name, value] of Object.entries(timings)) requireMilliseconds(name, value);
  if (leaseDuration <= renewDeadline) {
    throw new RangeError(
      `leaseDuration is ${leaseDuration}: make it greater than renewDeadline (${renewDeadline}), so that a holder has stopped before others may take over`,
    );
  }
  if (renewDeadline <= jitterFactor * retryPeriod) {
    throw new RangeError(
      `renewDeadline is ${renewDeadline}: make it greater than ${jitterFactor} times retryPeriod (${retryPeriod}), so that there is time for a second try`,
    );
  }
  return timings;
}
