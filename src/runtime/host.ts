import type { ClientPort } from '../port/index.ts';
import { pause, systemClock } from './clock.ts';
import { type Controllers, type ControllersOptions, createControllers } from './controllers/index.ts';
import { createLeaderElection, type LeaseTimings, type Ownership } from './election/index.ts';
import { createSharding } from './sharding/index.ts';

/** How several replicas of one host get on with each other. */
export interface LeaseOptions extends LeaseTimings {
  /** Of the Leases. By default "kube-system". */
  readonly namespace?: string;
  /** By default "kube-endpoints". */
  readonly name?: string;
}

export interface HostOptions extends Omit<ControllersOptions, 'ownership'> {
  /** Who this replica is. Needed with `leaderElection` and `shards`; no two processes may have the same. */
  readonly identity?: string;
  /** One of the replicas works, the others wait, with full caches. */
  readonly leaderElection?: LeaseOptions;
  /** All of them work, each for Services of its own; `name` is that of their group. Not together with `leaderElection`. */
  readonly shards?: LeaseOptions;
  /** What Leases are read and written through, so that they need not wait for anything else; by default `port`. */
  readonly leasePort?: ClientPort;
  /** Milliseconds that the work under way is given at the end while this replica still owns it; 10,000 by default. */
  readonly drainTimeout?: number;
}

export interface Host extends Pick<Controllers, 'stats'> {
  /** Whether every cache is complete. A replica that follows is ready, too. */
  readonly ready: boolean;
  /** Whether nothing waits, is delayed, or is worked on. */
  readonly idle: boolean;
  /** Runs until the signal is aborted: then ends the work under way, gives up what it owns, and resolves. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The controllers as a program runs them: alone, or as one of several replicas.
 * @throws RangeError that names the option which is wrong
 */
export function createHost(options: HostOptions): Host {
  const { clock = systemClock, drainTimeout = 10_000 } = options;
  let work: Promise<void> | undefined;
  const membership = membershipOf(options, async () => work);
  const controllers = createControllers({ ...options, ...(membership && { ownership: membership.ownership }) });
  return {
    get ready() {
      return controllers.ready;
    },
    get idle() {
      return controllers.idle;
    },
    stats: () => controllers.stats(),
    async run(signal) {
      if (!membership) return controllers.run(signal);
      const stop = linkedTo(signal);
      const leave = new AbortController();
      const working = controllers.run(stop.signal);
      work = working.then(nothing, nothing);
      // Whichever of the two fails ends the other one.
      const member = membership.run(leave.signal).finally(() => stop.abort());
      const ended = working.finally(() => stop.abort());
      await aborted(stop.signal);
      await Promise.race([work, pause(clock, drainTimeout, leave.signal)]);
      leave.abort();
      await Promise.all([ended, member]);
    },
  };
}

interface Membership {
  readonly ownership: Ownership;
  run(signal: AbortSignal): Promise<void>;
}

function membershipOf(options: HostOptions, beforeRelease: () => Promise<void>): Membership | undefined {
  const { leaderElection, shards, identity, tell, clock = systemClock, random = Math.random } = options;
  const settings = leaderElection ?? shards;
  if (!settings) return undefined;
  if (leaderElection && shards) throw new RangeError('leaderElection and shards exclude each other: give one of them');
  if (!identity) throw new RangeError('identity is missing: give a text that no other process has');
  const common = {
    namespace: 'kube-system',
    name: 'kube-endpoints',
    ...settings,
    port: options.leasePort ?? options.port,
    identity,
    clock,
    random,
    beforeRelease,
    ...(tell && { tell }),
  };
  return leaderElection ? createLeaderElection(common) : createSharding(common);
}

const nothing = (): void => undefined;

/** Aborted with a signal, or before. */
function linkedTo(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else {
    signal.addEventListener('abort', abort, { once: true });
    controller.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort), { once: true });
  }
  return controller;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
