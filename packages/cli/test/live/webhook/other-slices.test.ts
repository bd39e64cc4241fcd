import { createApiServer } from '@kube-endpoints/apiserver';
import { createOverrides, type OverrideResult, type Overrides } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { type ClientPort, type ListOptions, resources } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookClock } from '../../../../overrides/test/webhook/support.ts';
import { createLiveContext, type LiveContext } from '../../../src/live/webhook/context.ts';

const rulesKeeping = (atLeast: number): Overrides => createOverrides({ rules: [{ name: 'keep', action: { keepReady: { atLeast } } }] });

/** Slice 1 has the addresses 10.0.1.1 and 10.0.1.2, slice 2 has 10.0.2.1 and 10.0.2.2. @param ready the number of ready addresses */
const sliceOf = (number: number, ready: number): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name: `web-${number}`, labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [1, 2].map((index) => ({ addresses: [`10.0.${number}.${index}`], conditions: { ready: index <= ready } })),
  ports: [{ name: '', port: 8080, protocol: 'TCP' }],
});

const requestFor = (number: number, overrides: Partial<ReviewedRequest> = {}): ReviewedRequest => ({
  uid: `of-${number}`,
  kind: 'EndpointSlice',
  operation: 'UPDATE',
  namespace: 'shop',
  name: `web-${number}`,
  serviceName: 'web',
  dryRun: false,
  ...overrides,
});

const keyOf = (number: number) => ({ namespace: 'shop', name: `web-${number}` });

const typeMeta = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };

/** A Service with three slices of two ready addresses each, in the store and in the cache; reviewed writes are never stored. */
async function createScenario(overrides: Overrides, list?: (port: ClientPort, options: ListOptions) => ReturnType<ClientPort['list']>) {
  const server = await createApiServer({ objects: [1, 2, 3].map((number) => ({ ...typeMeta, ...sliceOf(number, 2) })) as never });
  const clock = createWebhookClock();
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await server.close();
  });
  const requests: string[] = [];
  const port: Pick<ClientPort, 'list' | 'watch'> = {
    watch: (...args) => server.client.watch(...args),
    list(resource, options = {}) {
      if (options.labelSelector === undefined) return server.client.list(resource, options);
      requests.push(`${options.namespace} ${options.labelSelector}`);
      return list ? list(server.client, options) : server.client.list(resource, options);
    },
  };
  const context = createLiveContext({ port, clock, random: () => 0, onEvent: () => undefined, signal: stop.signal });
  context.setRules(overrides);
  await context.synced();
  const review = createReviewer(context, overrides, clock);
  return { context, clock, requests, review };
}

/** Creates a function that reviews an update that makes a slice unready, and returns how many endpoints of the slice stay ready. */
function createReviewer(context: LiveContext, overrides: Overrides, clock: { now(): number }) {
  return async (request: ReviewedRequest, object = sliceOf(Number(request.name.slice(-1)), 0)): Promise<number> => {
    const oldObject = sliceOf(Number(request.name.slice(-1)), 2);
    const reviewContext = await context.lookUp(request, object);
    const result: OverrideResult = overrides.apply({
      operation: 'UPDATE',
      object,
      oldObject,
      ...reviewContext,
      now: new Date(clock.now()),
    });
    if (!request.dryRun) context.recordResult(request, result);
    return ((result.object as EndpointSliceInput).endpoints ?? []).filter(({ conditions }) => conditions?.ready).length;
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

test.each([1, 3, 5])('keepReady keeps %i endpoints ready across slices reviewed concurrently', async (atLeast) => {
  const { review, requests } = await createScenario(rulesKeeping(atLeast));
  expect(sum(await Promise.all([1, 2, 3].map((number) => review(requestFor(number)))))).toBe(atLeast);
  expect(requests[0]).toBe('shop kubernetes.io/service-name=web');
});

test('keepReady keeps its minimum across slices reviewed in sequence, before the cache shows a write', async () => {
  const { review } = await createScenario(rulesKeeping(1));
  expect([await review(requestFor(1)), await review(requestFor(2)), await review(requestFor(3))]).toEqual([0, 0, 1]);
});

test('a review lists the other slices before deciding, to see writes that another replica admitted', async () => {
  const { review } = await createScenario(rulesKeeping(1), async (port, options) => {
    const { items, ...rest } = await port.list(resources.endpointSlices, options);
    return { ...rest, items: items.map((item, index) => ({ ...item, endpoints: sliceOf(index + 1, 0).endpoints })) };
  });
  expect(await review(requestFor(2))).toBe(1);
});

test.each([
  [
    'updated',
    (port: ClientPort, number: number) => port.patch(resources.endpointSlices, keyOf(number), { endpoints: [] }, { type: 'merge' }),
  ],
  ['deleted', (port: ClientPort, number: number) => port.delete(resources.endpointSlices, keyOf(number))],
])('a review ignores an older list for a slice that the watch shows as %s meanwhile', async (_, write) => {
  const overrides = rulesKeeping(1);
  const scenarioRef: { context?: LiveContext } = {};
  let listCount = 0;
  const scenario = await createScenario(overrides, async (port, options) => {
    const before = await port.list(resources.endpointSlices, options);
    listCount += 1;
    if (listCount < 3) return before;
    const cachedVersions = (): string =>
      JSON.stringify([...(scenarioRef.context as LiveContext).evaluate(overrides)].map(({ resourceVersion }) => resourceVersion));
    for (const number of [1, 2]) {
      const versionsBefore = cachedVersions();
      await write(port, number);
      while (cachedVersions() === versionsBefore) await new Promise(setImmediate);
    }
    return before;
  });
  scenarioRef.context = scenario.context;
  expect(await Promise.all([1, 2, 3].map((number) => scenario.review(requestFor(number))))).toEqual([0, 0, 1]);
});

test('a review lists no slices if the decision does not depend on them', async () => {
  const { review, requests } = await createScenario(rulesKeeping(2));
  expect(await review(requestFor(1), sliceOf(1, 2))).toBe(2);
  await review(requestFor(1, { kind: 'Endpoints' }));
  expect(requests).toEqual([]);
});

test('a review counts the other slices as not ready if they cannot be listed', async () => {
  const { review } = await createScenario(rulesKeeping(1), () => Promise.reject(new Error('no')));
  expect(await review(requestFor(1))).toBe(1);
});

test('a review counts the other slices as not ready if listing them takes longer than a second', async () => {
  const { review, clock, requests } = await createScenario(rulesKeeping(1), () => new Promise(() => undefined));
  const first = review(requestFor(1));
  const second = review(requestFor(2));
  while (requests.length === 0) await new Promise(setImmediate);
  clock.advance(1000);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

test('a dry run does not delay or affect other reviews', async () => {
  const { review } = await createScenario(rulesKeeping(1));
  expect(await review(requestFor(1, { dryRun: true }))).toBe(0);
  expect(await review(requestFor(2))).toBe(0);
});

test('a refused write does not affect other reviews', async () => {
  const refusingRules = createOverrides({
    rules: [
      { name: 'forbid', match: { expression: 'object.metadata.name == "web-1"' }, action: { refuse: { forbidden: ['10.0.0.0/8'] } } },
      { name: 'keep', action: { keepReady: { atLeast: 1 } } },
    ],
  });
  const { review } = await createScenario(refusingRules);
  expect(await review(requestFor(1))).toBe(0);
  expect([await review(requestFor(2)), await review(requestFor(3))]).toEqual([0, 0]);
});
