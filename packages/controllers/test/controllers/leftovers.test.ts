import { createFaults } from '@kube-endpoints/apiserver';
import { ApiError, type ClientPort, type ListOptions, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createLeftovers, isLater } from '../../src/controllers/leftovers.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createClock, flushPromises } from '../queue/clock.ts';
import { createControllersFixture, createTestOwnership, podFor, serviceFor } from './fixture.ts';

const { endpoints } = resources;
const endpointsAt = (resourceVersion: string) => ({ metadata: { resourceVersion } });
const electionLock = { metadata: { resourceVersion: '1', annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } } };

/**
 * Creates leftovers whose requests return these resourceVersions, or fail, in order. `reported` has a line for each call of onMoreLeftovers,
 * with the number of requests before it.
 */
function createTestLeftovers(responses: readonly (Promise<string> | string | Error)[], namespace?: string) {
  const clock = createClock();
  const reported: string[] = [];
  const events: RuntimeEvent[] = [];
  const namespaces: unknown[] = [];
  let requestCount = 0;
  const list = async (_: unknown, options: ListOptions) => {
    namespaces.push(options.namespace);
    const response = responses[requestCount++];
    if (response instanceof Error) throw response;
    return { items: [], metadata: { resourceVersion: (await response) ?? '' } };
  };
  const executor = {
    read: <T>(_keyOrSignal: unknown, call: (port: ClientPort, options: object) => Promise<T>) => call({ list } as never, {}),
  };
  const setup = { clock, namespace, onEvent: (event: RuntimeEvent) => void events.push(event) };
  const leftovers = createLeftovers({ setup, executor, onMoreLeftovers: () => reported.push(`after ${requestCount}`) });
  return { clock, reported, events, namespaces, leftovers, countRequests: () => requestCount };
}

test('Endpoints are leftover up to the listed resourceVersion, unless they are an election lock', async () => {
  const { leftovers, reported } = createTestLeftovers(['100']);
  expect(leftovers.includes(endpointsAt('1'))).toBe(false);
  leftovers.refresh();
  expect(leftovers.idle).toBe(false);
  await flushPromises();
  expect([leftovers.idle, reported]).toEqual([true, ['after 1']]);
  expect(['99', '100', '101', '1000'].map((version) => leftovers.includes(endpointsAt(version)))).toEqual([true, true, false, false]);
  expect(leftovers.includes(electionLock)).toBe(false);
});

test('a failed list is retried later', async () => {
  const { leftovers, clock, reported, countRequests } = createTestLeftovers([new Error('away'), new Error('away'), '7']);
  leftovers.refresh();
  await clock.pass(4999);
  expect(countRequests()).toBe(1);
  await clock.pass(5001);
  expect([countRequests(), reported, leftovers.includes(endpointsAt('7')), leftovers.idle]).toEqual([3, ['after 3'], true, true]);
  expect(clock.scheduled).toBe(0);
});

test('each cause of a failed list is reported once, and so is recovery', async () => {
  const { leftovers, clock, events } = createTestLeftovers([new Error('no'), new Error('no'), new Error('away'), '', '7']);
  leftovers.refresh();
  await clock.pass(60_000);
  expect(events).toMatchObject([
    { kind: 'informer', state: 'waiting', delay: 5000, error: { message: 'no' } },
    { state: 'waiting', error: { message: 'away' } },
    { state: 'waiting', error: { message: 'the list of endpoints has no resourceVersion' } },
    { state: 'watching' },
  ]);
  expect(createTestLeftovers(['7']).events).toEqual([]);
});

test('only the configured namespace is listed', async () => {
  const { leftovers, namespaces } = createTestLeftovers(['7'], 'shop');
  leftovers.refresh();
  await flushPromises();
  expect(namespaces).toEqual(['shop']);
});

test('the response to an earlier request is ignored', async () => {
  let answerFirst = (_: string): void => undefined;
  const { leftovers, reported } = createTestLeftovers([new Promise<string>((resolve) => (answerFirst = resolve)), '20']);
  leftovers.refresh();
  leftovers.refresh();
  await flushPromises();
  answerFirst('10');
  await flushPromises();
  expect([reported, leftovers.includes(endpointsAt('15'))]).toEqual([['after 2'], true]);
});

test('no request is sent after stop', async () => {
  const { leftovers, clock, reported, countRequests } = createTestLeftovers([new Error('away'), '7']);
  leftovers.refresh();
  await flushPromises();
  leftovers.stop();
  await clock.pass(60_000);
  expect([countRequests(), reported, clock.scheduled]).toEqual([1, [], 0]);
});

test('leftover Endpoints are deleted with permissions for a single namespace', async () => {
  const leftover = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'left' } };
  const otherNamespace = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'other', name: 'left' } };
  const refusal = new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden' });
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    list: (resource, options) => (options?.namespace === 'shop' ? port.list(resource, options) : Promise.reject(refusal)),
  });
  await using fixture = await createControllersFixture({
    objects: [leftover, otherNamespace],
    controllers: ['endpoints'],
    namespace: 'shop',
    wrapPort,
  });
  await fixture.start();
  expect(await fixture.get(endpoints, 'left')).toBeUndefined();
  expect(await fixture.get(endpoints, 'left', 'other')).toBeDefined();
  expect(fixture.controllers.idle).toBe(true);
});

/**
 * A replica gains ownership while its cache lacks Endpoints without a Service. Returns whether these Endpoints are kept.
 * @param createdLater whether they are created after the replica gained ownership
 */
async function isKeptAfterTakeover({ createdLater }: { readonly createdLater: boolean }): Promise<boolean> {
  const faults = createFaults({});
  const ownership = createTestOwnership({ owned: false });
  const objects = [podFor('web-1'), serviceFor('other')];
  await using fixture = await createControllersFixture({
    objects,
    version: '1.24',
    controllers: ['endpoints'],
    ownership,
    server: { faults },
  });
  await fixture.start();
  faults.stall({ resources: ['endpoints'] });
  const createEndpoints = () =>
    fixture.client.create(endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'web' } });
  if (!createdLater) await createEndpoints();
  ownership.gain();
  await fixture.pass(1000);
  if (createdLater) await createEndpoints();
  faults.release();
  await fixture.pass(60_000);
  return (await fixture.get(endpoints, 'web')) !== undefined;
}

test('leftover Endpoints from before ownership was gained are deleted even if the cache shows them late', async () => {
  expect(await isKeptAfterTakeover({ createdLater: false })).toBe(false);
});

test('Endpoints that another client creates later without a Service are kept', async () => {
  expect(await isKeptAfterTakeover({ createdLater: true })).toBe(true);
});

test.each([
  ['10', '9', true],
  ['9', '10', false],
  ['9', '9', false],
  ['18446744073709551616', '18446744073709551615', true],
  ['1', '', true],
  ['', '', false],
])('isLater(%s, %s) is %s', (version, other, expected) => {
  expect(isLater(version, other)).toBe(expected);
});
