import type { ApiObject, ClientPort, Resource, Selection, SteadyClock } from 'kube-endpoints/port';
import type { Happening, Tell } from '../happening.ts';
import type { Cache, Informer, InformerState } from './cache.ts';
import { createListeners } from './listeners.ts';
import { createReflector } from './reflector/reflector.ts';
import type { Stage } from './reflector/stage.ts';
import { createStore, type Store } from './store.ts';
import { createSynced } from './synced.ts';

export interface InformerOptions<T> {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly resource: Resource;
  /** Which objects: by default all there are. */
  readonly selection?: Selection;
  /** What is kept of an object; undefined: nothing, it is as if it was not there. */
  readonly project: (object: ApiObject) => T | undefined;
  readonly clock: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** How many objects a page of a list may hold. By default 500. */
  readonly pageSize?: number;
  /** Whether a server that can is asked to list by a watch. By default it is. */
  readonly watchList?: 'auto' | 'never';
  readonly tell?: Tell;
}

/**
 * Makes an informer, which does nothing until it runs.
 * @throws RangeError for a page size that is none
 */
export function createInformer<T>(options: InformerOptions<T>): Informer<T> {
  const { resource, project, selection = {}, pageSize = 500, watchList = 'auto' } = options;
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize is ${pageSize}: give a whole number from 1 on`);
  let stage: Stage = { state: 'idle' };
  let running = false;
  const report = (more: Pick<Happening & { readonly kind: 'informer' }, 'error' | 'delay'>): void =>
    tellSafely(options.tell, { kind: 'informer', resource: resource.plural, state: stage.state, objects: store.size, ...more });
  const failed = (error: unknown): void => report({ error });
  const store: Store<T> = createStore({ project, failed, audience: () => listeners.audience() });
  const cache = facadeOf(store);
  const listeners = createListeners(cache, failed);
  const gate = createSynced();
  const entered = (entering: Stage, delay?: number): void => {
    stage = entering;
    report(entering.state === 'waiting' ? { error: entering.error, ...(delay !== undefined && { delay }) } : {});
  };
  const reflector = createReflector({ ...options, selection, pageSize, streams: watchList === 'auto', store, entered, filled: gate.open });
  return {
    resource,
    cache,
    get state(): InformerState {
      return stage.state;
    },
    get hasSynced() {
      return gate.isOpen;
    },
    synced: gate.passed,
    listen: listeners.add,
    run(signal) {
      if (running) throw new Error(`the informer of ${resource.plural} runs already`);
      running = true;
      return reflector.run(signal).finally(() => {
        running = false;
      });
    },
  };
}

/** What is told must not stop what it is told of. */
function tellSafely(tell: Tell | undefined, happening: Happening): void {
  try {
    tell?.(happening);
  } catch {
    // There is nobody left to tell.
  }
}

/** What others see of a store: it cannot be written to. */
const facadeOf = <T>(store: Store<T>): Cache<T> => ({
  get size() {
    return store.size;
  },
  get: store.get,
  values: store.values,
  keys: store.keys,
});
