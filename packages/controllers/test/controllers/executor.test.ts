import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createExecutor } from '../../src/controllers/executor.ts';
import { OwnershipLostError } from '../../src/controllers/failures.ts';
import { createClock } from '../queue/clock.ts';

const web: ApiObject = { metadata: { namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '7' } };

/** Creates an executor whose writes resolve when a test calls `answer`, or reject when their signal aborts. */
function createHarness() {
  const calls: unknown[] = [];
  const clock = createClock();
  const state = { isOwned: true, answer: (): void => {} };
  const createPendingAnswer = (signal: AbortSignal | undefined): Promise<ApiObject> =>
    new Promise((resolve, reject) => {
      state.answer = () => resolve(web);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  const port = {
    update: (_resource, object, options) => {
      calls.push(object);
      return createPendingAnswer(options?.signal);
    },
    delete: (_resource, key, options) => {
      calls.push({ key, preconditions: options?.preconditions });
      return createPendingAnswer(options?.signal);
    },
  } as Partial<ClientPort> as ClientPort;
  const executor = createExecutor({ port, clock, ownership: { owns: () => state.isOwned, onChange: () => () => {} } });
  return { calls, clock, state, executor };
}

test('a delete has the uid and resourceVersion of the object as preconditions', async () => {
  const { calls, executor, state, clock } = createHarness();
  const deletion = executor.delete('shop/web', resources.endpoints, web);
  state.answer();
  await deletion;
  expect(calls).toEqual([{ key: { namespace: 'shop', name: 'web' }, preconditions: { uid: 'u', resourceVersion: '7' } }]);
  expect([executor.successfulWriteCount, clock.scheduled]).toEqual([1, 0]);
});

test('no request is sent for a Service of another replica', async () => {
  const { calls, executor, state, clock } = createHarness();
  state.isOwned = false;
  await expect(executor.update('shop/web', resources.endpoints, web)).rejects.toThrow(OwnershipLostError);
  expect([calls, clock.scheduled]).toEqual([[], 0]);
});

test('a write in progress is aborted if its Service moves to another replica, and not otherwise', async () => {
  const { executor, state } = createHarness();
  const write = executor.update('shop/web', resources.endpoints, web);
  executor.cancelUnowned();
  state.isOwned = false;
  executor.cancelUnowned();
  await expect(write).rejects.toThrow(OwnershipLostError);
  expect(executor.successfulWriteCount).toBe(0);
});

test('a write times out after a minute', async () => {
  const { executor, clock } = createHarness();
  const write = executor.update('shop/web', resources.endpoints, web);
  const rejection = expect(write).rejects.toThrow('no answer within 60 s');
  await clock.pass(60_000);
  await rejection;
});

const endlessPromise = new Promise<never>(() => undefined);

test('a read times out after a minute', async () => {
  const { executor, clock } = createHarness();
  let received: AbortSignal | undefined;
  const read = executor.read('shop/web', (_port, { signal }) => {
    received = signal;
    return endlessPromise;
  });
  const rejection = expect(read).rejects.toThrow('no answer within 60 s');
  await clock.pass(60_000);
  await rejection;
  expect([received?.aborted, clock.scheduled]).toEqual([true, 0]);
});

test('a read of a Service is aborted or refused without its ownership', async () => {
  const { executor, state, clock } = createHarness();
  const read = executor.read('shop/web', () => endlessPromise);
  executor.cancelUnowned();
  state.isOwned = false;
  const otherRead = executor.read(new AbortController().signal, async () => 7);
  executor.cancelUnowned();
  await expect(read).rejects.toThrow(OwnershipLostError);
  await expect(executor.read('shop/web', () => endlessPromise)).rejects.toThrow(OwnershipLostError);
  await expect(otherRead).resolves.toBe(7);
  expect(clock.scheduled).toBe(0);
});

test('a read that concerns no Service is aborted by its signal', async () => {
  const { executor, clock } = createHarness();
  const controller = new AbortController();
  const read = executor.read(controller.signal, () => endlessPromise);
  controller.abort(new Error('over'));
  await expect(read).rejects.toThrow('over');
  expect(clock.scheduled).toBe(0);
});
