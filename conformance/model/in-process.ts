import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import {
  createBuiltInStrategies,
  createInProcessPort,
  createRegistry,
  randomnessFrom,
} from '../../packages/apiserver/src/registry/index.ts';
import { createStore, type Store } from '../../packages/apiserver/src/store/index.ts';
import { createClock } from '../../packages/apiserver/test/store/support.ts';
import type { Edit, SubjectFactory } from './subject.ts';

/** Returns a factory of in-process servers. Each event log keeps `maxEvents` events, or a random number by default. */
export const createInProcessFactory =
  (maxEvents?: number): SubjectFactory =>
  async (draw) => {
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    const store = createStore({ clock, maxEvents: maxEvents ?? ([30, 100, 100_000][draw(3)] as number) });
    const registry = createRegistry({
      store,
      clock,
      randomness: randomnessFrom(draw),
      strategies: createBuiltInStrategies({
        clusterIPs: { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) },
        defaultFamily: 'IPv4',
        nodePorts: createPortAllocator({ draw }),
      }),
    });
    for (const name of ['one', 'two']) await registry.create(resources.namespaces, undefined, { metadata: { name } });
    return {
      port: createInProcessPort(registry),
      revision: () => store.revision,
      compacted: () => store.stats().compacted,
      compact: (revision) => store.compact(revision),
      dropWatches: () => store.dropWatches(),
      passTime: (milliseconds) => clock.advance(milliseconds),
      transaction: (edits, mustFail) => runTransaction(store, edits, mustFail),
      settle: () => new Promise((resolve) => setImmediate(resolve)),
    };
  };

function runTransaction(store: Store, edits: readonly Edit[], mustFail: boolean): readonly (ApiObject | undefined)[] {
  const failure = new Error('the transaction fails');
  try {
    return store.transaction(() => {
      const results = edits.map((edit) => applyEdit(store, edit));
      if (mustFail) throw failure;
      return results;
    });
  } catch (error) {
    if (error !== failure) throw error;
    return [];
  }
}

function applyEdit(store: Store, { resource, key, annotation, value }: Edit): ApiObject | undefined {
  try {
    return store.update(resource, key, (object) => {
      const annotations = { ...object.metadata.annotations, [annotation]: value };
      return { ...object, metadata: { ...object.metadata, annotations } };
    });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
