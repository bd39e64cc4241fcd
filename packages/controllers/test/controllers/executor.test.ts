import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createExecutor } from '../../src/controllers/executor.ts';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import { createClock } from '../queue/clock.ts';

const web: ApiObject = { metadata: { namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '7' } };

/** Writes that resolve when a test calls `answer`, or reject when their signal aborts. */
function bench() {
  const calls: unknown[] = [];
  const clock = createClock();
  const state = { owned: true, answer: (): void => {} };
  const pending = (signal: AbortSignal | undefined): Promise<ApiObject> =>
    new Promise((resolve, reject) => {
      state.answer = () => resolve(web);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  const port = {
    update: (_resource, object, options) => {
      calls.push(object);
      return pending(options?.signal);
    },
    delete: (_resource, key, options) => {
      calls.push({ key, preconditions: options?.preconditions });
      return pending(options?.signal);
    },
  } as Partial<ClientPort> as ClientPort;
  const executor = createExecutor({ port, clock, ownership: { owns: () => state.owned, onChange: () => () => {} } });
  return { calls, clock, state, executor };
}

test('a delete has the uid and resourceVersion of the object as preconditions', async () => {
  const { calls, executor, state, clock } = bench();
  const done = executor.delete('shop/web', resources.endpoints, web);
  state.answer();
  await done;
  expect(calls).toEqual([{ key: { namespace: 'shop', name: 'web' }, preconditions: { uid: 'u', resourceVersion: '7' } }]);
  expect([executor.written, clock.scheduled]).toEqual([1, 0]);
});

test('no request is sent for a Service of another replica', async () => {
  const { calls, executor, state, clock } = bench();
  state.owned = false;
  await expect(executor.update('shop/web', resources.endpoints, web)).rejects.toThrow(OwnershipLost);
  expect([calls, clock.scheduled]).toEqual([[], 0]);
});

test('a write in progress is aborted if its Service moves to another replica, and not otherwise', async () => {
  const { executor, state } = bench();
  const write = executor.update('shop/web', resources.endpoints, web);
  executor.cancelUnowned();
  state.owned = false;
  executor.cancelUnowned();
  await expect(write).rejects.toThrow(OwnershipLost);
  expect(executor.written).toBe(0);
});

test('a write times out after a minute', async () => {
  const { executor, clock } = bench();
  const write = executor.update('shop/web', resources.endpoints, web);
  const fate = expect(write).rejects.toThrow('no answer within 60 s');
  await clock.pass(60_000);
  await fate;
});

const silence = new Promise<never>(() => undefined);

test('a read times out after a minute', async () => {
  const { executor, clock } = bench();
  let received: AbortSignal | undefined;
  const question = executor.read('shop/web', (_port, { signal }) => {
    received = signal;
    return silence;
  });
  const fate = expect(question).rejects.toThrow('no answer within 60 s');
  await clock.pass(60_000);
  await fate;
  expect([received?.aborted, clock.scheduled]).toEqual([true, 0]);
});

test('a read of a Service is aborted or refused without its ownership', async () => {
  const { executor, state, clock } = bench();
  const question = executor.read('shop/web', () => silence);
  executor.cancelUnowned();
  state.owned = false;
  const general = executor.read(new AbortController().signal, async () => 7);
  executor.cancelUnowned();
  await expect(question).rejects.toThrow(OwnershipLost);
  await expect(executor.read('shop/web', () => silence)).rejects.toThrow(OwnershipLost);
  await expect(general).resolves.toBe(7);
  expect(clock.scheduled).toBe(0);
});

test('a read that concerns no Service is aborted by its signal', async () => {
  const { executor, clock } = bench();
  const end = new AbortController();
  const question = executor.read(end.signal, () => silence);
  end.abort(new Error('over'));
  await expect(question).rejects.toThrow('over');
  expect(clock.scheduled).toBe(0);
});
