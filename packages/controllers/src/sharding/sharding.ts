import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import { callWithin, pause } from '../base/time.ts';
import { createLeaseLock, type LeaseLock } from '../election/lock.ts';
import { type ChangeListeners, createChangeListeners, drain, type Ownership } from '../election/ownership.ts';
import { type ReplicaOptions, type ReplicaSettings, resolveReplicaSettings } from '../election/settings.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import { findAbandonedLeases, isAlive, type Neighbours, removeLease, updateNeighbours } from './neighbours.ts';
import { type Claim, claimAnnotation, formatClaim, groupLabel, leaseNameOf, toClaim } from './ring.ts';

/** `name` names the group whose replicas share the Services. Which Services a replica owns depends on its `identity`. */
export interface ShardingOptions extends ReplicaOptions {
  readonly onEvent?: (event: ShardsEvent) => void;
}

/** The replicas that share the Services have changed, or Leases cannot be written, listed or released. */
export interface ShardsEvent {
  readonly kind: 'shards';
  readonly identity: string;
  /** Empty if this replica owns no shard because its Lease does not exist yet, or was not renewed in time. */
  readonly members: readonly string[];
  /** Why Leases could not be written, listed or released. An event without it reports that the failure has ended. */
  readonly error?: unknown;
}

/** One of several replicas that each own a shard of the Services. */
export interface Sharding {
  /** The ownership of the keys ("namespace/name") in this replica's shard. A key never has two owners. */
  readonly ownership: Ownership;
  /** The sorted identities of the replicas in the group at the last list of Leases, including this one. */
  readonly members: readonly string[];
  /** True once this replica has owned a shard, for which it must have written its Lease and read the others. */
  readonly joined: boolean;
  /**
   * Owns a shard until the signal is aborted. From then on, the replica owns no keys. Resolves when the Lease is released, or the release
   * failed. API errors do not reject the promise.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws RangeError that names the invalid option */
export function createSharding(options: ShardingOptions): Sharding {
  const replica = createReplica(options);
  return {
    ownership: { owns: replica.holdings.owns, onChange: replica.listeners.add },
    get members() {
      return replica.members;
    },
    get joined() {
      return replica.joined;
    },
    run: (signal) => run(replica, signal),
  };
}

interface Replica extends ReplicaSettings {
  readonly options: ShardingOptions;
  readonly lock: LeaseLock;
  readonly holdings: Holdings;
  readonly listeners: ChangeListeners;
  running: boolean;
  /** Whether the Leases of the other replicas have been read. */
  hasListed: boolean;
  joined: boolean;
  neighbours: Neighbours;
  members: Claim;
  /** The value of `holdings.fingerprint` when the listeners were last called. */
  fingerprint: string;
  lastReported: string;
}

function createReplica(options: ShardingOptions): Replica {
  const settings = resolveReplicaSettings(options);
  const { clock, name, identity } = options;
  if (name.length > maxLabelLength)
    throw new RangeError(`name is ${JSON.stringify(name)}: give a name of ${maxLabelLength} characters or fewer`);
  return {
    ...settings,
    options,
    lock: createLeaseLock({ ...options, ...settings, name: leaseNameOf(name, identity), labels: { [groupLabel]: name } }),
    holdings: createHoldings({ identity, renewDeadline: settings.renewDeadline, elapsed: clock.elapsed }),
    listeners: createChangeListeners(),
    running: false,
    hasListed: false,
    joined: false,
    neighbours: new Map(),
    members: [],
    fingerprint: '',
    lastReported: '',
  };
}

const maxLabelLength = 63;

async function run(replica: Replica, signal: AbortSignal): Promise<void> {
  const { options, lock, holdings } = replica;
  if (replica.running) throw new Error('this replica is already running');
  if (signal.aborted) return;
  replica.running = true;
  const leave = (): void => {
    holdings.drop();
    notify(replica);
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    while (!signal.aborted) {
      await runRound(replica, signal);
      // The jitter is 20% in both directions.
      await pause(options.clock, replica.retryPeriod * (0.8 + 0.4 * options.random()), signal);
    }
    const drainError = await drain(options.clock, replica);
    // If the Lease cannot be released, it expires.
    if (drainError !== undefined) report(replica, drainError);
    else if (options.releaseOnExit ?? true) await lock.release(annotationsOf([])).catch((error: unknown) => report(replica, error));
  } finally {
    signal.removeEventListener('abort', leave);
    holdings.drop();
    replica.running = false;
  }
}

/** Renews the Lease with the current claim and reads the other Leases. Repeats both steps once if the other Leases change the claim. */
async function runRound(replica: Replica, signal: AbortSignal): Promise<void> {
  let failure = replica.hasListed ? undefined : await listNeighbours(replica, signal);
  for (let triesLeft = 1; triesLeft >= 0 && replica.hasListed && !signal.aborted; triesLeft--) {
    const { members } = replica;
    const publishFailure = await publish(replica, members, signal);
    const listFailure = await listNeighbours(replica, signal);
    failure = publishFailure ?? listFailure;
    if (failure || isSameClaim(members, replica.members)) break;
  }
  if (!signal.aborted) report(replica, failure?.error);
  await removeAbandonedLease(replica, signal);
}

/** The error of a step; undefined if it succeeded. */
type Failure = { readonly error: unknown } | undefined;

async function publish(replica: Replica, claim: Claim, signal: AbortSignal): Promise<Failure> {
  const { holdings, lock } = replica;
  holdings.intend(claim);
  notify(replica);
  const { deadline } = holdings;
  const result = await lock.tryAcquireOrRenew({
    signal,
    annotations: annotationsOf(claim),
    ...(deadline !== undefined && { deadline }),
  });
  if (signal.aborted) return { error: signal.reason };
  if (result.held) holdings.confirm(result);
  notify(replica);
  return result.held ? undefined : { error: result.error ?? new Error('another process with this identity holds the Lease') };
}

async function listNeighbours(replica: Replica, signal: AbortSignal): Promise<Failure> {
  const { options, lock, holdings, leaseDuration } = replica;
  const start = options.clock.elapsed();
  const answer = await listLeases(replica, signal).catch((error: unknown) => ({ error }));
  if ('error' in answer) return answer;
  if (signal.aborted) return { error: signal.reason };
  const ownLease = answer.find(lock.isOurs);
  const otherLeases = answer.filter((lease) => lease !== ownLease);
  const previousNeighbours = new Map(replica.neighbours);
  // An earlier list may have shown the Lease as held by another process with the same identity.
  if (ownLease?.metadata.name) previousNeighbours.delete(ownLease.metadata.name);
  const neighbours = updateNeighbours(previousNeighbours, { leases: otherLeases, start, end: options.clock.elapsed(), leaseDuration });
  replica.neighbours = neighbours;
  replica.hasListed = true;
  holdings.observe({ start, neighbours, shown: ownLease && (ownLease.metadata.annotations?.[claimAnnotation] ?? '') });
  updateMembers(replica, start);
  notify(replica);
  return undefined;
}

/** Lists the Leases from one snapshot, not from a server cache: the result contains all writes made before the call. */
async function listLeases({ options, namespace, callTimeout }: Replica, signal: AbortSignal): Promise<readonly ApiObject[]> {
  const { port, clock, name } = options;
  const leases: ApiObject[] = [];
  let continueToken: string | undefined;
  do {
    const page = {
      namespace,
      labelSelector: `${groupLabel}=${name}`,
      limit: pageSize,
      ...(continueToken !== undefined && { continue: continueToken }),
    };
    const deadline = { clock, milliseconds: callTimeout, signal };
    const answer = await callWithin(deadline, (callSignal) => port.list(resources.leases, { ...page, signal: callSignal }));
    leases.push(...answer.items.filter((item) => typeof item?.metadata === 'object' && item.metadata !== null));
    continueToken = answer.metadata.continue;
  } while (continueToken);
  return leases;
}

const pageSize = 500;

/** Updates the members: the replicas whose Leases are valid and readable, and this one. */
function updateMembers(replica: Replica, now: number): void {
  const { options, neighbours } = replica;
  const otherReplicas = [...neighbours.values()].filter((each) => each.claim !== undefined && isAlive(each, now));
  const members = toClaim([options.identity, ...otherReplicas.map((each) => each.identity)]);
  if (!isSameClaim(members, replica.members)) replica.members = members;
}

/** Reports the state after a round if it has changed. */
function report(replica: Replica, error?: unknown): void {
  const { options, holdings } = replica;
  const { identity, onEvent, clock } = options;
  const { deadline } = holdings;
  const members = deadline !== undefined && clock.elapsed() < deadline ? replica.members : [];
  // A conflict of two writes is not reported, because the next round resolves it.
  const reportedError = hasReason(error, 'Conflict', 'AlreadyExists') ? undefined : error;
  const state = JSON.stringify([members, reportedError === undefined ? '' : String(reportedError)]);
  if (state === replica.lastReported) return;
  replica.lastReported = state;
  onEvent?.({ kind: 'shards', identity, members, ...(reportedError !== undefined && { error: reportedError }) });
}

/** Deletes a Lease left by another replica. Only the first member deletes, one Lease per round, so that renewals are not delayed. */
async function removeAbandonedLease(replica: Replica, signal: AbortSignal): Promise<void> {
  const { options, members, namespace, neighbours, retryPeriod } = replica;
  const [neighbour] = findAbandonedLeases(neighbours, options.clock.elapsed());
  if (!neighbour || signal.aborted || members[0] !== options.identity) return;
  const remove = (callSignal: AbortSignal): Promise<void> => removeLease(options.port, namespace, neighbour, callSignal);
  // A failure is ignored: a later round tries again.
  await callWithin({ clock: options.clock, milliseconds: retryPeriod, signal }, remove).catch(() => undefined);
}

function notify(replica: Replica): void {
  const { fingerprint, deadline } = replica.holdings;
  replica.joined ||= deadline !== undefined;
  if (fingerprint === replica.fingerprint) return;
  replica.fingerprint = fingerprint;
  replica.listeners.notify();
}

const isSameClaim = (a: Claim, b: Claim): boolean => formatClaim(a) === formatClaim(b);
const annotationsOf = (claim: Claim): Readonly<Record<string, string>> => ({ [claimAnnotation]: formatClaim(claim) });
