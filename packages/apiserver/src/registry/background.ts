import { type ApiObject, hasReason, type ObjectKey, resources } from 'kube-endpoints/port';
import { type Clock, createAlarm, earliestTime, type StoreWrite, systemClock } from '../store/index.ts';
import { type BootstrapOptions, bootstrap, isBootstrapObject } from './bootstrap.ts';
import { createGarbageDetector } from './garbage-detector.ts';
import { isBeingDeleted } from './metadata.ts';
import { specFinalizersOf } from './namespaces.ts';
import type { Registry } from './registry.ts';
import { aggregateClusterRoles, isClusterRoleWrite } from './role-aggregation.ts';

export interface BackgroundOptions {
  readonly registry: Registry;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** True (the default) runs work as it becomes due; false runs it only in `settle`. */
  readonly automatic?: boolean;
  /** Removes pods that are bound to a node when their grace period ends, as a kubelet would. Default false. */
  readonly endsPods?: boolean;
  /** Recreates bootstrap objects if they are deleted. By default they are not recreated. */
  readonly bootstrap?: BootstrapOptions;
  /** Called with the error of an operation that failed and will be retried. */
  readonly onError?: (error: unknown) => void;
}

/** Background work of a control plane: garbage collection, namespace deletion, aggregated ClusterRoles and the removal of terminating pods. */
export interface BackgroundTasks {
  /** Runs all pending work, including follow-up work. Work that waits for another client or a later time stays pending. */
  settle(): Promise<void>;
  /** Stops background work; a run in progress completes. */
  close(): void;
}

/** Milliseconds in which further writes are batched into one run. */
const batchDelayMs = 50;
/** Milliseconds before waiting or refused work is retried. */
const retryDelayMs = 8000;

/** Creates background work that is triggered by writes. For a write that causes no work, it only inspects the metadata. */
export function createBackgroundTasks({ registry, clock = systemClock, automatic = true, ...options }: BackgroundOptions): BackgroundTasks {
  const pendingWork = createPendingWork(registry, clock, options);
  let currentRun: Promise<void> | undefined;
  const run = (): Promise<void> => {
    currentRun ??= pendingWork.runAll().finally(() => {
      currentRun = undefined;
      schedule();
    });
    return currentRun;
  };
  const alarm = createAlarm(clock, () => void run());
  const schedule = (): void => {
    const dueAt = automatic && !currentRun ? pendingWork.dueAt() : undefined;
    if (dueAt !== undefined) alarm.set(dueAt);
  };
  const stopObserving = registry.store.observe((write) => {
    if (pendingWork.record(write)) schedule();
  });
  schedule();
  return {
    async settle() {
      await currentRun;
      pendingWork.markAllPending();
      await run();
    },
    close() {
      stopObserving();
      alarm.cancel();
    },
  };
}

interface PendingWork {
  /** Records the work that a write causes. True if work may be pending, so that a run must be scheduled. */
  record(write: StoreWrite): boolean;
  markAllPending(): void;
  /** When the next work is due, in milliseconds since the epoch; undefined if no work is pending. */
  dueAt(): number | undefined;
  /** Runs until no work is pending. Never rejects. */
  runAll(): Promise<void>;
}

type Options = Pick<BackgroundOptions, 'bootstrap' | 'endsPods' | 'onError'>;

function createPendingWork(
  registry: Registry,
  clock: Clock,
  { bootstrap: bootstrapOptions, endsPods = false, onError }: Options,
): PendingWork {
  const garbageDetector = createGarbageDetector(registry);
  const pods: TerminatingPods | undefined = endsPods ? createTerminatingPods(registry, clock) : undefined;
  const terminatingNames = new Set<string>();
  /** `allGarbage` collects garbage even if the detector found none. */
  const isDue = { garbage: false, allGarbage: false, namespaces: false, roles: false, bootstrap: false };
  let pendingSince: number | undefined;
  let retryAt: number | undefined;
  const hasPending = (): boolean => isDue.garbage || isDue.namespaces || isDue.roles || isDue.bootstrap;
  const scheduleRetry = (error?: unknown): void => {
    retryAt = clock.now() + retryDelayMs;
    if (error !== undefined) onError?.(error);
  };
  const record = (write: StoreWrite): boolean => {
    if (garbageDetector.record(write)) isDue.garbage = true;
    if (trackNamespace(terminatingNames, write)) isDue.namespaces = true;
    if (isClusterRoleWrite(write)) isDue.roles = true;
    if (bootstrapOptions && !write.current && write.previous && isBootstrapObject(write.resource, write.previous)) isDue.bootstrap = true;
    pods?.record(write);
    if (hasPending()) pendingSince ??= clock.now();
    return hasPending() || pods !== undefined;
  };
  const runPendingWork = async (): Promise<void> => {
    const { garbage, allGarbage, namespaces, roles, bootstrap: needsBootstrap } = isDue;
    Object.assign(isDue, { garbage: false, allGarbage: false, namespaces: false, roles: false, bootstrap: false });
    if (garbage && (garbageDetector.takePending() || allGarbage)) await registry.collectGarbage(scheduleRetry);
    if (namespaces) await registry.finalizeNamespaces();
    if (roles) await aggregateClusterRoles(registry, scheduleRetry);
    if (needsBootstrap) await bootstrap(registry, bootstrapOptions);
    await pods?.deleteExpired(scheduleRetry);
  };
  recordStoredObjects(registry, record);
  return {
    record,
    markAllPending: () => void Object.assign(isDue, { ...allDue, bootstrap: bootstrapOptions !== undefined }),
    dueAt: () => earliestTime(pendingSince === undefined ? undefined : pendingSince + batchDelayMs, retryAt, pods?.dueAt()),
    async runAll() {
      if (retryAt !== undefined && retryAt <= clock.now()) Object.assign(isDue, allDue);
      retryAt = undefined;
      try {
        do {
          pendingSince = undefined;
          await runPendingWork();
        } while (hasPending());
      } catch (error) {
        scheduleRetry(error);
      }
      if (terminatingNames.size > 0) scheduleRetry();
    },
  };
}

const allDue = { garbage: true, allGarbage: true, namespaces: true, roles: true };

/**
 * Tracks terminating namespaces. Returns true if a namespace starts terminating, or an object in a terminating namespace was removed or its finalizers
 * changed.
 */
function trackNamespace(terminatingNames: Set<string>, { resource: { group, plural }, current, previous }: StoreWrite): boolean {
  const { metadata } = (current ?? previous) as ApiObject;
  if (group === '' && plural === resources.namespaces.plural) {
    const { name = '' } = metadata;
    const isNew = !terminatingNames.has(name);
    if (current && isBeingDeleted(current) && specFinalizersOf(current).length > 0) terminatingNames.add(name);
    else terminatingNames.delete(name);
    return isNew && terminatingNames.has(name);
  }
  if (terminatingNames.size === 0 || metadata.namespace === undefined || !terminatingNames.has(metadata.namespace)) return false;
  return !current || current.metadata.finalizers !== previous?.metadata.finalizers;
}

/** Records existing objects as if they had just been written. */
function recordStoredObjects({ resources: servedResources, strategyFor, store }: Registry, record: (write: StoreWrite) => void): void {
  for (const resource of servedResources) {
    if (strategyFor(resource).storedAs) continue;
    for (const current of store.list(resource).items) record({ resource, current, previous: undefined });
  }
}

/** Pods in their grace period. */
export interface TerminatingPods {
  record(write: StoreWrite): void;
  /** Lower bound of the next end of a grace period, in milliseconds since the epoch; undefined if no pod is terminating. */
  dueAt(): number | undefined;
  /** Deletes pods whose grace period has ended, as a kubelet does after stopping them. */
  deleteExpired(onError: (error: unknown) => void): Promise<void>;
}

interface TerminatingPod {
  readonly key: ObjectKey;
  readonly nodeName: string;
  /** The end of the grace period, in milliseconds since the epoch. */
  readonly deadline: number;
}

export function createTerminatingPods(registry: Pick<Registry, 'delete'>, clock: Pick<Clock, 'now'>): TerminatingPods {
  const pods = new Map<string, TerminatingPod>();
  let earliestDeadline: number | undefined;
  return {
    record({ resource: { group, plural }, current, previous }) {
      if (plural !== resources.pods.plural || group !== '') return;
      const { metadata, spec } = current ?? previous ?? { metadata: {} };
      const { uid = '', namespace = '', name = '', deletionTimestamp } = metadata;
      if (!current || deletionTimestamp === undefined) {
        pods.delete(uid);
        return;
      }
      const { nodeName = '' } = (spec ?? {}) as { readonly nodeName?: string };
      const deadline = Date.parse(deletionTimestamp);
      pods.set(uid, { key: { namespace, name }, nodeName, deadline });
      earliestDeadline = earliestDeadline === undefined ? deadline : Math.min(earliestDeadline, deadline);
    },
    dueAt: () => (pods.size === 0 ? undefined : earliestDeadline),
    async deleteExpired(onError) {
      const now = clock.now();
      for (const [uid, { key, nodeName }] of [...pods].filter((each) => each[1].deadline <= now)) {
        pods.delete(uid);
        const user = { username: `system:node:${nodeName}`, groups: ['system:nodes', 'system:authenticated'] };
        try {
          await registry.delete(resources.pods, key, { gracePeriodSeconds: 0, preconditions: { uid }, user });
        } catch (error) {
          if (hasReason(error, 'NotFound', 'Conflict')) continue;
          pods.set(uid, { key, nodeName, deadline: now + podRetryDelayMs });
          onError(error);
        }
      }
      earliestDeadline =
        pods.size === 0
          ? undefined
          : [...pods.values()].reduce((minimum, { deadline }) => Math.min(minimum, deadline), Number.POSITIVE_INFINITY);
    },
  };
}

/** Milliseconds before a refused deletion is retried. */
const podRetryDelayMs = 10_000;
