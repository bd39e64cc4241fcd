import type { ApiObject, ClientPort, Resource, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import type { Verb } from '../registry/catalog.ts';
import type { Call } from './call.ts';
import type { Engine, FaultDecision } from './engine.ts';

/** A port on which faults are injected. @param ended aborted when the server behind the port is closed; ends injected delays and stalls */
export function createFaultInjectingPort(inner: ClientPort, engine: Engine, ended?: AbortSignal): ClientPort {
  const runWithFaults = async <T>(describe: () => Call, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> => {
    ended?.throwIfAborted();
    const decision = engine.begin(describe);
    if (decision) await engine.delay(decision, combineSignals(signal, ended));
    if (decision?.errorAnswer) throw decision.errorAnswer.error;
    return engine.guard(decision, act);
  };
  return {
    get: (resource, key, options) => runWithFaults(callOf('get', resource, key), options?.signal, () => inner.get(resource, key, options)),
    list: (resource, options) => runWithFaults(callOf('list', resource, options), options?.signal, () => inner.list(resource, options)),
    watch(resource, options = {}) {
      ended?.throwIfAborted();
      return watch(inner, engine, resource, { options, delaySignal: combineSignals(options.signal, ended) });
    },
    create: (resource, object, options) =>
      runWithFaults(callOf('create', resource, object?.metadata, options), options?.signal, () => inner.create(resource, object, options)),
    update: (resource, object, options) =>
      runWithFaults(callOf('update', resource, object?.metadata, options), options?.signal, () => inner.update(resource, object, options)),
    patch: (resource, key, patch, options) =>
      runWithFaults(callOf('patch', resource, key, options), options?.signal, () => inner.patch(resource, key, patch, options)),
    delete: (resource, key, options) =>
      runWithFaults(callOf('delete', resource, key), options?.signal, () => inner.delete(resource, key, options)),
    deleteCollection: (resource, selection, options) =>
      runWithFaults(callOf('deletecollection', resource, selection), options?.signal, () =>
        inner.deleteCollection(resource, selection, options),
      ),
  };
}

/** The namespace and name that a call targets. */
type CallTarget = Pick<ApiObject['metadata'], 'namespace' | 'name'>;

/** Lazy: evaluated only if there are rules. */
const callOf =
  (verb: Verb, resource: Resource, { namespace, name }: CallTarget = {}, { subresource }: { readonly subresource?: string } = {}) =>
  (): Call => ({ verb, resource, subresource, namespace, name });

interface WatchRequest {
  readonly options: WatchOptions;
  /** Ends injected delays and stalls. */
  readonly delaySignal: AbortSignal | undefined;
}

function watch(
  inner: ClientPort,
  engine: Engine,
  resource: Resource,
  { options, delaySignal }: WatchRequest,
): AsyncIterableIterator<WatchEvent> {
  const call: Call = { verb: 'watch', resource, namespace: options.namespace, resourceVersion: options.resourceVersion };
  const start = (): AsyncIterator<WatchEvent> => inner.watch(resource, options)[Symbol.asyncIterator]();
  const { decision, failure } = tryBegin(engine, call);
  if (failure)
    return engine.stream(
      call,
      deferWatch(() => Promise.reject(failure.error)),
      undefined,
    );
  const isDeferred = decision !== undefined && (decision.latency > 0 || decision.errorAnswer !== undefined);
  return engine.stream(call, isDeferred ? deferWatch(() => startAfterDelay(engine, decision, delaySignal, start)) : start(), decision, {
    signal: delaySignal,
  });
}

function tryBegin(
  engine: Engine,
  call: Call,
): { readonly decision?: FaultDecision | undefined; readonly failure?: { readonly error: unknown } } {
  try {
    return { decision: engine.begin(() => call) };
  } catch (error) {
    return { failure: { error } };
  }
}

async function startAfterDelay<T>(
  engine: Engine,
  decision: FaultDecision,
  signal: AbortSignal | undefined,
  start: () => AsyncIterator<T>,
): Promise<AsyncIterator<T>> {
  await engine.delay(decision, signal);
  if (decision.errorAnswer) throw decision.errorAnswer.error;
  return start();
}

/** A watch that starts when `startWatch` resolves. */
function deferWatch<T>(startWatch: () => Promise<AsyncIterator<T>>): AsyncIterator<T> {
  const pending = startWatch();
  // Prevents an unhandled rejection; next() reports the error.
  pending.catch(() => undefined);
  return {
    next: async () => (await pending).next(),
    return: async () => (await (await pending).return?.()) ?? { done: true, value: undefined },
  };
}

const combineSignals = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other);
