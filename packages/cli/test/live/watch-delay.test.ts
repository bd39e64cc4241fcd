import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApiServer } from '@kube-endpoints/apiserver';
import { ApiError, type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import { measureWatch, watchWrites } from '../../src/live/watch-delay.ts';
import { createQuickClock, type QuickClock } from '../quick-clock.ts';

const namespace = 'default';

/** Replaces calls of a port. */
type Change = (port: ClientPort, clock: QuickClock) => Partial<ClientPort>;

interface Outcome {
  readonly value?: readonly { readonly min: number; readonly max: number }[];
  readonly error?: unknown;
  readonly calls: readonly string[];
  /** The number of Leases that stay. */
  readonly left: number;
}

/** Measures with the embedded API server. */
async function measure(change: Change, clock = createQuickClock(), signal = new AbortController().signal): Promise<Outcome> {
  await using server = await createApiServer({ background: false });
  const calls: string[] = [];
  const port = { ...server.client, ...change(server.client, clock) };
  const record =
    <Args extends readonly unknown[], T>(name: string, call: (...args: Args) => T) =>
    (...args: Args): T => {
      calls.push(name);
      return call(...args);
    };
  const { create, update, delete: remove } = port;
  const recorded = { ...port, create: record('create', create), update: record('update', update), delete: record('delete', remove) };
  const [result] = await Promise.allSettled([measureWatch(recorded, { namespace, clock, signal })]);
  const { items } = await server.client.list(resources.leases, { namespace });
  return { ...(result.status === 'fulfilled' ? { value: result.value } : { error: result.reason }), calls, left: items.length };
}

/** Lets several turns of the event loop pass, so that everything that is ready happens. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await nextTurn();
}

/** A request takes 4 ms until it is stored and 2 ms until its answer; an event arrives 3 ms after the earlier or the later of both. */
const timed =
  (isEventFirst: boolean): Change =>
  (port, clock) => ({
    async update(...args) {
      clock.pass(4);
      const updated = await port.update(...args);
      if (isEventFirst) await settle();
      clock.pass(2);
      return updated;
    },
    async *watch(...args) {
      for await (const event of port.watch(...args)) {
        if (!isEventFirst) await settle();
        clock.pass(3);
        yield event;
      }
    },
  });

test.each([
  ['from the answer to the event, at least, and from the request', false, { min: 3, max: 9 }],
  ['0 at least, if the event arrives before the answer', true, { min: 0, max: 7 }],
])('the delay of each write of a Lease is the time %s', async (_, isEventFirst, range) => {
  const { value, calls, left } = await measure(timed(isEventFirst));
  expect(value).toStrictEqual(Array.from({ length: watchWrites }, () => range));
  expect({ calls, left }).toStrictEqual({
    calls: ['create', ...Array.from({ length: watchWrites + 1 }, () => 'update'), 'delete'],
    left: 0,
  });
});

test('writes begin a tenth of a second after each other', async () => {
  const clock = createQuickClock();
  const times: number[] = [];
  const { value } = await measure((port) => {
    const { update } = timed(true)(port, clock) as Pick<ClientPort, 'update'>;
    return {
      update(...args) {
        times.push(clock.elapsed());
        return update(...args);
      },
    };
  }, clock);
  expect(value).toHaveLength(watchWrites);
  expect(times).toStrictEqual(Array.from({ length: watchWrites + 1 }, (_, i) => i * 100));
});

const forbidden = (verb: string): ApiError =>
  new ApiError({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden' },
    message: `leases.coordination.k8s.io is forbidden: User "jane" cannot ${verb} resource "leases"`,
  });

const refused = (verb: string): string =>
  `--measure-watch cannot ${verb} leases.coordination.k8s.io in namespace "default": leases.coordination.k8s.io is forbidden: User "jane" cannot ${verb} resource "leases" (it needs the verbs create, watch, update and delete)`;

test.each<[string, Change, RegExp | string, readonly string[], number]>([
  ['create', () => ({ create: () => Promise.reject(forbidden('create')) }), refused('create'), ['create'], 0],
  ['update', () => ({ update: () => Promise.reject(forbidden('update')) }), refused('update'), ['create', 'update', 'delete'], 0],
  [
    'watch',
    () => ({
      async *watch() {
        yield await Promise.reject(forbidden('watch'));
      },
    }),
    refused('watch'),
    ['create', 'update', 'delete'],
    0,
  ],
  [
    'delete',
    () => ({ update: () => Promise.reject(forbidden('update')), delete: () => Promise.reject(forbidden('delete')) }),
    new RegExp(
      `^${refused('update').replaceAll(/[().]/g, '\\$&')}; ${refused('delete').replaceAll(/[().]/g, '\\$&')}; delete it: kubectl delete lease -n default kube-endpoints-delays-\\w{5}$`,
    ),
    ['create', 'update', 'delete'],
    1,
  ],
])('a user without the right to %s gets an error, and the Lease is deleted', async (_, change, message, calls, left) => {
  const outcome = await measure(change);
  expect(outcome.error).toBeInstanceOf(UsageError);
  const text = (outcome.error as UsageError).message;
  if (typeof message === 'string') expect(text).toBe(message);
  else expect(text).toMatch(message);
  expect({ calls: outcome.calls, left: outcome.left }).toStrictEqual({ calls, left });
});

test('a Lease that is gone needs no deletion', async () => {
  const { error, left } = await measure((port) => ({
    async update(resource, object, options) {
      await port.delete(resource, { namespace, name: object.metadata.name as string });
      return port.update(resource, object, options);
    },
  }));
  expect((error as UsageError).message).toMatch(/^--measure-watch cannot update [^;]*$/);
  expect(left).toBe(0);
});

test('a watch that the server ends, or whose event is late, is an error', async () => {
  const ended = await measure(() => ({ async *watch() {} }));
  expect(ended).toMatchObject({
    error: new UsageError(
      '--measure-watch cannot watch leases.coordination.k8s.io in namespace "default": the server ended the watch: try again',
    ),
    left: 0,
  });
  const clock = createQuickClock(60_000);
  const late = await measure(
    (port) => ({ watch: (resource, options) => port.watch(resource, { ...options, fieldSelector: 'metadata.name=x' }) }),
    clock,
  );
  expect(late).toMatchObject({ error: new UsageError('the event of a write did not arrive at the watch within 30 s'), left: 0 });
});

test('a signal ends the measurement after the Lease is deleted', async () => {
  const stop = new AbortController();
  const reason = new UsageError('stopped');
  let updates = 0;
  const outcome = await measure(
    (port) => ({
      update(...args) {
        updates += 1;
        if (updates === 3) stop.abort(reason);
        return port.update(...args);
      },
    }),
    createQuickClock(),
    stop.signal,
  );
  expect(outcome).toMatchObject({ error: reason, calls: ['create', 'update', 'update', 'update', 'delete'], left: 0 });
});
