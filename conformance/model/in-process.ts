import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import {
  createBuiltInStrategies,
  createInProcessPort,
  createRegistry,
  randomnessFrom,
} from '../../packages/apiserver/src/registry/index.ts';
import { createStore, type Journal, type Store } from '../../packages/apiserver/src/store/index.ts';
import { createClock } from '../../packages/apiserver/test/store/support.ts';
import type { Edit, Subject, SubjectFactory } from './subject.ts';

export interface InProcessOptions {
  /** Saves writes in a journal that is slow and sometimes fails. */
  readonly isJournaled?: boolean;
}

/** Returns a factory of in-process servers. Each event log keeps a random number of events. */
export const createInProcessFactory =
  ({ isJournaled = false }: InProcessOptions = {}): SubjectFactory =>
  async (draw) => {
    const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
    const unreliable = isJournaled ? createUnreliableJournal(draw) : undefined;
    const store = createStore({
      clock,
      maxEvents: [30, 100, 100_000][draw(3)] as number,
      ...(unreliable && { journal: unreliable.journal }),
    });
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
    const port = createInProcessPort(registry);
    return {
      port: unreliable?.start(port) ?? port,
      revision: () => store.revision,
      compacted: () => store.stats().compacted,
      compact: (revision) => store.compact(revision),
      dropWatches: () => store.dropWatches(),
      passTime: (milliseconds) => clock.advance(milliseconds),
      // With a journal, the results of a transaction are not saved when it returns.
      ...(!isJournaled && { transaction: (edits: readonly Edit[], mustFail: boolean) => runTransaction(store, edits, mustFail) }),
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

interface UnreliableJournal {
  readonly journal: Journal;
  /** Lets the journal fail from now on. Returns a port for which no deletion of a collection is refused halfway. */
  start(port: Subject['port']): Subject['port'];
}

/** Creates a journal that takes up to three turns of the event loop, and fails every tenth time. */
function createUnreliableJournal(draw: (bound: number) => number): UnreliableJournal {
  let hasStarted = false;
  let collectionCount = 0;
  return {
    journal: {
      async save() {
        if (!hasStarted) return;
        for (let turns = draw(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
        if (collectionCount === 0 && draw(10) === 0) throw new Error('injected');
      },
    },
    start(port) {
      hasStarted = true;
      return {
        ...port,
        async deleteCollection(...call) {
          collectionCount += 1;
          try {
            return await port.deleteCollection(...call);
          } finally {
            collectionCount -= 1;
          }
        },
      };
    },
  };
}
