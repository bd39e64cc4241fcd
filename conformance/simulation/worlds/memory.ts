import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { View } from '../harness/views.ts';
import type { Answer, Call } from './server.ts';

/**
 * What a process remembers besides its caches, calls, watches and timers, as far as it decides what the process does next. It may hold more than
 * that. Times are milliseconds since the start of the world.
 */
export interface Memory {
  /** The queue of each controller. */
  readonly queues: Readonly<Record<string, QueueMemory>>;
  readonly lease: LeaseMemory;
  /** The own writes of each object, by plural and name. */
  readonly writes: Readonly<Record<string, OwnWrite>>;
  /** The objects whose creation failed. */
  readonly failedCreations: readonly ApiObject[];
  /** The waits of informers before a list or a watch, in order. */
  readonly waits: readonly Wait[];
  /** The reason and the message of each Event that was sent. */
  readonly sentEvents: readonly string[];
  /** When the last change of each resource arrived, by plural. */
  readonly changeTimes: Readonly<Record<string, number>>;
}

interface QueueMemory {
  readonly isPending: boolean;
  readonly failures: number;
  /** What the caches were like when the current sync began; absent without one. */
  readonly syncView?: View | undefined;
  /** What the caches were like when the last sync failed; absent if it did not. */
  readonly failedView?: View | undefined;
}

interface LeaseMemory {
  /** The Lease as last read or written. */
  readonly object?: ApiObject;
  /** When it had last changed. */
  readonly changedAt?: number;
  /** `acquireTime` of the last term that the process tried to start. */
  readonly term?: string;
  /** When the last successful write was sent. */
  readonly renewedAt?: number;
  /** The verb of the last call that has ended, and whether it failed: it decides what follows the next one. */
  readonly lastCall?: string;
}

export interface OwnWrite {
  /** The last answer that was no error. */
  readonly object?: ApiObject;
  /** Whether a later change had arrived before that answer. */
  readonly isSuperseded?: boolean;
  /** The error of the last write, if it failed. */
  readonly error?: string;
}

export interface Wait {
  readonly plural: string;
  readonly delay: number;
  readonly error: string;
  readonly endsAt: number;
}

/** Follows what a process sends and receives. */
export interface MemoryTracker {
  current(): Memory;
  onEvent(event: RuntimeEvent): void;
  onAnswer(call: Call, sentAt: number, answer: Answer): void;
  onSentEvent(event: ApiObject): void;
  onChange(plural: string): void;
}

/** @param viewOf returns the versions of the caches */
export function createMemoryTracker(clock: { readonly time: number }, viewOf: () => View): MemoryTracker {
  let memory: Memory = { queues: {}, lease: {}, writes: {}, failedCreations: [], waits: [], sentEvents: [], changeTimes: {} };
  const update = (changes: Partial<Memory>): void => {
    memory = { ...memory, ...changes };
  };
  const setQueue = (name: string, changes: Partial<QueueMemory>): void =>
    update({ queues: { ...memory.queues, [name]: { ...(memory.queues[name] ?? { isPending: false, failures: 0 }), ...changes } } });
  return {
    current: () => memory,
    onEvent(event) {
      const { kind } = event;
      if (kind === 'informer' && event.state === 'waiting') update({ waits: [...memory.waits, toWait(event, clock.time)] });
      if (kind === 'queued') setQueue(event.queue, { isPending: true });
      if (kind === 'taken') setQueue(event.queue, { isPending: false, syncView: viewOf() });
      if (kind !== 'synced') return;
      const { controller, outcome, failures } = event;
      const hasFailed = outcome !== 'success';
      setQueue(controller, {
        ...{ syncView: undefined, failures: hasFailed ? failures : 0, failedView: hasFailed ? viewOf() : undefined },
      });
    },
    onAnswer(call, sentAt, { value, error }) {
      const { verb, object, resource } = call;
      const answer = error ? undefined : (value as ApiObject);
      if (resource.plural === resources.leases.plural)
        update({ lease: afterLeaseCall(memory.lease, call, answer, { sentAt, now: clock.time }) });
      else if (verb !== 'get' && verb !== 'list') {
        const version = viewOf()[resource.plural] ?? 0;
        update({ writes: afterWrite(memory.writes, call, { answer, error, version }) });
        if (error && verb === 'create' && object) update({ failedCreations: [...memory.failedCreations, object] });
      }
    },
    onSentEvent: ({ reason, message }) => update({ sentEvents: [...memory.sentEvents, `${reason} ${message}`] }),
    onChange: (plural) => update({ changeTimes: { ...memory.changeTimes, [plural]: clock.time } }),
  };
}

type InformerEvent = Extract<RuntimeEvent, { readonly kind: 'informer' }>;

const toWait = ({ resource, delay = 0, error = '' }: InformerEvent, now: number): Wait => ({
  ...{ plural: resource, delay, error: String(error), endsAt: now + delay },
});

function afterLeaseCall(
  lease: LeaseMemory,
  { verb, object }: Call,
  answer: ApiObject | undefined,
  { sentAt, now }: { readonly sentAt: number; readonly now: number },
): LeaseMemory {
  const isWrite = verb !== 'get';
  const { acquireTime } = (object?.['spec'] ?? {}) as { readonly acquireTime?: string };
  const isChanged = answer !== undefined && JSON.stringify(lease.object?.['spec']) !== JSON.stringify(answer['spec']);
  return {
    ...lease,
    ...(acquireTime !== undefined && { term: acquireTime }),
    ...(answer && { object: answer }),
    ...(isChanged && { changedAt: now }),
    ...(answer && isWrite && { renewedAt: sentAt }),
    lastCall: `${verb} ${answer === undefined}`,
  };
}

interface WriteOutcome {
  readonly answer: ApiObject | undefined;
  readonly error: Error | undefined;
  /** The version of the cache at the answer. */
  readonly version: number;
}

function afterWrite(
  writes: Memory['writes'],
  { resource: { plural }, key, object }: Call,
  { answer, error, version }: WriteOutcome,
): Memory['writes'] {
  const { name, generateName = '' }: ApiObject['metadata'] = answer?.metadata ?? object?.metadata ?? key ?? {};
  const writeKey = `${plural} ${name ?? generateName}`;
  const { error: _, ...previous } = writes[writeKey] ?? {};
  const write: OwnWrite = answer
    ? { object: answer, isSuperseded: Number(answer.metadata.resourceVersion) < version }
    : { ...previous, error: String(error) };
  return { ...writes, [writeKey]: write };
}
