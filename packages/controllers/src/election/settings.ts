import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import { requireMilliseconds, requireName, requireText } from '../base/checks.ts';
import type { Drain } from './ownership.ts';

/** How long a lease holds, in milliseconds. */
export interface LeaseTimings {
  /** How long others wait, without having seen the lease change, before they take it for abandoned. By default 15,000. */
  readonly leaseDuration?: number;
  /** For how long its holder counts on it, from the start of its last renewal that succeeded. By default 10,000. */
  readonly renewDeadline?: number;
  /** How long to wait between one try and the next. By default 2,000. */
  readonly retryPeriod?: number;
}

/** What a replica is made of, whichever way it gets on with the others. */
export interface ReplicaOptions extends LeaseTimings {
  /** Should not share a rate limit with anything else: a renewal that waits for its turn is ownership lost. */
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Of the Leases. By default "kube-system". */
  readonly namespace?: string;
  /** What the replicas that get on with each other have in common. */
  readonly name: string;
  /** Who this is: no two processes may have the same. */
  readonly identity: string;
  /** Whether the Lease is given back at the end, so that nobody has to wait for it. By default it is. */
  readonly releaseOnExit?: boolean;
  /** Awaited at the end, when nothing is owned any more, before the Lease is given back: for work that is still under way. */
  readonly beforeRelease?: () => Promise<void>;
  /** How many milliseconds that may take. Where it takes longer, the Lease is left to run out. By default as renewDeadline. */
  readonly drainTimeout?: number;
}

/** The settings of a replica, checked, with their defaults; each call has half of the renewDeadline for its answer. */
export interface ReplicaSettings extends Required<LeaseTimings>, Drain {
  readonly namespace: string;
  readonly callTimeout: number;
}

/** @throws RangeError that names the option and what to do about it */
export function readReplica(options: ReplicaOptions): ReplicaSettings {
  const timings = readTimings(options);
  const { renewDeadline } = timings;
  const { namespace = 'kube-system', name, identity, beforeRelease, drainTimeout = renewDeadline } = options;
  requireText('identity', identity, 'which no other process has');
  requireName('name', name);
  requireName('namespace', namespace);
  requireMilliseconds('drainTimeout', drainTimeout, { above: -1 });
  return { ...timings, namespace, beforeRelease, drainTimeout, callTimeout: renewDeadline / 2 };
}

/** A try to acquire is followed by a wait of up to this many retry periods more; `JitterFactor` of tools/leaderelection. */
export const jitterFactor = 1.2;

/**
 * The timings with their defaults, held to the rules of `NewLeaderElector` (client-go 1.36, tools/leaderelection/leaderelection.go).
 * @throws RangeError that names the option and what to do about it
 */
export function readTimings(given: LeaseTimings): Required<LeaseTimings> {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = given;
  const timings = { leaseDuration, renewDeadline, retryPeriod };
  for (const [name, value] of Object.entries(timings)) requireMilliseconds(name, value, { above: 0 });
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
