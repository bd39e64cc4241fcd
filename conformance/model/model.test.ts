import type { ApiObject, ClientPort, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { sampledRunCount } from '../../test/support/sample.ts';
import { createInProcessFactory } from './in-process.ts';
import { runScenario } from './scenario.ts';
import type { SubjectFactory } from './subject.ts';

const seedCount = sampledRunCount(200);

it(`behaves like a sequential server in ${seedCount} runs with many concurrent clients`, async () => {
  for (let seed = 1; seed <= seedCount; seed++)
    expect((await runScenario(createInProcessFactory(), seed)).problems, `seed ${seed}`).toEqual([]);
});

it(`behaves like a sequential server in ${seedCount} runs with a journal that is slow and sometimes fails`, async () => {
  for (let seed = 1; seed <= seedCount; seed++)
    expect((await runScenario(createInProcessFactory({ isJournaled: true }), seed)).problems, `seed ${seed}`).toEqual([]);
});

it('repeats a run with the same seed', async () => {
  const [first, repeated, differentSeed] = [
    await runScenario(createInProcessFactory(), 7),
    await runScenario(createInProcessFactory(), 7),
    await runScenario(createInProcessFactory(), 8),
  ];
  expect(repeated).toEqual(first);
  expect(differentSeed).not.toEqual(first);
  expect(first.writes).toBeGreaterThan(50);
  expect(first.events).toBeGreaterThan(10);
});

describe('finds a problem if the server', () => {
  it.each<[string, Sabotage, RegExp]>([
    ['misses an event', spoilWatches((events) => skip(events, 3)), /was expected, not|did not arrive/],
    ['misses the last event', spoilWatches(delayByOne), /did not arrive|was expected, not/],
    ['sends an event twice', spoilWatches((events) => repeat(events, 3)), /was expected, not|is unexpected/],
    ['sends events in the wrong order', spoilWatches((events) => swap(events, 2)), /was expected, not|is unexpected/],
    ['starts one version late', startOneVersionLate, /was expected, not|did not arrive/],
    ['sends bookmarks with too high versions', spoilWatches(raiseBookmarks), /a bookmark of \d+ before/],
    ['ignores conflicts', ignoreConflicts, /it is based on \d+, but replaced \d+/],
    ['acknowledges writes without executing them', dropWrites, /is not in the history|\d+ is not between/],
    ['rejects a write without a valid reason', rejectWithoutReason, /without a reason/],
    ['omits objects from a list', shortenLists, /items, expected|item \d+ is/],
    ['lists an older version than it reports', listOlderItems, /items, expected|item \d+ is/],
    ['answers gets with old objects', getStaleObjects(), /at any time between/],
  ])('%s', async (_, sabotage, expected) => {
    const createSubject: SubjectFactory = async (draw) => {
      const subject = await createInProcessFactory()(draw);
      return { ...subject, port: { ...subject.port, ...sabotage(subject.port) } };
    };
    const problems: string[] = [];
    for (let seed = 1; seed <= 10 && problems.length === 0; seed++) problems.push(...(await runScenario(createSubject, seed)).problems);
    expect(problems.join('\n')).toMatch(expected);
  });
});

type Sabotage = (port: ClientPort) => Partial<ClientPort>;
type Events = AsyncIterable<WatchEvent>;

/** Only auditors watch without setting allowWatchBookmarks. Their events are the reference, so they are not changed. */
const isAuditor = ({ allowWatchBookmarks }: WatchOptions): boolean => allowWatchBookmarks === undefined;

function spoilWatches(spoil: (events: Events) => Events): Sabotage {
  return (port) => ({
    watch: (resource, options = {}) => (isAuditor(options) ? port.watch(resource, options) : spoil(port.watch(resource, options))),
  });
}

async function* skip(events: Events, nth: number): Events {
  let count = 0;
  for await (const event of events) {
    count += 1;
    if (count !== nth) yield event;
  }
}

async function* delayByOne(events: Events): Events {
  let pending: WatchEvent | undefined;
  for await (const event of events) {
    if (pending) yield pending;
    pending = event;
  }
}

async function* repeat(events: Events, nth: number): Events {
  let count = 0;
  for await (const event of events) {
    count += 1;
    yield event;
    if (count === nth) yield event;
  }
}

async function* swap(events: Events, nth: number): Events {
  let count = 0;
  let pending: WatchEvent | undefined;
  for await (const event of events) {
    count += 1;
    if (count === nth) pending = event;
    else yield event;
    if (count === nth + 1 && pending) yield pending;
  }
}

async function* raiseBookmarks(events: Events): Events {
  for await (const event of events) {
    if (event.type !== 'BOOKMARK' || event.object.metadata.annotations) yield event;
    else {
      const resourceVersion = String(Number(event.object.metadata.resourceVersion) + 1000);
      yield { ...event, object: { ...event.object, metadata: { resourceVersion } } };
    }
  }
}

function startOneVersionLate(port: ClientPort): Partial<ClientPort> {
  return {
    watch(resource, options = {}) {
      const from = Number(options.resourceVersion ?? 0);
      const startOptions = isAuditor(options) || from === 0 ? {} : { resourceVersion: String(from + 1) };
      return port.watch(resource, { ...options, ...startOptions });
    },
  };
}

function ignoreConflicts(port: ClientPort): Partial<ClientPort> {
  return {
    update(resource, object, options) {
      const { resourceVersion: _, ...metadata } = object.metadata;
      return port.update(resource, { ...object, metadata } as ApiObject, options);
    },
  };
}

function dropWrites(port: ClientPort): Partial<ClientPort> {
  let calls = 0;
  return {
    patch(resource, key, patch, options) {
      calls += 1;
      return port.patch(resource, key, patch, calls % 10 === 0 ? { ...options, dryRun: true } : options);
    },
  };
}

function rejectWithoutReason(port: ClientPort): Partial<ClientPort> {
  let calls = 0;
  return {
    async patch(resource, key, patch, options) {
      calls += 1;
      const preconditions = { uid: 'another' };
      return calls % 5 === 0 ? port.delete(resource, key, { preconditions }) : port.patch(resource, key, patch, options);
    },
  };
}

function shortenLists(port: ClientPort): Partial<ClientPort> {
  return {
    async list(resource, options) {
      const list = await port.list(resource, options);
      return { ...list, items: list.items.slice(0, 2) };
    },
  };
}

function listOlderItems(port: ClientPort): Partial<ClientPort> {
  const cached = new Map<string, readonly ApiObject[]>();
  return {
    async list(resource, options = {}) {
      const list = await port.list(resource, options);
      const key = JSON.stringify([resource.plural, options.namespace, options.labelSelector, options.fieldSelector]);
      const items = options.limit === undefined ? cached.get(key) : undefined;
      if (options.limit === undefined) cached.set(key, list.items);
      return items ? { ...list, items } : list;
    },
  };
}

function getStaleObjects(): Sabotage {
  return (port) => {
    const cached = new Map<string, ApiObject>();
    return {
      async get(resource, key, options) {
        const name = JSON.stringify([resource.plural, key]);
        const object = cached.get(name) ?? (await port.get(resource, key, options));
        cached.set(name, object);
        return object;
      },
    };
  };
}
