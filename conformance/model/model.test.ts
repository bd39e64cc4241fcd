import type { ApiObject, ClientPort, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/sample.ts';
import { makeInProcess } from './in-process.ts';
import { play } from './play.ts';
import type { MakeSubject } from './subject.ts';

const seeds = runs(200);

it(`behaves like a sequential server in ${seeds} runs with many concurrent clients`, async () => {
  for (let seed = 1; seed <= seeds; seed++) expect((await play(makeInProcess(), seed)).problems, `seed ${seed}`).toEqual([]);
});

it('repeats a run with the same seed', async () => {
  const [one, same, other] = [await play(makeInProcess(), 7), await play(makeInProcess(), 7), await play(makeInProcess(), 8)];
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
  expect(one.writes).toBeGreaterThan(50);
  expect(one.events).toBeGreaterThan(10);
});

describe('detects a faulty server', () => {
  it.each<[string, Sabotage, RegExp]>([
    ['misses an event', watching((events) => skip(events, 3)), /was expected, not|did not arrive/],
    ['misses the last event', watching(holdBack), /did not arrive|was expected, not/],
    ['sends an event twice', watching((events) => repeat(events, 3)), /was expected, not|is unexpected/],
    ['sends events in another order', watching((events) => swap(events, 2)), /was expected, not|is unexpected/],
    ['starts one version late', skippingOne, /was expected, not|did not arrive/],
    ['sends bookmarks with too high versions', watching(ahead), /a bookmark of \d+ before/],
    ['ignores conflicts', careless, /it is based on \d+, but replaced \d+/],
    ['acknowledges writes that it does not make', forgetful, /is not in the history|\d+ is not between/],
    ['fails without a reason', grumpy, /without a reason/],
    ['omits an object of a list', shortLists, /items, expected|item \d+ is/],
    ['lists an older version than it reports', olderLists, /items, expected|item \d+ is/],
    ['answers gets with old objects', staleGets(), /at any time between/],
  ])('%s', async (_, sabotage, expected) => {
    const make: MakeSubject = async (draw) => {
      const subject = await makeInProcess()(draw);
      return { ...subject, port: { ...subject.port, ...sabotage(subject.port) } };
    };
    const problems: string[] = [];
    for (let seed = 1; seed <= 10 && problems.length === 0; seed++) problems.push(...(await play(make, seed)).problems);
    expect(problems.join('\n')).toMatch(expected);
  });
});

type Sabotage = (port: ClientPort) => Partial<ClientPort>;
type Events = AsyncIterable<WatchEvent>;

/** Subscribers that keep the history do not support bookmarks. */
const isHistorian = ({ allowWatchBookmarks }: WatchOptions): boolean => allowWatchBookmarks === undefined;

function watching(spoil: (events: Events) => Events): Sabotage {
  return (port) => ({
    watch: (resource, options = {}) => (isHistorian(options) ? port.watch(resource, options) : spoil(port.watch(resource, options))),
  });
}

async function* skip(events: Events, nth: number): Events {
  let count = 0;
  for await (const event of events) {
    count += 1;
    if (count !== nth) yield event;
  }
}

async function* holdBack(events: Events): Events {
  let held: WatchEvent | undefined;
  for await (const event of events) {
    if (held) yield held;
    held = event;
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
  let held: WatchEvent | undefined;
  for await (const event of events) {
    count += 1;
    if (count === nth) held = event;
    else yield event;
    if (count === nth + 1 && held) yield held;
  }
}

async function* ahead(events: Events): Events {
  for await (const event of events) {
    if (event.type !== 'BOOKMARK' || event.object.metadata.annotations) yield event;
    else {
      const resourceVersion = String(Number(event.object.metadata.resourceVersion) + 1000);
      yield { ...event, object: { ...event.object, metadata: { resourceVersion } } };
    }
  }
}

function skippingOne(port: ClientPort): Partial<ClientPort> {
  return {
    watch(resource, options = {}) {
      const from = Number(options.resourceVersion ?? 0);
      const late = isHistorian(options) || from === 0 ? {} : { resourceVersion: String(from + 1) };
      return port.watch(resource, { ...options, ...late });
    },
  };
}

function careless(port: ClientPort): Partial<ClientPort> {
  return {
    update(resource, object, options) {
      const { resourceVersion: _, ...metadata } = object.metadata;
      return port.update(resource, { ...object, metadata } as ApiObject, options);
    },
  };
}

function forgetful(port: ClientPort): Partial<ClientPort> {
  let calls = 0;
  return {
    patch(resource, key, patch, options) {
      calls += 1;
      return port.patch(resource, key, patch, calls % 10 === 0 ? { ...options, dryRun: true } : options);
    },
  };
}

function grumpy(port: ClientPort): Partial<ClientPort> {
  let calls = 0;
  return {
    async patch(resource, key, patch, options) {
      calls += 1;
      const preconditions = { uid: 'another' };
      return calls % 5 === 0 ? port.delete(resource, key, { preconditions }) : port.patch(resource, key, patch, options);
    },
  };
}

function shortLists(port: ClientPort): Partial<ClientPort> {
  return {
    async list(resource, options) {
      const list = await port.list(resource, options);
      return { ...list, items: list.items.slice(0, 2) };
    },
  };
}

function olderLists(port: ClientPort): Partial<ClientPort> {
  const known = new Map<string, readonly ApiObject[]>();
  return {
    async list(resource, options = {}) {
      const list = await port.list(resource, options);
      const key = JSON.stringify([resource.plural, options.namespace, options.labelSelector, options.fieldSelector]);
      const items = options.limit === undefined ? known.get(key) : undefined;
      if (options.limit === undefined) known.set(key, list.items);
      return items ? { ...list, items } : list;
    },
  };
}

function staleGets(): Sabotage {
  return (port) => {
    const known = new Map<string, ApiObject>();
    return {
      async get(resource, key, options) {
        const name = JSON.stringify([resource.plural, key]);
        const object = known.get(name) ?? (await port.get(resource, key, options));
        known.set(name, object);
        return object;
      },
    };
  };
}
