import { type ApiServer, createApiServer, createFaults, type FaultRule, type Faults, randomnessFrom } from '@kube-endpoints/apiserver';
import { type ClientPort, hasReason, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { createInformer, createProjections, type Informer, type InformerOptions } from '../../src/cache/index.ts';
import { createTestClock, fixedRandom, formatEvent, pods, recordChanges, type TestClock } from './support.ts';

/** An informer of pods on an embedded API server, with injected faults and a manual clock. */
export interface InformerFixture {
  readonly clock: TestClock;
  readonly server: ApiServer;
  /** A client without faults. */
  readonly client: ClientPort;
  readonly faults: Faults;
  readonly informer: Informer<Pod>;
  /** `take` returns the changes of the cache since its last call. */
  readonly changes: { take(): string[] };
  /** The events of the informer, formatted. */
  readonly eventLines: string[];
  /** The number of lists and watches of the informer. */
  readonly calls: { list: number; watch: number };
  readonly controller: AbortController;
  start(): Promise<void>;
  create(name: string): Promise<void>;
  label(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Formats the cached pods by name and label, for example "a=1 b=2". */
  formatCachedPods(): string;
  /** Formats the pods in the API server in the same way. */
  formatServerPods(): Promise<string>;
}

export interface FixtureOptions {
  readonly rules?: readonly FaultRule[];
  readonly seed?: number;
  readonly informer?: Partial<InformerOptions<Pod>>;
  /** Wraps the port between the informer and the server. */
  readonly wrapPort?: (port: ClientPort) => Pick<ClientPort, 'list' | 'watch'>;
}

export async function createFixture({
  rules = [],
  seed = 1,
  informer: overrides,
  wrapPort = (port) => port,
}: FixtureOptions = {}): Promise<InformerFixture> {
  const clock = createTestClock();
  const server = await createApiServer({ clock, randomness: randomnessFrom(createSeededRandom(seed)), background: false });
  const { client } = server;
  await client.create(resources.namespaces, { metadata: { name: 'shop' } });
  const faults = createFaults({ clock, seed, rules, store: { revision: 0, compact: () => server.compact() } });
  const calls = { list: 0, watch: 0 };
  const eventLines: string[] = [];
  const informer = createInformer<Pod>({
    port: countCalls(wrapPort(faults.port(client)), calls),
    resource: pods,
    project: createProjections().pod,
    clock,
    random: fixedRandom,
    onEvent: (event) => eventLines.push(formatEvent(event)),
    ...overrides,
  });
  const controller = new AbortController();
  const fixture: InformerFixture = {
    clock,
    server,
    client,
    faults,
    informer,
    changes: recordChanges(informer),
    eventLines,
    calls,
    controller,
    async start() {
      void informer.run(controller.signal);
      await clock.pass(0);
    },
    ...createWrites(client),
    formatCachedPods: () => formatPods([...informer.cache.values()]),
    formatServerPods: async () => formatPods((await client.list(pods)).items as readonly Pod[]),
  };
  return fixture;
}

function createWrites(client: ClientPort): Pick<InformerFixture, 'create' | 'label' | 'remove'> {
  const keyOf = (name: string) => ({ namespace: 'shop', name });
  return {
    async create(name) {
      const spec = { containers: [{ name: 'main', image: 'main:1' }] };
      await client.create(pods, { metadata: { ...keyOf(name), labels: { rev: '1' } }, spec });
    },
    async label(name, value) {
      await client.patch(pods, keyOf(name), { metadata: { labels: { rev: value } } }, { type: 'merge' });
    },
    async remove(name) {
      await client.delete(pods, keyOf(name), { gracePeriodSeconds: 0 }).catch((error: unknown) => {
        if (!hasReason(error, 'NotFound')) throw error;
      });
    },
  };
}

function countCalls(port: Pick<ClientPort, 'list' | 'watch'>, calls: InformerFixture['calls']): Pick<ClientPort, 'list' | 'watch'> {
  return {
    list(resource, options) {
      calls.list += 1;
      return port.list(resource, options);
    },
    watch(resource, options) {
      calls.watch += 1;
      return port.watch(resource, options);
    },
  };
}

export const formatPods = (list: readonly Pod[]): string =>
  list
    .map(({ metadata }) => `${metadata?.name}=${metadata?.labels?.['rev']}`)
    .sort()
    .join(' ');

/** Returns a function that returns reproducible numbers from 0 (inclusive) to 1 (exclusive). */
export function createSeededRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
