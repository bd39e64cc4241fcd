import { createApiServer } from '@kube-endpoints/apiserver';
import { type ClientPort, resources, type WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createRateLimiter, rateLimitPort, type ThrottledEvent } from '../../src/rate-limit/index.ts';
import { createClock, flushPromises } from '../queue/clock.ts';

const key = { namespace: 'default', name: 'web' };
const service = { metadata: key, spec: { ports: [{ port: 80 }] } };

/** A port with one token, which is taken, over an API server. `calls` lists what reaches the server. */
async function setup() {
  const server = await createApiServer({ background: false });
  const clock = createClock();
  const calls: string[] = [];
  const recordingPort = new Proxy(server.client, {
    get:
      (target, name: keyof ClientPort) =>
      (...args: unknown[]): unknown => {
        calls.push(name);
        return (target[name] as (...args: unknown[]) => unknown)(...args);
      },
  });
  const events: ThrottledEvent[] = [];
  const limiter = createRateLimiter({ qps: 10, burst: 1, clock });
  const port = rateLimitPort(recordingPort, { limiter, clock, onEvent: (event) => void events.push(event) });
  await port.create(resources.services, service);
  events.length = 0;
  calls.length = 0;
  return { server, clock, calls, events, port };
}

describe('a rate-limited port', () => {
  it('sends each request when the limiter permits it, and reports how long it waited', async () => {
    const { server, clock, calls, events, port } = await setup();
    const requests = [
      port.get(resources.services, key),
      port.list(resources.services, { namespace: 'default' }),
      port.update(resources.services, { ...service, metadata: { ...key, labels: { a: 'b' } } }),
      port.patch(resources.services, key, { metadata: { labels: { c: 'd' } } }, { type: 'merge' }),
      port.delete(resources.services, key),
      port.deleteCollection(resources.pods, { namespace: 'default' }),
    ];
    await flushPromises();
    expect(calls).toEqual([]);
    await clock.pass(350);
    expect(calls).toEqual(['get', 'list', 'update']);
    await clock.pass(250);
    const [found] = await Promise.all(requests);
    expect(found?.metadata).toMatchObject(key);
    expect(calls).toEqual(['get', 'list', 'update', 'patch', 'delete', 'deleteCollection']);
    expect(events.map(({ kind, verb, resource, milliseconds }) => [kind, verb, resource, milliseconds])).toEqual([
      ['throttled', 'get', 'services', 100],
      ['throttled', 'list', 'services', 200],
      ['throttled', 'update', 'services', 300],
      ['throttled', 'patch', 'services', 400],
      ['throttled', 'delete', 'services', 500],
      ['throttled', 'deleteCollection', 'pods', 600],
    ]);
    await server.close();
  });

  it('opens watches at once and takes no token for them', async () => {
    const { server, clock, events, port } = await setup();
    const controller = new AbortController();
    const watch = port.watch(resources.services, { signal: controller.signal })[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ type: 'ADDED' } satisfies Partial<WatchEvent>);
    const found = port.get(resources.services, key);
    await clock.pass(100);
    await found;
    expect(events).toEqual([{ kind: 'throttled', verb: 'get', resource: 'services', milliseconds: 100 }]);
    controller.abort();
    await server.close();
  });

  it.each([
    ['get', (port: ClientPort, signal: AbortSignal) => port.get(resources.services, key, { signal })],
    ['list', (port: ClientPort, signal: AbortSignal) => port.list(resources.services, { signal })],
    ['create', (port: ClientPort, signal: AbortSignal) => port.create(resources.services, service, { signal })],
    ['update', (port: ClientPort, signal: AbortSignal) => port.update(resources.services, service, { signal })],
    ['patch', (port: ClientPort, signal: AbortSignal) => port.patch(resources.services, key, {}, { type: 'merge', signal })],
    ['delete', (port: ClientPort, signal: AbortSignal) => port.delete(resources.services, key, { signal })],
    ['deleteCollection', (port: ClientPort, signal: AbortSignal) => port.deleteCollection(resources.services, {}, { signal })],
    ['a deleteCollection by its list', (port: ClientPort, signal: AbortSignal) => port.deleteCollection(resources.services, { signal })],
  ] as const)('does not send %s if it is aborted while it waits', async (_, call) => {
    const { server, clock, calls, events, port } = await setup();
    const controller = new AbortController();
    const request = call(port, controller.signal).catch((error: unknown) => error);
    await clock.pass(30);
    controller.abort(new Error('stopped'));
    await clock.pass(1000);
    expect(await request).toEqual(new Error('stopped'));
    expect(calls).toEqual([]);
    expect(events.map(({ milliseconds }) => milliseconds)).toEqual([30]);
    await server.close();
  });

  it('shares one limiter among ports', async () => {
    const { server, clock } = await setup();
    const limiter = createRateLimiter({ qps: 10, burst: 1, clock });
    const [first, second] = [rateLimitPort(server.client, { limiter, clock }), rateLimitPort(server.client, { limiter, clock })];
    await first.get(resources.services, key);
    let isSent = false;
    void second.get(resources.services, key).then(() => {
      isSent = true;
    });
    await clock.pass(99);
    expect(isSent).toBe(false);
    await clock.pass(1);
    expect(isSent).toBe(true);
    await server.close();
  });
});
