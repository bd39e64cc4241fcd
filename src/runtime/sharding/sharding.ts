import { type ApiObject, type ClientPort, resources } from '../../port/index.ts';
import { pause, type RuntimeClock } from '../clock.ts';
import { callWithin } from '../election/deadline.ts';
import { type Drain, drain } from '../election/drain.ts';
import { type ChangeListeners, createChangeListeners } from '../election/listeners.ts';
import { createLeaseLock, type LeaseLock } from '../election/lock.ts';
import type { Ownership } from '../election/ownership.ts';
import { type LeaseTimings, readTimings, requireMilliseconds, requireName, requireText } from '../election/settings.ts';
import type { Tell } from '../happening.ts';
import { type Claim, claimAnnotation, claimOf, claimText, groupLabel } from './claim.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import { leaseNameOf } from './names.ts';
import { isAlive, lookAround, type Neighbours } from './neighbours.ts';
import { leftovers, removeLease } from './sweep.ts';

export interface ShardingOptions extends LeaseTimings {
  /** Should not share a rate limit with anything else: a renewal that waits for its turn is ownership lost. */
  readonly port: ClientPort;
  readonly clock: RuntimeClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Of the Leases. By default "kube-system". */
  readonly namespace?: string;
  /** Of the group: replicas of the same name share the Services among them. */
  readonly name: string;
  /** Who this is: no two processes may have the same. What it owns follows from it. */
  readonly identity: string;
  /** Whether the Lease is given back at the end, so that nobody has to wait for it. By default it is. */
  readonly releaseOnExit?: boolean;
  /** Awaited at the end, when nothing is owned any more, before the Lease is given back: for work that is still under way. */
  readonly beforeRelease?: () => Promise<void>;
  /** How many milliseconds that may take. Where it takes longer, the Lease is left to run out. By default as renewDeadline. */
  readonly drainTimeout?: number;
  readonly tell?: Tell;
}

/** One of several replicas that each do a part. */
export interface Sharding {
  /** Owns the keys ("namespace/name") that are this replica's part; no key is ever owned by two. */
  readonly ownership: Ownership;
  /** The replicas of the group that were there when this one last looked, itself included; sorted. */
  readonly members: readonly string[];
  /**
   * Takes part until the signal is aborted. Then it owns nothing at once, and the promise is resolved when its Lease has been given back, or
   * could not be. No failure of the API rejects it.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws RangeError that names the option which is wrong */
export function createSharding(options: ShardingOptions): Sharding {
  const replica = createReplica(options);
  return {
    ownership: { owns: replica.holdings.owns, onChange: replica.listeners.add },
    get members() {
      return replica.members;
    },
    run: (signal) => run(replica, signal),
  };
}

interface Replica extends Required<LeaseTimings>, Drain {
  readonly options: ShardingOptions;
  readonly namespace: string;
  readonly lock: LeaseLock;
  readonly holdings: Holdings;
  readonly listeners: ChangeListeners;
  running: boolean;
  /** Whether the others have been seen. */
  looked: boolean;
  neighbours: Neighbours;
  members: Claim;
  /** What `owns` answered by when the listeners were last called. */
  basis: string;
}

function createReplica(options: ShardingOptions): Replica {
  const timings = readTimings(options);
  const { port, clock, random, namespace = 'kube-system', name, identity, beforeRelease, drainTimeout = timings.renewDeadline } = options;
  const { leaseDuration, renewDeadline } = timings;
  requireText('identity', identity, 'which no other process has');
  requireName('name', name);
  if (name.length > longestLabel)
    throw new RangeError(`name is ${JSON.stringify(name)}: give a name of ${longestLabel} characters or fewer`);
  requireName('namespace', namespace);
  requireMilliseconds('drainTimeout', drainTimeout, { above: -1 });
  const own = {
    name: leaseNameOf(name, identity),
    identity,
    leaseDuration,
    callTimeout: renewDeadline / 2,
    labels: { [groupLabel]: name },
  };
  return {
    ...timings,
    options,
    namespace,
    beforeRelease,
    drainTimeout,
    lock: createLeaseLock({ port, clock, random, namespace, ...own }),
    holdings: createHoldings({ identity, renewDeadline, elapsed: clock.elapsed }),
    listeners: createChangeListeners(),
    running: false,
    looked: false,
    neighbours: new Map(),
    members: [],
    basis: '',
  };
}

const longestLabel = 63;

async function run(replica: Replica, signal: AbortSignal): Promise<void> {
  const { options, lock, holdings } = replica;
  if (replica.running) throw new Error('this replica is running already');
  if (signal.aborted) return;
  replica.running = true;
  const leave = (): void => {
    holdings.drop();
    notify(replica);
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    while (!signal.aborted) {
      await round(replica, signal);
      await pause(options.clock, replica.retryPeriod * (0.8 + 0.4 * options.random()), signal);
    }
    const obstacle = await drain(options.clock, replica);
    // Where it cannot be given back, it runs out.
    if (obstacle === undefined && (options.releaseOnExit ?? true)) await lock.release(annotationsOf([])).catch(() => undefined);
  } finally {
    signal.removeEventListener('abort', leave);
    holdings.drop();
    replica.running = false;
  }
}

/** Renews, claims what is to be claimed, and looks at the others; once more where that shows that something else is to be claimed. */
async function round(replica: Replica, signal: AbortSignal): Promise<void> {
  if (!replica.looked) await look(replica, signal);
  for (let left = 1; left >= 0 && replica.looked && !signal.aborted; left--) {
    const { members } = replica;
    const isWritten = await publish(replica, members, signal);
    const isSeen = await look(replica, signal);
    if (!isWritten || !isSeen || isSame(members, replica.members)) break;
  }
  await sweep(replica, signal);
}

async function publish(replica: Replica, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { holdings, lock } = replica;
  holdings.intend(claim);
  notify(replica);
  const { deadline } = holdings;
  const result = await lock.attempt({ signal, annotations: annotationsOf(claim), ...(deadline !== undefined && { until: deadline }) });
  if (signal.aborted) return false;
  if (result.held) holdings.confirm(result);
  notify(replica);
  return result.held;
}

async function look(replica: Replica, signal: AbortSignal): Promise<boolean> {
  const { options, lock, holdings, leaseDuration } = replica;
  const start = options.clock.elapsed();
  const leases = await list(replica, signal).catch(() => undefined);
  if (!leases || signal.aborted) return false;
  const own = leases.find(lock.isOurs);
  const others = leases.filter((lease) => lease !== own);
  const before = new Map(replica.neighbours);
  // What was a namesake's is this replica's now.
  if (own?.metadata.name) before.delete(own.metadata.name);
  const neighbours = lookAround(before, { leases: others, start, end: options.clock.elapsed(), leaseDuration });
  replica.neighbours = neighbours;
  replica.looked = true;
  holdings.look({ start, neighbours, shown: own && (own.metadata.annotations?.[claimAnnotation] ?? '') });
  meet(replica, start);
  notify(replica);
  return true;
}

/** All of one moment, and not from a cache: what was written before the call is in it. */
async function list({ options, namespace, renewDeadline }: Replica, signal: AbortSignal): Promise<readonly ApiObject[]> {
  const { port, clock, name } = options;
  const leases: ApiObject[] = [];
  let next: string | undefined;
  do {
    const page = { namespace, labelSelector: `${groupLabel}=${name}`, limit: pageSize, ...(next !== undefined && { continue: next }) };
    const answer = await callWithin(clock, renewDeadline / 2, signal, (within) => port.list(resources.leases, { ...page, signal: within }));
    leases.push(...answer.items.filter((item) => typeof item?.metadata === 'object' && item.metadata !== null));
    next = answer.metadata.continue;
  } while (next);
  return leases;
}

const pageSize = 500;

/** Who is there: those whose Leases live and are understood, and this replica. */
function meet(replica: Replica, moment: number): void {
  const { options, neighbours } = replica;
  const { identity, tell } = options;
  const others = [...neighbours.values()].filter((each) => each.claim !== undefined && isAlive(each, moment));
  const members = claimOf([identity, ...others.map((each) => each.identity)]);
  if (isSame(members, replica.members)) return;
  replica.members = members;
  tell?.({ kind: 'shards', identity, members });
}

/** One replica is enough to clear away what is left of others, one Lease at a time: renewals must not wait for it. */
async function sweep(replica: Replica, signal: AbortSignal): Promise<void> {
  const { options, members, namespace, neighbours, retryPeriod } = replica;
  const [neighbour] = leftovers(neighbours, options.clock.elapsed());
  if (!neighbour || signal.aborted || members[0] !== options.identity) return;
  const remove = (within: AbortSignal): Promise<void> => removeLease(options.port, namespace, neighbour, within);
  // What cannot be removed now is removed another time.
  await callWithin(options.clock, retryPeriod, signal, remove).catch(() => undefined);
}

function notify(replica: Replica): void {
  const { basis } = replica.holdings;
  if (basis === replica.basis) return;
  replica.basis = basis;
  replica.listeners.call();
}

const isSame = (a: Claim, b: Claim): boolean => claimText(a) === claimText(b);
const annotationsOf = (claim: Claim): Readonly<Record<string, string>> => ({ [claimAnnotation]: claimText(claim) });
