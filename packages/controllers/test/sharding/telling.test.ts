import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { createPlace, type Place, partsOf } from '../election/place.ts';

interface Replica {
  readonly sharding: Sharding;
  stop(): Promise<void>;
}

/** Replicas whose requests for Leases fail while `error` is set. */
interface Situation extends Place {
  error: Error | undefined;
  start(options?: Partial<ShardingOptions>): Replica;
  /** The shards events since the last call, as "members|error". */
  newlyTold(): string[];
}

async function createSituation(): Promise<Situation> {
  const place = await createPlace();
  const { client } = place.server;
  const may = async <T>(call: () => Promise<T>): Promise<T> => {
    if (situation.error) throw situation.error;
    return call();
  };
  const port: ClientPort = {
    ...client,
    get: (...given) => may(() => client.get(...given)),
    list: (...given) => may(() => client.list(...given)),
    create: (...given) => may(() => client.create(...given)),
    update: (...given) => may(() => client.update(...given)),
  };
  const situation: Situation = {
    ...place,
    error: undefined,
    start(options) {
      const sharding = createSharding({ ...partsOf(place), port, onEvent: (event) => place.told.push(event), ...options });
      const end = new AbortController();
      const ended = sharding.run(end.signal);
      const stop = (): Promise<void> => {
        end.abort();
        return ended;
      };
      return { sharding, stop };
    },
    newlyTold() {
      const since = place.told.splice(0);
      return since.map((each) => (each.kind === 'shards' ? `${each.members.join(' ')}|${String(each.error ?? '')}` : each.kind));
    },
  };
  return situation;
}

const owns = ({ sharding }: Replica): boolean => sharding.ownership.owns('shop/web');

test('reports once that it cannot join, and again when it has joined', async () => {
  const place = await createSituation();
  place.error = new Error('forbidden');
  const a = place.start();
  await place.world.pass(60_000);
  expect([place.newlyTold(), a.sharding.joined]).toEqual([['|Error: forbidden'], false]);
  place.error = undefined;
  await place.world.pass(5000);
  expect([place.newlyTold(), a.sharding.joined]).toEqual([['a|'], true]);
});

test('reports a failed renewal, the loss of its keys and its recovery', async () => {
  const place = await createSituation();
  const a = place.start();
  await place.world.pass(5000);
  expect(place.newlyTold()).toEqual(['a|']);
  place.error = new Error('down');
  await place.world.pass(5000);
  expect([place.newlyTold(), owns(a)]).toEqual([['a|Error: down'], true]);
  await place.world.pass(60_000);
  expect([place.newlyTold(), owns(a), a.sharding.joined]).toEqual([['|Error: down'], false, true]);
  place.error = undefined;
  await place.world.pass(5000);
  expect([place.newlyTold(), owns(a)]).toEqual([['a|'], true]);
});

test('reports that another replica holds its Lease', async () => {
  const place = await createSituation();
  place.start();
  await place.world.pass(5000);
  place.newlyTold();
  place.start({ random: () => 0.25 });
  await place.world.pass(60_000);
  expect(place.newlyTold()).toEqual(['|Error: another run holds the Lease of this identity']);
});

test('reports that it cannot release its Lease', async () => {
  const place = await createSituation();
  const a = place.start();
  await place.world.pass(5000);
  place.newlyTold();
  place.error = new Error('down');
  await a.stop();
  expect(place.newlyTold()).toEqual(['|Error: down']);
});

test('reports that work does not end before the Lease has to be released', async () => {
  const place = await createSituation();
  const a = place.start({ beforeRelease: () => new Promise(() => undefined), drainTimeout: 100 });
  await place.world.pass(5000);
  place.newlyTold();
  const ended = a.stop();
  await place.world.pass(100);
  await ended;
  expect(place.newlyTold()).toEqual(['|Error: the work did not end before its lease was to be released: no answer within 100 ms']);
});
