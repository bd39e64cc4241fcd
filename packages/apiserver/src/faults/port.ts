import type { ApiObject, ClientPort, Resource, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import type { Verb } from '../registry/catalog.ts';
import type { Call } from './call.ts';
import type { Engine, FaultDecision } from './engine.ts';

/** Wraps a port to inject faults. @param closeSignal aborted when the server behind the port is closed; ends injected delays and stalls */
export function createFaultInjectingPort(inner: ClientPort, engine: Engine, closeSignal?: AbortSignal): ClientPort {
  const runWithFaults = async <T>(createCall: () => Call, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> => {
    closeSignal?.throwIfAborted();
    const decision = engine.begin(createCall);
    if (decision) await engine.delay(decision, combineSignals(signal, closeSignal));
    if (decision?.errorAnswer) throw decision.errorAnswer.error;
    return engine.guard(decision, run);
  };
  return {
    get: (resource, key, options) =>
      runWithFaults(createCallFactory('get', resource, key), options?.signal, () => inner.get(resource, key, options)),
    list: (resource, options) =>
      runWithFaults(createCallFactory('list', resource, options), options?.signal, () => inner.list(resource, options)),
    watch(resource, options = {}) {
      closeSignal?.throwIfAborted();
      return watch(inner, engine, resource, { options, delaySignal: combineSignals(options.signal, closeSignal) });
    },
    create: (resource, object, options) =>
      runWithFaults(createCallFactory('create', resource, object?.metadata, options), options?.signal, () =>
        inner.create(resource, object, options),
      ),
    update: (resource, object, options) =>
      runWithFaults(createCallFactory('update', resource, object?.metadata, options), options?.signal, () =>
        inner.update(resource, object, options),
      ),
    patch: (resource, key, patch, options) =>
      runWithFaults(createCallFactory('patch', resource, key, options), options?.signal, () => inner.patch(resource, key, patch, options)),
    delete: (resource, key, options) =>
      runWithFaults(createCallFactory('delete', resource, key), options?.signal, () => inner.delete(resource, key, options)),
    deleteCollection: (resource, selection, options) =>
      runWithFaults(createCallFactory('deletecollection', resource, selection), options?.signal, () =>
        inner.deleteCollection(resource, selection, options),
      ),
  };
}

type CallTarget = Pick<ApiObject['metadata'], 'namespace' | 'name'>;

/** Creates a function that creates the call, because the call is needed only if there are rules. */
const createCallFactory =
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
    return engine.wrapStream(
      call,
      deferWatch(() => Promise.reject(failure.error)),
      undefined,
    );
  const isDeferred = decision !== undefined && (decision.latency > 0 || decision.errorAnswer !== undefined);
  return engine.wrapStream(call, isDeferred ? deferWatch(() => startAfterDelay(engine, decision, delaySignal, start)) : start(), decision, {
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

/** Creates a watch that waits for `startWatch`, which is called immediately. */
function deferWatch<T>(startWatch: () => Promise<AsyncIterator<T>>): AsyncIterator<T> {
  const startedWatch = startWatch();
  // Prevents an unhandled rejection; next() reports the error.
  startedWatch.catch(() => undefined);
  return {
    next: async () => (await startedWatch).next(),
    return: async () => (await (await startedWatch).return?.()) ?? { done: true, value: undefined },
  };
}

const combineSignals = (a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined =>
  a && b ? AbortSignal.any([a, b]) : (a ?? b);
