import { type ApiObject, hasReason, type ObjectKey, resources } from 'kube-endpoints/port';
import { type Clock, createAlarm, type StoreWrite, systemClock } from '../store/index.ts';
import { type BootstrapOptions, bootstrap, isBootstrapped } from './bootstrap.ts';
import { isGoing } from './metadata.ts';
import { specFinalizersOf } from './namespaces.ts';
import { createOwners } from './owners.ts';
import type { Registry } from './registry.ts';

export interface BackgroundOptions {
  readonly registry: Registry;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** Run work as it becomes due. Default true; otherwise only `settle` runs it. */
  readonly automatic?: boolean;
  /** Remove pods that are bound to a node when their grace period ends, as a kubelet would. Default false. */
  readonly endsPods?: boolean;
  /** Recreates bootstrap objects if they are deleted. By default they are not recreated. */
  readonly bootstrap?: BootstrapOptions;
  /** Called with the error of an operation that failed and will be retried. */
  readonly failed?: (error: unknown) => void;
}

/** Background work of a control plane: garbage collection, namespace deletion and the removal of terminating pods. */
export interface Background {
  /** Runs all pending work, including follow-up work. Work that waits for another client or a later time stays pending. */
  settle(): Promise<void>;
  /** Stops background work; a run in progress completes. */
  close(): void;
}

/** Milliseconds in which further writes are batched into one run. */
const lull = 50;
/** Milliseconds before waiting or refused work is retried. */
const patience = 8000;

/** Creates background work that is triggered by writes. A write that causes no work costs one look at its metadata and no reads. */
export function createBackground({ registry, clock = systemClock, automatic = true, ...options }: BackgroundOptions): Background {
  const duties = createDuties(registry, clock, options);
  let running: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running ??= duties.work().finally(() => {
      running = undefined;
      plan();
    });
    return running;
  };
  const alarm = createAlarm(clock, () => void run());
  const plan = (): void => {
    const due = automatic && !running ? duties.dueAt() : undefined;
    if (due !== undefined) alarm.set(due);
  };
  const forget = registry.store.observe((write) => {
    if (duties.note(write)) plan();
  });
  plan();
  return {
    async settle() {
      await running;
      duties.oweAll();
      await run();
    },
    close() {
      forget();
      alarm.cancel();
    },
  };
}

interface Duties {
  /** True if a write causes work. */
  note(write: StoreWrite): boolean;
  /** Marks all kinds of work as pending. */
  oweAll(): void;
  /** When the next work is due, in milliseconds since the epoch. */
  dueAt(): number | undefined;
  /** Runs until no work is pending. Never rejects. */
  work(): Promise<void>;
}

type Options = Pick<BackgroundOptions, 'bootstrap' | 'endsPods' | 'failed'>;

function createDuties(registry: Registry, clock: Clock, { bootstrap: always, endsPods = false, failed }: Options): Duties {
  const owners = createOwners(registry);
  const pods: EndingPods | undefined = endsPods ? createEndingPods(registry, clock) : undefined;
  const terminating = new Set<string>();
  const owed = { garbage: false, everything: false, namespaces: false, bootstrap: false };
  let since: number | undefined;
  let again: number | undefined;
  const isOwed = (): boolean => owed.garbage || owed.namespaces || owed.bootstrap;
  const retry = (error?: unknown): void => {
    again = clock.now() + patience;
    if (error !== undefined) failed?.(error);
  };
  const note = (write: StoreWrite): boolean => {
    if (owners.note(write)) owed.garbage = true;
    if (noteNamespace(terminating, write)) owed.namespaces = true;
    if (always && !write.current && write.previous && isBootstrapped(write.resource, write.previous)) owed.bootstrap = true;
    pods?.note(write);
    if (isOwed()) since ??= clock.now();
    return isOwed() || pods !== undefined;
  };
  const workOnce = async (): Promise<void> => {
    const { garbage, everything, namespaces, bootstrap: missing } = owed;
    Object.assign(owed, { garbage: false, everything: false, namespaces: false, bootstrap: false });
    if (garbage && (owners.owe() || everything)) await registry.collectGarbage(retry);
    if (namespaces) await registry.finalizeNamespaces();
    if (missing) await bootstrap(registry, always);
    await pods?.end(retry);
  };
  noteStored(registry, note);
  return {
    note,
    oweAll: () => void Object.assign(owed, { garbage: true, everything: true, namespaces: true, bootstrap: always !== undefined }),
    dueAt: () => earliest(since === undefined ? undefined : since + lull, again, pods?.dueAt()),
    async work() {
      if (again !== undefined && again <= clock.now()) Object.assign(owed, { garbage: true, everything: true, namespaces: true });
      again = undefined;
      try {
        do {
          since = undefined;
          await workOnce();
        } while (isOwed());
      } catch (error) {
        retry(error);
      }
      if (terminating.size > 0) retry();
    },
  };
}

/** True if a namespace starts terminating, or an object in a terminating namespace is gone or has changed finalizers. */
function noteNamespace(terminating: Set<string>, { resource: { group, plural }, current, previous }: StoreWrite): boolean {
  const { metadata } = (current ?? previous) as ApiObject;
  if (group === '' && plural === resources.namespaces.plural) {
    const { name = '' } = metadata;
    const isNew = !terminating.has(name);
    if (current && isGoing(current) && specFinalizersOf(current).length > 0) terminating.add(name);
    else terminating.delete(name);
    return isNew && terminating.has(name);
  }
  if (terminating.size === 0 || metadata.namespace === undefined || !terminating.has(metadata.namespace)) return false;
  return !current || current.metadata.finalizers !== previous?.metadata.finalizers;
}

/** Existing objects are treated as just written. */
function noteStored({ resources: served, strategyFor, store }: Registry, note: (write: StoreWrite) => void): void {
  for (const resource of served) {
    if (strategyFor(resource).storedAs) continue;
    for (const current of store.list(resource).items) note({ resource, current, previous: undefined });
  }
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Pods in their grace period. */
export interface EndingPods {
  note(write: StoreWrite): void;
  /** Lower bound of the next end of a grace period, in milliseconds since the epoch. */
  dueAt(): number | undefined;
  /** Deletes pods whose grace period has ended, as a kubelet does after stopping them. */
  end(failed: (error: unknown) => void): Promise<void>;
}

interface EndingPod {
  readonly key: ObjectKey;
  readonly node: string;
  readonly at: number;
}

export function createEndingPods(registry: Pick<Registry, 'delete'>, clock: Pick<Clock, 'now'>): EndingPods {
  const pods = new Map<string, EndingPod>();
  let first: number | undefined;
  return {
    note({ resource: { group, plural }, current, previous }) {
      if (plural !== resources.pods.plural || group !== '') return;
      const { metadata, spec } = current ?? previous ?? { metadata: {} };
      const { uid = '', namespace = '', name = '', deletionTimestamp } = metadata;
      if (!current || deletionTimestamp === undefined) {
        pods.delete(uid);
        return;
      }
      const { nodeName: node = '' } = (spec ?? {}) as { readonly nodeName?: string };
      const at = Date.parse(deletionTimestamp);
      pods.set(uid, { key: { namespace, name }, node, at });
      first = first === undefined ? at : Math.min(first, at);
    },
    dueAt: () => (pods.size === 0 ? undefined : first),
    async end(failed) {
      const now = clock.now();
      for (const [uid, { key, node }] of [...pods].filter((each) => each[1].at <= now)) {
        pods.delete(uid);
        const user = { username: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
        try {
          await registry.delete(resources.pods, key, { gracePeriodSeconds: 0, preconditions: { uid }, user });
        } catch (error) {
          if (hasReason(error, 'NotFound', 'Conflict')) continue;
          pods.set(uid, { key, node, at: now + retry });
          failed(error);
        }
      }
      first = pods.size === 0 ? undefined : [...pods.values()].reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    },
  };
}

/** Milliseconds before a refused deletion is retried. */
const retry = 10_000;
