import { createApiServer } from '@kube-endpoints/apiserver';
import { ApiError, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { combineObservers, observePort } from '../../src/operations/index.ts';
import { createStoppedClock, syncedEvent } from './runtime-events.ts';

async function createObservedPort(): Promise<{ port: ClientPort; reportedRequests: string[]; close: () => Promise<void> }> {
  const server = await createApiServer({
    background: false,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
  });
  const reportedRequests: string[] = [];
  const onEvent = (event: RuntimeEvent): void => {
    if (event.kind === 'request') reportedRequests.push(`${event.verb} ${event.resource} ${event.code}`);
  };
  return { port: observePort(server.client, createStoppedClock(), onEvent), reportedRequests, close: () => server.close() };
}

const service = { metadata: { namespace: 'shop', name: 'web' }, spec: { ports: [{ port: 80 }], selector: { app: 'web' } } };
const key = { namespace: 'shop', name: 'web' };

describe('an observed port', () => {
  test('reports each call with its status code and returns the original answer', async () => {
    const { port, reportedRequests, close } = await createObservedPort();
    const created = await port.create(resources.services, service);
    expect(await port.get(resources.services, key)).toEqual(created);
    await port.update(resources.services, created);
    await port.patch(resources.services, key, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
    expect((await port.list(resources.services, { namespace: 'shop' })).items).toHaveLength(1);
    await expect(port.update(resources.services, { ...created, metadata: { ...created.metadata, resourceVersion: '1' } })).rejects.toThrow(
      ApiError,
    );
    await port.delete(resources.services, key);
    await port.deleteCollection(resources.pods, { namespace: 'shop' });
    expect(reportedRequests).toEqual([
      'create services 201',
      'get services 200',
      'update services 200',
      'patch services 200',
      'list services 200',
      'update services 409',
      'delete services 200',
      'deleteCollection pods 200',
    ]);
    await close();
  });

  test('reports a watch once, on its first event', async () => {
    const { port, reportedRequests, close } = await createObservedPort();
    await port.create(resources.services, service);
    reportedRequests.length = 0;
    const types: string[] = [];
    for await (const { type } of port.watch(resources.services, { namespace: 'shop' })) {
      types.push(type);
      expect(reportedRequests).toEqual(['watch services 200']);
      break;
    }
    expect(types).toEqual(['ADDED']);
    expect(reportedRequests).toEqual(['watch services 200']);
    await close();
  });

  test('reports a refused watch', async () => {
    const { port, reportedRequests, close } = await createObservedPort();
    const watch = async (): Promise<void> => {
      for await (const _ of port.watch(resources.services, { sendInitialEvents: true }));
    };
    await expect(watch()).rejects.toThrow(ApiError);
    expect(reportedRequests).toEqual(['watch services 422']);
    await close();
  });

  test('reports the duration of a call, and code 0 without a response', async () => {
    const reportedRequests: RuntimeEvent[] = [];
    const clock = createStoppedClock();
    const failingPort = {
      get: () => {
        clock.pass(1500);
        return Promise.reject(new Error('socket hang up'));
      },
    } as unknown as ClientPort;
    const port = observePort(failingPort, clock, (event) => void reportedRequests.push(event));
    await expect(port.get(resources.pods, key)).rejects.toThrow('socket hang up');
    expect(reportedRequests).toEqual([{ kind: 'request', verb: 'get', resource: 'pods', code: 0, milliseconds: 1500 }]);
  });

  test('passes an abort of a watch to the wrapped port', async () => {
    const server = await createApiServer({ background: false });
    const port = observePort(server.client, createStoppedClock(), () => undefined);
    const abortController = new AbortController();
    const watch = port.watch(resources.pods, { signal: abortController.signal })[Symbol.asyncIterator]();
    const next = watch.next();
    abortController.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await server.close();
  });
});

test('combineObservers calls each observer in order and skips undefined', () => {
  const received: string[] = [];
  combineObservers(
    ({ kind }) => void received.push(`first ${kind}`),
    undefined,
    ({ kind }) => void received.push(`second ${kind}`),
  )(syncedEvent());
  expect(received).toEqual(['first synced', 'second synced']);
});
