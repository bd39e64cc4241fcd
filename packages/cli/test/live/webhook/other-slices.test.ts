import { createApiServer } from '@kube-endpoints/apiserver';
import { createOverrides, type OverrideResult, type Overrides } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { type ClientPort, type ListOptions, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookClock } from '../../../../overrides/test/webhook/support.ts';
import { createLiveContext, type LiveContext } from '../../../src/live/webhook/context.ts';

const keeping = (atLeast: number): Overrides => createOverrides({ rules: [{ name: 'keep', action: { keepReady: { atLeast } } }] });

/** Slice 1 has 10.0.1.1 and 10.0.1.2, and so on; the first `ready` of them are ready. */
const sliceOf = (number: number, ready: number): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name: `web-${number}`, labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [1, 2].map((location) => ({ addresses: [`10.0.${number}.${location}`], conditions: { ready: location <= ready } })),
  ports: [{ name: '', port: 8080, protocol: 'TCP' }],
});

const requestFor = (number: number, more: Partial<ReviewedRequest> = {}): ReviewedRequest => ({
  uid: `of-${number}`,
  kind: 'EndpointSlice',
  operation: 'UPDATE',
  namespace: 'shop',
  name: `web-${number}`,
  serviceName: 'web',
  dryRun: false,
  ...more,
});

const keyOf = (number: number) => ({ namespace: 'shop', name: `web-${number}` });

const kind = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };

/** A Service with three slices of two ready addresses each, in the store and in the cache; reviewed writes are never stored. */
async function world(overrides: Overrides, list?: (port: ClientPort, options: ListOptions) => ReturnType<ClientPort['list']>) {
  const server = await createApiServer({ objects: [1, 2, 3].map((number) => ({ ...kind, ...sliceOf(number, 2) })) as never });
  const clock = createWebhookClock();
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await server.close();
  });
  const requested: string[] = [];
  const port: Pick<ClientPort, 'list' | 'watch'> = {
    watch: (...given) => server.client.watch(...given),
    list(resource, options = {}) {
      if (options.labelSelector === undefined) return server.client.list(resource, options);
      requested.push(`${options.namespace} ${options.labelSelector}`);
      return list ? list(server.client, options) : server.client.list(resource, options);
    },
  };
  const context = createLiveContext({ port, clock, random: () => 0, onEvent: () => undefined, signal: stop.signal });
  context.setRules(overrides);
  await context.synced();
  const review = reviewer(context, overrides, clock);
  return { context, clock, requested, review };
}

/** Reviews an update that makes a slice unready and returns how many of its endpoints stay ready. */
function reviewer(context: LiveContext, overrides: Overrides, clock: { now(): number }) {
  return async (request: ReviewedRequest, object = sliceOf(Number(request.name.slice(-1)), 0)): Promise<number> => {
    const oldObject = sliceOf(Number(request.name.slice(-1)), 2);
    const found = await context.lookUp(request, object);
    const result: OverrideResult = overrides.apply({ operation: 'UPDATE', object, oldObject, ...found, now: new Date(clock.now()) });
    if (!request.dryRun) context.recordResult(request, result);
    return ((result.object as EndpointSliceInput).endpoints ?? []).filter(({ conditions }) => conditions?.ready).length;
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

test.each([1, 3, 5])('keepReady keeps %i endpoints ready across slices reviewed concurrently', async (atLeast) => {
  const { review, requested } = await world(keeping(atLeast));
  expect(sum(await Promise.all([1, 2, 3].map((number) => review(requestFor(number)))))).toBe(atLeast);
  expect(requested[0]).toBe('shop kubernetes.io/service-name=web');
});

test('keepReady keeps its minimum across slices reviewed in sequence, before the cache shows a write', async () => {
  const { review } = await world(keeping(1));
  expect([await review(requestFor(1)), await review(requestFor(2)), await review(requestFor(3))]).toEqual([0, 0, 1]);
});

test('a review lists the other slices before deciding, to see writes that another replica admitted', async () => {
  const { review } = await world(keeping(1), async (port, options) => {
    const { items, ...rest } = await port.list(resources.endpointSlices, options);
    return { ...rest, items: items.map((item, location) => ({ ...item, endpoints: sliceOf(location + 1, 0).endpoints })) };
  });
  expect(await review(requestFor(2))).toBe(1);
});

test.each([
  [
    'stored',
    (port: ClientPort, number: number) => port.patch(resources.endpointSlices, keyOf(number), { endpoints: [] }, { type: 'merge' }),
  ],
  ['deleted', (port: ClientPort, number: number) => port.delete(resources.endpointSlices, keyOf(number))],
])('a review prefers a slice seen as %s while the others are listed over an older list', async (_, write) => {
  const overrides = keeping(1);
  const live: { context?: LiveContext } = {};
  let lists = 0;
  const made = await world(overrides, async (port, options) => {
    const before = await port.list(resources.endpointSlices, options);
    lists += 1;
    if (lists < 3) return before;
    const known = (): string =>
      JSON.stringify([...(live.context as LiveContext).evaluate(overrides)].map(({ resourceVersion }) => resourceVersion));
    for (const number of [1, 2]) {
      const shown = known();
      await write(port, number);
      while (known() === shown) await new Promise(setImmediate);
    }
    return before;
  });
  live.context = made.context;
  expect(await Promise.all([1, 2, 3].map((number) => made.review(requestFor(number))))).toEqual([0, 0, 1]);
});

test('a review lists no slices if the decision does not depend on them', async () => {
  const { review, requested } = await world(keeping(2));
  expect(await review(requestFor(1), sliceOf(1, 2))).toBe(2);
  await review(requestFor(1, { kind: 'Endpoints' }));
  expect(requested).toEqual([]);
});

test('a review counts the other slices as not ready if they cannot be listed', async () => {
  const { review } = await world(keeping(1), () => Promise.reject(new Error('no')));
  expect(await review(requestFor(1))).toBe(1);
});

test('a review counts the other slices as not ready if listing them takes longer than a second', async () => {
  const { review, clock, requested } = await world(keeping(1), () => new Promise(() => undefined));
  const first = review(requestFor(1));
  const second = review(requestFor(2));
  while (requested.length === 0) await new Promise(setImmediate);
  clock.advance(1000);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

test('a dry run does not delay or affect other reviews', async () => {
  const { review } = await world(keeping(1));
  expect(await review(requestFor(1, { dryRun: true }))).toBe(0);
  expect(await review(requestFor(2))).toBe(0);
});

test('a refused write does not affect other reviews', async () => {
  const refusing = createOverrides({
    rules: [
      { name: 'fence', match: { expression: 'object.metadata.name == "web-1"' }, action: { refuse: { forbidden: ['10.0.0.0/8'] } } },
      { name: 'keep', action: { keepReady: { atLeast: 1 } } },
    ],
  });
  const { review } = await world(refusing);
  expect(await review(requestFor(1))).toBe(0);
  expect([await review(requestFor(2)), await review(requestFor(3))]).toEqual([0, 0]);
});
