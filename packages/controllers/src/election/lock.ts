import { apiVersionOf } from 'kube-endpoints/internal';
import { type ApiObject, type ClientPort, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { isStale, type Observation, observe } from './ownership.ts';
import { createMicroTimes, type LeaseRecord, noRecord, readRecord, specOf, type Writing } from './record.ts';

/** A Lease that one process holds at a time. Make only one call at a time; each API call has a timeout. */
export interface LeaseLock {
  /** Holder when the Lease was last read; undefined if it was free, or has not been read. */
  readonly holder: string | undefined;
  /** Identifies this process's holding of the Lease as last read; undefined if the process did not hold it. */
  readonly term: string | undefined;
  /** Whether this process holds the Lease, as opposed to another one with the same identity, or an earlier run of this one. */
  isOurs(lease: ApiObject): boolean;
  /** Renews the Lease if held; otherwise acquires it if it is free, or has not changed for its duration. Never rejects. */
  attempt(call: LockCall): Promise<Attempt>;
  /** Releases the Lease if held. Rejects if that fails. */
  release(annotations?: Texts): Promise<void>;
}

export interface LockOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDuration: number;
  /** Timeout of each API call in milliseconds. */
  readonly callTimeout: number;
  readonly labels?: Texts;
}

export interface LockCall {
  readonly signal?: AbortSignal;
  /** Time by `clock.elapsed()` at which API calls time out at the latest. */
  readonly until?: number;
  readonly annotations?: Texts;
}

/** `start`: start of the successful write, by `clock.elapsed()`. Others respect the Lease for its duration from then on. */
export type Attempt =
  | { readonly held: true; readonly start: number; readonly term: string }
  | { readonly held: false; readonly error?: unknown };

type Texts = Readonly<Record<string, string>>;

/** Mirrors `tryAcquireOrRenew` of tools/leaderelection/leaderelection.go and resourcelock/leaselock.go (client-go 1.36). */
export function createLeaseLock(options: LockOptions): LeaseLock {
  const lock: State = { options, time: createMicroTimes(options.clock, options.random), record: noRecord };
  return {
    get holder() {
      return lock.record.holder || undefined;
    },
    get term() {
      return isOurs(lock, lock.record) ? lock.term : undefined;
    },
    isOurs: (lease) => isOurs(lock, readRecord(lease)),
    attempt: (call) => attempt(lock, call),
    release: (annotations = {}) => release(lock, annotations),
  };
}

interface State {
  readonly options: LockOptions;
  readonly time: () => string;
  /** The Lease as last read or written; undefined if it had no resourceVersion. */
  lease?: ApiObject | undefined;
  record: LeaseRecord;
  seen?: Observation;
  /** acquireTime of the holding that this process has, or last tried to get. */
  term?: string | undefined;
}

async function attempt(lock: State, call: LockCall): Promise<Attempt> {
  const { clock } = lock.options;
  try {
    if (lock.lease && isOurs(lock, lock.record) && !isExpired(lock, clock.elapsed())) {
      try {
        return await renew(lock, lock.lease, call);
      } catch {
        // Another process may have written the Lease, or this one in a call whose answer was lost: read the Lease again.
      }
    }
    return await readLease(lock, call);
  } catch (error) {
    return { held: false, error };
  }
}

async function readLease(lock: State, call: LockCall): Promise<Attempt> {
  const { port, clock, namespace, name } = lock.options;
  const moment = clock.elapsed();
  try {
    recordLease(lock, await callApi(lock, call, (signal) => port.get(resources.leases, { namespace, name }, { signal })));
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    return isOurs(lock, lock.record) || isFree(lock, moment) ? create(lock, call) : { held: false };
  }
  const { lease } = lock;
  if (!lease) throw new Error(`the Lease ${namespace}/${name} has no resourceVersion, so its changes cannot be detected`);
  if (isOurs(lock, lock.record)) return renew(lock, lease, call);
  return isFree(lock, moment) ? take(lock, lease, call) : { held: false };
}

const renew = (lock: State, lease: ApiObject, call: LockCall): Promise<Attempt> =>
  update(lock, lease, call, { ...held(lock, lock.term), transitions: lock.record.transitions });

function take(lock: State, lease: ApiObject, call: LockCall): Promise<Attempt> {
  const writing = { ...held(lock), transitions: lock.record.transitions + 1 };
  lock.term = writing.acquired;
  return update(lock, lease, call, writing);
}

/** Creates the Lease as a new holding, even if this process held a deleted one: while it was missing, another process may have acted. */
function create(lock: State, call: LockCall): Promise<Attempt> {
  const { port, namespace, name } = lock.options;
  const writing = { ...held(lock), transitions: 0 };
  lock.term = writing.acquired;
  lock.record = noRecord;
  const lease = leaseOf(lock, { metadata: { namespace, name } }, call.annotations, writing);
  return written(lock, call, (signal) => port.create(resources.leases, lease, { signal }));
}

function update(lock: State, lease: ApiObject, call: LockCall, writing: Writing): Promise<Attempt> {
  const object = leaseOf(lock, lease, call.annotations, writing);
  return written(lock, call, (signal) => lock.options.port.update(resources.leases, object, { signal }));
}

async function written(lock: State, call: LockCall, write: (signal: AbortSignal) => Promise<ApiObject>): Promise<Attempt> {
  const start = lock.options.clock.elapsed();
  recordLease(lock, await callApi(lock, call, write));
  if (lock.term === undefined || !isOurs(lock, lock.record)) throw new Error('the API server changed what was written to the Lease');
  return { held: true, start, term: lock.term };
}

async function release(lock: State, annotations: Texts): Promise<void> {
  const { port, namespace, name } = lock.options;
  if (lock.term === undefined) return;
  const call: LockCall = {};
  for (let left = releaseTries; ; left--) {
    try {
      recordLease(lock, await callApi(lock, call, (signal) => port.get(resources.leases, { namespace, name }, { signal })));
      if (!lock.lease || !isOurs(lock, lock.record)) return;
      const now = lock.time();
      const writing = { holder: '', seconds: 1, acquired: now, renewed: now, transitions: lock.record.transitions };
      const object = leaseOf(lock, lock.lease, annotations, writing);
      recordLease(lock, await callApi(lock, call, (signal) => port.update(resources.leases, object, { signal })));
      return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      // A renewal that had no answer may have taken effect only now.
      if (!hasReason(error, 'Conflict') || left === 0) throw error;
    }
  }
}

const releaseTries = 3;

function callApi<T>({ options }: State, { signal, until }: LockCall, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { clock, callTimeout } = options;
  const left = until === undefined ? callTimeout : until - clock.elapsed();
  return callWithin({ clock, milliseconds: Math.max(0, Math.min(callTimeout, left)), signal }, call);
}

function recordLease(lock: State, answer: ApiObject): void {
  const record = readRecord(answer);
  lock.lease = answer?.metadata?.resourceVersion ? answer : undefined;
  lock.record = record;
  lock.seen = observe(lock.seen, record.text, lock.options.clock.elapsed());
}

const isOurs = (lock: State, { holder, acquired }: LeaseRecord): boolean =>
  lock.term !== undefined && acquired === lock.term && holder === lock.options.identity;

const isFree = (lock: State, moment: number): boolean => lock.record.holder === '' || isExpired(lock, moment);

/** Whether the Lease has expired. Without a valid duration in the Lease, this process's own leaseDuration applies. */
function isExpired({ record, seen, options }: State, moment: number): boolean {
  const duration = record.seconds === undefined ? options.leaseDuration : record.seconds * 1000;
  return seen !== undefined && isStale(seen, duration, moment);
}

function held({ options, time }: State, term?: string): Omit<Writing, 'transitions'> {
  const now = time();
  // Rounded up: others must wait at least as long as this process relies on the Lease.
  return { holder: options.identity, seconds: Math.ceil(options.leaseDuration / 1000), acquired: term ?? now, renewed: now };
}

function leaseOf({ options }: State, lease: ApiObject, annotations: Texts | undefined, writing: Writing): ApiObject {
  const { metadata } = lease;
  return {
    ...lease,
    apiVersion: apiVersionOf(resources.leases),
    kind: resources.leases.kind,
    metadata: {
      ...metadata,
      ...(options.labels && { labels: { ...metadata.labels, ...options.labels } }),
      ...(annotations && { annotations: { ...metadata.annotations, ...annotations } }),
    },
    spec: specOf(writing, lease),
  };
}
