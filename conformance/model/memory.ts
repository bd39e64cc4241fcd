import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ClientPort, hasReason, resources } from 'kube-endpoints/port';
import { createFaults } from '../../packages/apiserver/src/faults/index.ts';
import { namespaceStrategy } from '../../packages/apiserver/src/registry/built-in.ts';
import { createBuiltInStrategy } from '../../packages/apiserver/src/registry/built-in-strategy.ts';
import { createInProcessPort } from '../../packages/apiserver/src/registry/in-process-port.ts';
import { createRegistry } from '../../packages/apiserver/src/registry/registry.ts';
import { descriptions } from '../../packages/apiserver/src/resources/index.ts';
import { createStore, type Store } from '../../packages/apiserver/src/store/index.ts';
import { createClock } from '../../packages/apiserver/test/store/support.ts';

const { resource: configMaps } = descriptions.configMaps;
const namespace = 'one';
const objectCount = 500;
const maxEvents = 10_000;

/**
 * Makes many updates with fast, slow and stalled watchers, and prints the heap size before, during and after. Returns true if the heap does
 * not grow.
 */
export async function measure(updateCount: number, print: (line: string) => void): Promise<boolean> {
  const store = createStore({ clock: createClock(), maxEvents });
  const strategies = [namespaceStrategy(createBuiltInStrategy(descriptions.namespaces)), createBuiltInStrategy(descriptions.configMaps)];
  const port = createInProcessPort(createRegistry({ store, strategies }));
  await port.create(resources.namespaces, { metadata: { name: namespace } });
  const writer = createWriter(port);
  await writer.fill();
  const { counts, stalledReaders } = startReaders(port, store);
  const heap = createHeapReader();
  // The log grows until it is full.
  await writer.write(maxEvents * 2);
  const heapSizes: number[] = [];
  const measureHeap = async (phase: string): Promise<void> => {
    heapSizes.push(await heap());
    const { objects: stored, events } = store.stats();
    const received = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    print(
      `${phase}: heap ${((heapSizes.at(-1) as number) / 2 ** 20).toFixed(2)} MiB, ${stored} objects, ${events} events retained; received: ${received.join(', ')}`,
    );
  };
  const startMs = performance.now();
  await measureHeap('before');
  for (const phase of ['after a quarter', 'in the middle', 'after three quarters', 'after']) {
    await writer.write(Math.floor(updateCount / 4));
    await measureHeap(phase);
  }
  const seconds = (performance.now() - startMs) / 1000;
  print(`${updateCount} writes in ${seconds.toFixed(1)} s, with the watches ${Math.round(updateCount / seconds)} a second`);
  const failures = [
    !isConstant(heapSizes, print) && 'the heap grows',
    store.stats().events > maxEvents && `the log has more than ${maxEvents} events`,
    counts.fast !== counts.writes && 'a fast reader missed events',
    !(await stalledReaders.end()) && 'the watch of a stalled reader did not end',
  ].filter((text) => text !== false);
  for (const text of failures) print(text);
  return failures.length === 0;
}

/** Updates objects in rotation. Every hundredth time, deletes an object and creates one with a new name instead. */
function createWriter(port: ClientPort): { fill(): Promise<void>; write(times: number): Promise<void> } {
  const names: string[] = [];
  let createdCount = 0;
  let iteration = 0;
  const create = async (index: number): Promise<void> => {
    createdCount += 1;
    const name = `map-${createdCount}`;
    names[index] = name;
    await port.create(configMaps, { metadata: { namespace, name, labels: { created: String(createdCount) } }, data: { value: '0' } });
  };
  return {
    async fill() {
      for (let index = 0; index < objectCount; index++) await create(index);
    },
    async write(times) {
      for (let remaining = times; remaining > 0; remaining--) {
        iteration += 1;
        // 7 does not divide the number of objects, so that all objects are updated in turn.
        const index = (iteration * 7) % objectCount;
        const name = names[index] as string;
        if (iteration % 100 === 0 && remaining > 1) {
          remaining -= 1;
          await port.delete(configMaps, { namespace, name });
          await create(index);
        } else
          await port.update(configMaps, {
            metadata: { namespace, name, labels: { created: name } },
            data: { value: `value ${iteration}` },
          });
      }
    },
  };
}

/** Starts the watchers and counts their events. The fast watcher must receive all events. */
function startReaders(port: ClientPort, store: Store) {
  const counts = { writes: 0, fast: 0, slow: 0, resumed: 0 };
  const firstRevision = store.revision;
  const currentOptions = (): { readonly namespace: string; readonly resourceVersion: string } => ({
    namespace,
    resourceVersion: String(store.revision),
  });
  const fast = port.watch(configMaps, currentOptions());
  void (async () => {
    for await (const _ of fast) {
      counts.fast += 1;
      counts.writes = store.revision - firstRevision;
    }
  })();
  void readSlowly(port, counts, currentOptions);
  const faults = createFaults({ clock: createClock() });
  const stalledReaders = [port, faults.port(port)].map((each) => each.watch(configMaps, currentOptions())[Symbol.asyncIterator]());
  const pendingRead = stalledReaders[1]?.next();
  faults.stall();
  return {
    counts,
    stalledReaders: {
      /** Returns true if the watches of stalled readers have ended: one that never read, and one whose connection hung. */
      async end() {
        faults.release();
        await pendingRead;
        return (await Promise.all(stalledReaders.map((iterator) => iterator.next()))).every(({ done }) => done);
      },
    },
  };
}

/** Reads one event per thousand microtasks. Restarts if the log was compacted. */
async function readSlowly(port: ClientPort, counts: { slow: number; resumed: number }, currentOptions: () => object): Promise<void> {
  for (;;) {
    try {
      for await (const _ of port.watch(configMaps, currentOptions())) {
        counts.slow += 1;
        for (let iteration = 0; iteration < 1000; iteration++) await undefined;
      }
    } catch (error) {
      if (!hasReason(error, 'Expired')) throw error;
    }
    counts.resumed += 1;
  }
}

function createHeapReader(): () => Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return async () => {
    for (let round = 0; round < 4; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
}

/** Compiled code and hidden classes vary by up to 5 MiB. A leak of two words per write would be 15 MiB for a million writes. */
const maxGrowthBytes = 10 * 2 ** 20;

function isConstant(heapSizes: readonly number[], print: (line: string) => void): boolean {
  const [sizeBefore = 0] = heapSizes;
  const maxGrowth = Math.max(...heapSizes.map((size) => size - sizeBefore));
  const isBelowLimit = maxGrowth <= maxGrowthBytes;
  print(`${isBelowLimit ? 'flat' : 'not flat'}: at most ${(maxGrowth / 2 ** 20).toFixed(2)} MiB more than before`);
  return isBelowLimit;
}
