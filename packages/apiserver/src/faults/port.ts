import type { ApiObject, ClientPort, Resource, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import type { Verb } from '../registry/catalog.ts';
import type { Call } from './call.ts';
import type { Engine, Fate } from './engine.ts';

/** A port on which faults are injected. @param ended aborted when the server behind the port is closed; ends injected delays and stalls */
export function createFragilePort(inner: ClientPort, engine: Engine, ended?: AbortSignal): ClientPort {
  const carry = async <T>(describe: () => Call, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> => {
    ended?.throwIfAborted();
    const fate = engine.begin(describe);
    if (fate) await engine.delay(fate, eitherOf(signal, ended));
    if (fate?.refusal) throw fate.refusal.error;
    return engine.guard(fate, act);
  };
  return {
    get: (resource, key, options) => carry(callOf('get', resource, key), options?.signal, () => inner.get(resource, key, options)),
    list: (resource, options) => carry(callOf('list', resource, options), options?.signal, () => inner.list(resource, options)),
    watch(resource, options = {}) {
      ended?.throwIfAborted();
      return watch(inner, engine, resource, { options, waits: eitherOf(options.signal, ended) });
    },
    create: (resource, object, options) =>
      carry(callOf('create', resource, object?.metadata, options), options?.signal, () => inner.create(resource, object, options)),
    update: (resource, object, options) =>
      carry(callOf('update', resource, object?.metadata, options), options?.signal, () => inner.update(resource, object, options)),
    patch: (resource, key, patch, options) =>
      carry(callOf('patch', resource, key, options), options?.signal, () => inner.patch(resource, key, patch, options)),
    delete: (resource, key, options) => carry(callOf('delete', resource, key), options?.signal, () => inner.delete(resource, key, options)),
    deleteCollection: (resource, selection, options) =>
      carry(callOf('deletecollection', resource, selection), options?.signal, () => inner.deleteCollection(resource, selection, options)),
  };
}

/** The namespace and name that a call targets. */
type About = Pick<ApiObject['metadata'], 'namespace' | 'name'>;

/** Lazy: evaluated only if there are rules. */
const callOf =
  (verb: Verb, resource: Resource, { namespace, name }: About = {}, { subresource }: { readonly subresource?: string } = {}) =>
  (): Call => ({ verb, resource, subresource, namespace, name });

interface Watching {
  readonly options: WatchOptions;
  /** Ends injected delays and stalls. */
  readonly waits: AbortSignal | undefined;
}

function watch(inner: ClientPort, engine: Engine, resource: Resource, { options, waits }: Watching): AsyncIterableIterator<WatchEvent> {
  const call: Call = { verb: 'watch', resource, namespace: options.namespace, resourceVersion: options.resourceVersion };
  const start = (): AsyncIterator<WatchEvent> => inner.watch(resource, options)[Symbol.asyncIterator]();
  const { fate, broken } = begin(engine, call);
  if (broken)
    return engine.stream(
      call,
      late(() => Promise.reject(broken.error)),
      undefined,
    );
  const isLate = fate !== undefined && (fate.latency > 0 || fate.refusal !== undefined);
  return engine.stream(call, isLate ? late(() => arrive(engine, fate, waits, start)) : start(), fate, { signal: waits });
}

function begin(engine: Engine, call: Call): { readonly fate?: Fate | undefined; readonly broken?: { readonly error: unknown } } {
  try {
    return { fate: engine.begin(() => call) };
  } catch (error) {
    return { broken: { error } };
  }
}

async function arrive<T>(
  engine: Engine,
  fate: Fate,
  signal: AbortSignal | undefined,
  start: () => AsyncIterator<T>,
): Promise<AsyncIterator<T>> {
  await engine.delay(fate, signal);
  if (fate.refusal) throw fate.refusal.error;
  return start();
}

/** A watch that starts when `arrive` resolves. */
function late<T>(arrive: () => Promise<AsyncIterator<T>>): AsyncIterator<T> {
  const arriving = arrive();
  // Prevents an unhandled rejection; next() reports the error.
  arriving.catch(() => undefined);
  return {
    next: async () => (await arriving).next(),
    return: async () => (await (await arriving).return?.()) ?? { done: true, value: undefined },
  };
}

const eitherOf = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other);
