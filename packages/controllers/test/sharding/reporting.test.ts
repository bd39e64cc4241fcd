import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { createFixture, type Fixture, partsOf } from '../election/fixture.ts';

interface Replica {
  readonly sharding: Sharding;
  stop(): Promise<void>;
}

/** Replicas whose requests for Leases fail while `error` is set. */
interface Situation extends Fixture {
  error: Error | undefined;
  start(options?: Partial<ShardingOptions>): Replica;
  /** The shards events since the last call, as "members|error". */
  newlyReported(): string[];
}

async function createSituation(): Promise<Situation> {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const may = async <T>(call: () => Promise<T>): Promise<T> => {
    if (situation.error) throw situation.error;
    return call();
  };
  const port: ClientPort = {
    ...client,
    get: (...args) => may(() => client.get(...args)),
    list: (...args) => may(() => client.list(...args)),
    create: (...args) => may(() => client.create(...args)),
    update: (...args) => may(() => client.update(...args)),
  };
  const situation: Situation = {
    ...fixture,
    error: undefined,
    start(options) {
      const sharding = createSharding({ ...partsOf(fixture), port, onEvent: (event) => fixture.reported.push(event), ...options });
      const end = new AbortController();
      const ended = sharding.run(end.signal);
      const stop = (): Promise<void> => {
        end.abort();
        return ended;
      };
      return { sharding, stop };
    },
    newlyReported() {
      const since = fixture.reported.splice(0);
      return since.map((each) => (each.kind === 'shards' ? `${each.members.join(' ')}|${String(each.error ?? '')}` : each.kind));
    },
  };
  return situation;
}

const owns = ({ sharding }: Replica): boolean => sharding.ownership.owns('shop/web');

test('reports once that it cannot join, and again when it has joined', async () => {
  const fixture = await createSituation();
  fixture.error = new Error('forbidden');
  const a = fixture.start();
  await fixture.world.pass(60_000);
  expect([fixture.newlyReported(), a.sharding.joined]).toEqual([['|Error: forbidden'], false]);
  fixture.error = undefined;
  await fixture.world.pass(5000);
  expect([fixture.newlyReported(), a.sharding.joined]).toEqual([['a|'], true]);
});

test('reports a failed renewal, the loss of its keys and its recovery', async () => {
  const fixture = await createSituation();
  const a = fixture.start();
  await fixture.world.pass(5000);
  expect(fixture.newlyReported()).toEqual(['a|']);
  fixture.error = new Error('down');
  await fixture.world.pass(5000);
  expect([fixture.newlyReported(), owns(a)]).toEqual([['a|Error: down'], true]);
  await fixture.world.pass(60_000);
  expect([fixture.newlyReported(), owns(a), a.sharding.joined]).toEqual([['|Error: down'], false, true]);
  fixture.error = undefined;
  await fixture.world.pass(5000);
  expect([fixture.newlyReported(), owns(a)]).toEqual([['a|'], true]);
});

test('reports that another replica holds its Lease', async () => {
  const fixture = await createSituation();
  fixture.start();
  await fixture.world.pass(5000);
  fixture.newlyReported();
  fixture.start({ random: () => 0.25 });
  await fixture.world.pass(60_000);
  expect(fixture.newlyReported()).toEqual(['|Error: another process with this identity holds the Lease']);
});

test('reports that it cannot release its Lease', async () => {
  const fixture = await createSituation();
  const a = fixture.start();
  await fixture.world.pass(5000);
  fixture.newlyReported();
  fixture.error = new Error('down');
  await a.stop();
  expect(fixture.newlyReported()).toEqual(['|Error: down']);
});

test('reports that work does not end before the Lease has to be released', async () => {
  const fixture = await createSituation();
  const a = fixture.start({ beforeRelease: () => new Promise(() => undefined), drainTimeout: 100 });
  await fixture.world.pass(5000);
  fixture.newlyReported();
  const ended = a.stop();
  await fixture.world.pass(100);
  await ended;
  expect(fixture.newlyReported()).toEqual(['|Error: the work did not stop before the Lease had to be released: no answer within 100 ms']);
});
