import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ClientPort, hasReason, resources } from 'kube-endpoints/port';
import { createFaults } from '../../packages/apiserver/src/faults/index.ts';
import { namespaceStrategy } from '../../packages/apiserver/src/registry/built-in.ts';
import { describedStrategy } from '../../packages/apiserver/src/registry/described.ts';
import { createInProcessPort } from '../../packages/apiserver/src/registry/in-process-port.ts';
import { createRegistry } from '../../packages/apiserver/src/registry/registry.ts';
import { descriptions } from '../../packages/apiserver/src/resources/index.ts';
import { createStore, type Store } from '../../packages/apiserver/src/store/index.ts';
import { createClock } from '../../packages/apiserver/test/store/support.ts';

const { resource: configMaps } = descriptions.configMaps;
const namespace = 'one';
const objects = 500;
const maxEvents = 10_000;

/**
 * Makes many updates while some watchers are fast, some slow and some stopped, and prints the heap before, during and
 * after. Returns whether the heap is constant.
 */
export async function measure(updates: number, print: (line: string) => void): Promise<boolean> {
  const store = createStore({ clock: createClock(), maxEvents });
  const strategies = [namespaceStrategy(describedStrategy(descriptions.namespaces)), describedStrategy(descriptions.configMaps)];
  const port = createInProcessPort(createRegistry({ store, strategies }));
  await port.create(resources.namespaces, { metadata: { name: namespace } });
  const writer = createWriter(port);
  await writer.fill();
  const { counts, idle } = startReaders(port, store);
  const heap = createHeapReader();
  // The log grows until it is full.
  await writer.write(maxEvents * 2);
  const figures: number[] = [];
  const look = async (part: string): Promise<void> => {
    figures.push(await heap());
    const { objects: stored, events } = store.stats();
    const received = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    print(
      `${part}: heap ${((figures.at(-1) as number) / 2 ** 20).toFixed(2)} MiB, ${stored} objects, ${events} events retained; received: ${received.join(', ')}`,
    );
  };
  const started = performance.now();
  await look('before');
  for (const part of ['after a quarter', 'in the middle', 'after three quarters', 'after']) {
    await writer.write(Math.floor(updates / 4));
    await look(part);
  }
  const seconds = (performance.now() - started) / 1000;
  print(`${updates} writes in ${seconds.toFixed(1)} s, with the watches ${Math.round(updates / seconds)} a second`);
  const failures = [
    !isFlat(figures, print) && 'the heap grows',
    store.stats().events > maxEvents && 'the log has more events than it may',
    counts.fast !== counts.writes && 'a fast reader missed events',
    !(await idle.end()) && 'a stalled reader was not informed that it missed events',
  ].filter((text) => text !== false);
  for (const text of failures) print(text);
  return failures.length === 0;
}

/** Updates objects in turn; sometimes deletes one and creates another under a new name. */
function createWriter(port: ClientPort): { fill(): Promise<void>; write(times: number): Promise<void> } {
  const names: string[] = [];
  let made = 0;
  let turn = 0;
  const create = async (at: number): Promise<void> => {
    made += 1;
    const name = `map-${made}`;
    names[at] = name;
    await port.create(configMaps, { metadata: { namespace, name, labels: { made: String(made) } }, data: { value: '0' } });
  };
  return {
    async fill() {
      for (let at = 0; at < objects; at++) await create(at);
    },
    async write(times) {
      for (let left = times; left > 0; left--) {
        turn += 1;
        const at = (turn * 7) % objects;
        const name = names[at] as string;
        if (turn % 100 === 0 && left > 1) {
          left -= 1;
          await port.delete(configMaps, { namespace, name });
          await create(at);
        } else await port.update(configMaps, { metadata: { namespace, name, labels: { made: name } }, data: { value: `value ${turn}` } });
      }
    },
  };
}

/** Starts the watchers. Their events are counted; the fast ones must receive all. */
function startReaders(port: ClientPort, store: Store) {
  const counts = { writes: 0, fast: 0, slow: 0, resumed: 0 };
  const first = store.revision;
  const from = (): { readonly namespace: string; readonly resourceVersion: string } => ({
    namespace,
    resourceVersion: String(store.revision),
  });
  const fast = port.watch(configMaps, from());
  void (async () => {
    for await (const _ of fast) {
      counts.fast += 1;
      counts.writes = store.revision - first;
    }
  })();
  void readSlowly(port, counts, from);
  const faults = createFaults({ clock: createClock() });
  const idle = [port, faults.port(port)].map((each) => each.watch(configMaps, from())[Symbol.asyncIterator]());
  const hung = idle[1]?.next();
  faults.stall();
  return {
    counts,
    idle: {
      /** Whether watchers that never read, or whose connection hung, find their watch ended. */
      async end() {
        faults.release();
        await hung;
        return (await Promise.all(idle.map((iterator) => iterator.next()))).every(({ done }) => done);
      },
    },
  };
}

/** Reads one event per thousand turns; restarts if the log was compacted. */
async function readSlowly(port: ClientPort, counts: { slow: number; resumed: number }, from: () => object): Promise<void> {
  for (;;) {
    try {
      for await (const _ of port.watch(configMaps, from())) {
        counts.slow += 1;
        for (let turn = 0; turn < 1000; turn++) await undefined;
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

/** Compiled code and hidden classes vary by up to 5 MiB. A leak of two words per write would be 15 MiB in a million. */
const slack = 10 * 2 ** 20;

function isFlat(figures: readonly number[], print: (line: string) => void): boolean {
  const [before = 0] = figures;
  const worst = Math.max(...figures.map((figure) => figure - before));
  const flat = worst <= slack;
  print(`${flat ? 'flat' : 'not flat'}: at most ${(worst / 2 ** 20).toFixed(2)} MiB more than before`);
  return flat;
}
