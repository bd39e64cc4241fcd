import { type ApiObject, type ClientPort, type Resource, resources, type WatchOptions } from 'kube-endpoints/port';
import type { EndpointsMonitor } from '../checks/monitor.ts';
import { keyOf, type RecordedHistory } from '../harness/history.ts';
import type { WriteRequest } from '../harness/replica/network.ts';
import { createInbox, type Inbox, streamingForbiddenError } from '../harness/replica/stream.ts';
import type { MemoryTracker } from './memory.ts';
import type { Answer, Call } from './server.ts';

/** The calls and watches of a process that have not ended, by number. */
export interface Connections {
  /** The number of the next call, watch or timer. */
  nextNumber: number;
  readonly time: number;
  readonly memory: MemoryTracker;
  readonly calls: Map<number, { readonly call: Call; readonly end: (answer: Answer) => void }>;
  readonly watches: Map<number, Watch>;
}

export interface Watch {
  readonly number: number;
  readonly resource: Resource;
  readonly fromVersion: number;
  readonly inbox: Inbox;
}

/** Whether the history records a resource. */
export const isRecorded = ({ plural }: Resource): boolean => plural !== resources.leases.plural && plural !== resources.events.plural;

/** Creates a port whose calls stay open until an input answers them. Events are accepted at once, because nothing depends on them. */
export function createPort(state: Connections, monitor: EndpointsMonitor, history: RecordedHistory): ClientPort {
  const send = <T>(call: Call, signal: AbortSignal | undefined, onAnswer: (value: T | undefined) => void): Promise<T> =>
    openCall(state, call, signal, onAnswer);
  const write = (call: Call & Pick<WriteRequest, 'verb'>, signal: AbortSignal | undefined): Promise<ApiObject> => {
    const { verb, resource, object } = call;
    if (resource.plural === resources.events.plural) {
      state.memory.onSentEvent(object as ApiObject);
      return Promise.resolve(object as ApiObject);
    }
    const { namespace, name } = call.key ?? (object as ApiObject).metadata;
    const request: WriteRequest = { verb, resource, namespace, name, object };
    if (!signal?.aborted) monitor.onSend(request);
    return send<ApiObject>(call, signal, (answer) => monitor.onAnswer(request, answer));
  };
  const unexpected = (): Promise<never> => Promise.reject(new Error('the controllers do not use this verb'));
  return {
    get: (resource, key, { signal } = {}) => send({ verb: 'get', resource, key }, signal, () => {}),
    list(resource, { signal, ...options } = {}) {
      return send<Awaited<ReturnType<ClientPort['list']>>>({ verb: 'list', resource, options }, signal, (list) => {
        if (!list || options.limit === 1) return;
        const version = Number(list.metadata.resourceVersion);
        if (isRecorded(resource) && !options.labelSelector) recordList(history, resource, list.items, version);
        monitor.onCached(resource, version, options);
      });
    },
    watch: (resource, options = {}) => openWatch(state, resource, options),
    create: (resource, object, { signal } = {}) => write({ verb: 'create', resource, object }, signal),
    update: (resource, object, { signal } = {}) => write({ verb: 'update', resource, object }, signal),
    delete: (resource, key, { signal, preconditions } = {}) => write({ verb: 'delete', resource, key, preconditions }, signal),
    patch: unexpected,
    deleteCollection: unexpected,
  };
}

/** Sends a call. @param onAnswer is called with an answer; with undefined for an error */
function openCall<T>(
  state: Connections,
  call: Call,
  signal: AbortSignal | undefined,
  onAnswer: (value: T | undefined) => void,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const number = state.nextNumber++;
  const sentAt = state.time;
  const abort = (): void => {
    state.calls.delete(number);
    state.memory.onAnswer(call, sentAt, { id: -1, error: new Error('aborted') });
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  const end = (answer: Answer): void => {
    const { value, error } = answer;
    state.calls.delete(number);
    state.memory.onAnswer(call, sentAt, answer);
    signal?.removeEventListener('abort', abort);
    onAnswer(error ? undefined : (value as T));
    if (error) reject(error);
    else resolve(value as T);
  };
  state.calls.set(number, { call, end });
  return promise;
}

/** Records the objects of a complete list, and the deletion of the others. */
function recordList(history: RecordedHistory, resource: Resource, items: readonly ApiObject[], version: number): void {
  const listedKeys = new Set(items.map(keyOf));
  for (const key of history.keys(resource)) {
    const object = history.at(resource, key, Number.POSITIVE_INFINITY);
    if (object && !listedKeys.has(key)) history.record(resource, object, version, { exists: false });
  }
  for (const object of items) history.record(resource, object, Number(object.metadata.resourceVersion), { exists: true });
}

function openWatch(
  state: Connections,
  resource: Resource,
  { signal, resourceVersion, sendInitialEvents }: WatchOptions,
): AsyncIterableIterator<never> {
  const inbox = createInbox();
  const number = state.nextNumber++;
  const close = (): void => {
    state.watches.delete(number);
    inbox.close();
    signal?.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    inbox.fail(signal?.reason);
    close();
  };
  if (sendInitialEvents) inbox.put({ error: streamingForbiddenError() });
  else state.watches.set(number, { number, resource, fromVersion: Number(resourceVersion), inbox });
  signal?.addEventListener('abort', abort, { once: true });
  return {
    next: () => inbox.next() as Promise<IteratorResult<never>>,
    async return() {
      close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
