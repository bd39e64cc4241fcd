import { ApiError, type ClientPort, type Clock, type Resource, type SteadyClock, type WatchEvent } from 'kube-endpoints/port';
import type { EventOf, Observer } from '../host/index.ts';

/** Wraps a port to report each request; otherwise behaves like the given port. */
export function observePort(port: ClientPort, clock: Clock | SteadyClock, onEvent: Observer): ClientPort {
  const readTime = 'elapsed' in clock ? () => clock.elapsed() : () => clock.now();
  const startTimer = (verb: Verb, resource: Resource): ((code: number) => void) => {
    const startTime = readTime();
    return (code) => onEvent({ kind: 'request', verb, resource: resource.plural, code, milliseconds: readTime() - startTime });
  };
  const observe = async <T>(verb: Verb, resource: Resource, call: () => Promise<T>): Promise<T> => {
    const end = startTimer(verb, resource);
    let answer: T;
    try {
      answer = await call();
    } catch (error) {
      end(codeOf(error));
      throw error;
    }
    end(verb === 'create' ? 201 : 200);
    return answer;
  };
  return {
    get: (resource, key, options) => observe('get', resource, () => port.get(resource, key, options)),
    list: (resource, options) => observe('list', resource, () => port.list(resource, options)),
    create: (resource, object, options) => observe('create', resource, () => port.create(resource, object, options)),
    update: (resource, object, options) => observe('update', resource, () => port.update(resource, object, options)),
    patch: (resource, key, patch, options) => observe('patch', resource, () => port.patch(resource, key, patch, options)),
    delete: (resource, key, options) => observe('delete', resource, () => port.delete(resource, key, options)),
    deleteCollection: (resource, selection, options) =>
      observe('deleteCollection', resource, () => port.deleteCollection(resource, selection, options)),
    watch: (resource, options) =>
      observeWatch(
        () => port.watch(resource, options),
        () => startTimer('watch', resource),
      ),
  };
}

type Verb = EventOf<'request'>['verb'];

/** The status code of an error; 0 if there was no response. */
const codeOf = (error: unknown): number => (error instanceof ApiError ? error.code : 0);

/** Reports a watch once, at its first event, or when it ends without an event. `port.watch` itself may throw, before iteration starts. */
async function* observeWatch(open: () => AsyncIterable<WatchEvent>, startTimer: () => (code: number) => void): AsyncGenerator<WatchEvent> {
  let end: ((code: number) => void) | undefined = startTimer();
  const reportOnce = (code: number): void => {
    end?.(code);
    end = undefined;
  };
  try {
    for await (const event of open()) {
      reportOnce(200);
      yield event;
    }
  } catch (error) {
    reportOnce(codeOf(error));
    throw error;
  }
  reportOnce(200);
}

/** Calls several observers in order. */
export const combineObservers =
  (...listeners: readonly (Observer | undefined)[]): Observer =>
  (event) => {
    for (const listener of listeners) listener?.(event);
  };
