import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createSharding, type Sharding, type ShardingOptions } from '../../src/sharding/index.ts';
import { commonOptions, createFixture, type Fixture } from '../election/fixture.ts';

interface Replica {
  readonly sharding: Sharding;
  stop(): Promise<void>;
}

/** Replicas whose requests for Leases fail while `error` is set. */
interface FailingFixture extends Fixture {
  error: Error | undefined;
  start(options?: Partial<ShardingOptions>): Replica;
  /** Returns the shards events since the last call, as "members|error". */
  takeShardsEvents(): string[];
}

async function createFailingFixture(): Promise<FailingFixture> {
  const fixture = await createFixture();
  const { client } = fixture.server;
  const callOrFail = async <T>(call: () => Promise<T>): Promise<T> => {
    if (failingFixture.error) throw failingFixture.error;
    return call();
  };
  const port: ClientPort = {
    ...client,
    get: (...args) => callOrFail(() => client.get(...args)),
    list: (...args) => callOrFail(() => client.list(...args)),
    create: (...args) => callOrFail(() => client.create(...args)),
    update: (...args) => callOrFail(() => client.update(...args)),
  };
  const failingFixture: FailingFixture = {
    ...fixture,
    error: undefined,
    start(options) {
      const sharding = createSharding({
        ...commonOptions(fixture),
        port,
        onEvent: (event) => fixture.reportedEvents.push(event),
        ...options,
      });
      const abortController = new AbortController();
      const ended = sharding.run(abortController.signal);
      const stop = (): Promise<void> => {
        abortController.abort();
        return ended;
      };
      return { sharding, stop };
    },
    takeShardsEvents() {
      const newEvents = fixture.reportedEvents.splice(0);
      return newEvents.map((each) => (each.kind === 'shards' ? `${each.members.join(' ')}|${String(each.error ?? '')}` : each.kind));
    },
  };
  return failingFixture;
}

const owns = ({ sharding }: Replica): boolean => sharding.ownership.owns('shop/web');

test('a replica reports once that it cannot join, and reports again when it has joined', async () => {
  const fixture = await createFailingFixture();
  fixture.error = new Error('forbidden');
  const a = fixture.start();
  await fixture.simulator.pass(60_000);
  expect([fixture.takeShardsEvents(), a.sharding.joined]).toEqual([['|Error: forbidden'], false]);
  fixture.error = undefined;
  await fixture.simulator.pass(5000);
  expect([fixture.takeShardsEvents(), a.sharding.joined]).toEqual([['a|'], true]);
});

test('a replica reports a failed renewal, the loss of its keys and its recovery', async () => {
  const fixture = await createFailingFixture();
  const a = fixture.start();
  await fixture.simulator.pass(5000);
  expect(fixture.takeShardsEvents()).toEqual(['a|']);
  fixture.error = new Error('down');
  await fixture.simulator.pass(5000);
  expect([fixture.takeShardsEvents(), owns(a)]).toEqual([['a|Error: down'], true]);
  await fixture.simulator.pass(60_000);
  expect([fixture.takeShardsEvents(), owns(a), a.sharding.joined]).toEqual([['|Error: down'], false, true]);
  fixture.error = undefined;
  await fixture.simulator.pass(5000);
  expect([fixture.takeShardsEvents(), owns(a)]).toEqual([['a|'], true]);
});

test('a replica reports that another replica holds its Lease', async () => {
  const fixture = await createFailingFixture();
  fixture.start();
  await fixture.simulator.pass(5000);
  fixture.takeShardsEvents();
  // A second process with the same identity.
  fixture.start({ random: () => 0.25 });
  await fixture.simulator.pass(60_000);
  expect(fixture.takeShardsEvents()).toEqual(['|Error: another process with this identity holds the Lease']);
});

test('a replica reports that it cannot release its Lease', async () => {
  const fixture = await createFailingFixture();
  const a = fixture.start();
  await fixture.simulator.pass(5000);
  fixture.takeShardsEvents();
  fixture.error = new Error('down');
  await a.stop();
  expect(fixture.takeShardsEvents()).toEqual(['|Error: down']);
});

test('a replica reports that its work does not end in time to release the Lease', async () => {
  const fixture = await createFailingFixture();
  const a = fixture.start({ beforeRelease: () => new Promise(() => undefined), drainTimeout: 100 });
  await fixture.simulator.pass(5000);
  fixture.takeShardsEvents();
  const ended = a.stop();
  await fixture.simulator.pass(100);
  await ended;
  expect(fixture.takeShardsEvents()).toEqual([
    '|Error: the work did not stop before the Lease had to be released: no answer within 100 ms',
  ]);
});
