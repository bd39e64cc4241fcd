import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { isStale, type Observation, observe } from './ownership.ts';
import { createMicroTimeGenerator, createSpec, type LeaseRecord, type LeaseValues, noRecord, parseRecord } from './record.ts';
import type { ReplicaOptions, ReplicaSettings } from './settings.ts';

/** A Lease that one process holds at a time. Make only one call at a time; each API call has a timeout. */
export interface LeaseLock {
  /** Holder when the Lease was last read; undefined if it was free, or has not been read. */
  readonly holder: string | undefined;
  /** acquireTime of this process's term as leader; undefined if the process did not hold the Lease when last read. */
  readonly term: string | undefined;
  /**
   * Whether this process holds the Lease. False even for the same identity if the holder is another process, or an earlier run of this one.
   */
  isOurs(lease: ApiObject): boolean;
  /** Renews the Lease if this process holds it; otherwise acquires it if it is free or expired. Never rejects. */
  tryAcquireOrRenew(call: LockCall): Promise<AcquireResult>;
  /** Releases the Lease if this process holds it. Rejects if the release fails. */
  release(annotations?: StringMap): Promise<void>;
}

export interface LockOptions
  extends Pick<ReplicaOptions, 'port' | 'clock' | 'random' | 'name' | 'identity'>,
    Pick<ReplicaSettings, 'namespace' | 'leaseDuration' | 'callTimeout'> {
  readonly labels?: StringMap;
}

export interface LockCall {
  readonly signal?: AbortSignal;
  /** Time by `clock.elapsed()` at which API calls time out, if `callTimeout` has not ended them before. */
  readonly deadline?: number;
  readonly annotations?: StringMap;
}

/**
 * `start` is the time by `clock.elapsed()` when the successful write started. Other processes respect the Lease from then on for its
 * duration.
 */
export type AcquireResult =
  | { readonly held: true; readonly start: number; readonly term: string }
  | { readonly held: false; readonly error?: unknown };

type StringMap = Readonly<Record<string, string>>;

/** Mirrors `tryAcquireOrRenew` of tools/leaderelection/leaderelection.go and resourcelock/leaselock.go (client-go 1.36). */
export function createLeaseLock(options: LockOptions): LeaseLock {
  const lock: State = { options, nextMicroTime: createMicroTimeGenerator(options.clock, options.random), record: noRecord };
  return {
    get holder() {
      return lock.record.holder || undefined;
    },
    get term() {
      return isOurs(lock, lock.record) ? lock.term : undefined;
    },
    isOurs: (lease) => isOurs(lock, parseRecord(lease)),
    tryAcquireOrRenew: (call) => attempt(lock, call),
    release: (annotations = {}) => release(lock, annotations),
  };
}

interface State {
  readonly options: LockOptions;
  readonly nextMicroTime: () => string;
  /** The Lease as last read or written; undefined if it had no resourceVersion. */
  lease?: ApiObject | undefined;
  record: LeaseRecord;
  lastObservation?: Observation;
  /** acquireTime of this process's current term, or of the term that it last tried to start. */
  term?: string | undefined;
}

async function attempt(lock: State, call: LockCall): Promise<AcquireResult> {
  const { clock } = lock.options;
  try {
    if (lock.lease && isOurs(lock, lock.record) && !isExpired(lock, clock.elapsed())) {
      try {
        return await renew(lock, lock.lease, call);
      } catch {
        // Read the Lease again. Another process, or an earlier call of this one whose response was lost, may have changed it.
      }
    }
    return await readAndAcquire(lock, call);
  } catch (error) {
    return { held: false, error };
  }
}

async function readAndAcquire(lock: State, call: LockCall): Promise<AcquireResult> {
  const { port, clock, namespace, name } = lock.options;
  const start = clock.elapsed();
  try {
    recordLease(lock, await callApi(lock, call, (signal) => port.get(resources.leases, { namespace, name }, { signal })));
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    return isOurs(lock, lock.record) || isFree(lock, start) ? create(lock, call) : { held: false };
  }
  const { lease } = lock;
  if (!lease) throw new Error(`the Lease ${namespace}/${name} has no resourceVersion, so its changes cannot be detected`);
  if (isOurs(lock, lock.record)) return renew(lock, lease, call);
  return isFree(lock, start) ? takeOver(lock, lease, call) : { held: false };
}

const renew = (lock: State, lease: ApiObject, call: LockCall): Promise<AcquireResult> =>
  update(lock, lease, call, { ...holderFields(lock, lock.term), transitions: lock.record.transitions });

function takeOver(lock: State, lease: ApiObject, call: LockCall): Promise<AcquireResult> {
  const values = { ...holderFields(lock), transitions: lock.record.transitions + 1 };
  lock.term = values.acquireTime;
  return update(lock, lease, call, values);
}

/** Starts a new term even if this process held the deleted Lease: another process may have acted while it was missing. */
function create(lock: State, call: LockCall): Promise<AcquireResult> {
  const { port, namespace, name } = lock.options;
  const values = { ...holderFields(lock), transitions: 0 };
  lock.term = values.acquireTime;
  lock.record = noRecord;
  const lease = toLease(lock, { metadata: { namespace, name } }, call.annotations, values);
  return writeLease(lock, call, (signal) => port.create(resources.leases, lease, { signal }));
}

function update(lock: State, lease: ApiObject, call: LockCall, values: LeaseValues): Promise<AcquireResult> {
  const object = toLease(lock, lease, call.annotations, values);
  return writeLease(lock, call, (signal) => lock.options.port.update(resources.leases, object, { signal }));
}

async function writeLease(lock: State, call: LockCall, write: (signal: AbortSignal) => Promise<ApiObject>): Promise<AcquireResult> {
  const start = lock.options.clock.elapsed();
  recordLease(lock, await callApi(lock, call, write));
  if (lock.term === undefined || !isOurs(lock, lock.record)) throw new Error('the API server changed what was written to the Lease');
  return { held: true, start, term: lock.term };
}

async function release(lock: State, annotations: StringMap): Promise<void> {
  const { port, namespace, name } = lock.options;
  if (lock.term === undefined) return;
  for (let retriesLeft = maxReleaseRetries; ; retriesLeft--) {
    try {
      recordLease(lock, await callApi(lock, {}, (signal) => port.get(resources.leases, { namespace, name }, { signal })));
      if (!lock.lease || !isOurs(lock, lock.record)) return;
      const now = lock.nextMicroTime();
      const values = { holder: '', durationSeconds: 1, acquireTime: now, renewTime: now, transitions: lock.record.transitions };
      const object = toLease(lock, lock.lease, annotations, values);
      recordLease(lock, await callApi(lock, {}, (signal) => port.update(resources.leases, object, { signal })));
      return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      // The conflict may come from an earlier renewal of this process that took effect late.
      if (!hasReason(error, 'Conflict') || retriesLeft === 0) throw error;
    }
  }
}

const maxReleaseRetries = 3;

function callApi<T>({ options }: State, { signal, deadline }: LockCall, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { clock, callTimeout } = options;
  const remainingMs = deadline === undefined ? callTimeout : deadline - clock.elapsed();
  return callWithin({ clock, milliseconds: Math.max(0, Math.min(callTimeout, remainingMs)), signal }, call);
}

function recordLease(lock: State, answer: ApiObject): void {
  const record = parseRecord(answer);
  lock.lease = answer?.metadata?.resourceVersion ? answer : undefined;
  lock.record = record;
  lock.lastObservation = observe(lock.lastObservation, record.text, lock.options.clock.elapsed());
}

const isOurs = (lock: State, { holder, acquireTime }: LeaseRecord): boolean =>
  lock.term !== undefined && acquireTime === lock.term && holder === lock.options.identity;

const isFree = (lock: State, now: number): boolean => lock.record.holder === '' || isExpired(lock, now);

/** Whether the Lease has expired. Without a valid duration in the Lease, this process's own leaseDuration applies. */
function isExpired({ record, lastObservation, options }: State, now: number): boolean {
  const durationMs = record.durationSeconds === undefined ? options.leaseDuration : record.durationSeconds * 1000;
  return lastObservation !== undefined && isStale(lastObservation, durationMs, now);
}

function holderFields({ options, nextMicroTime }: State, term?: string): Omit<LeaseValues, 'transitions'> {
  const now = nextMicroTime();
  // Rounded up, because other processes must wait at least as long as this process relies on the Lease.
  return { holder: options.identity, durationSeconds: Math.ceil(options.leaseDuration / 1000), acquireTime: term ?? now, renewTime: now };
}

function toLease({ options }: State, lease: ApiObject, annotations: StringMap | undefined, values: LeaseValues): ApiObject {
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
    spec: createSpec(values, lease),
  };
}
