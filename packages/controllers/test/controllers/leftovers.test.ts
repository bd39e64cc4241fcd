import { createFaults } from '@kube-endpoints/apiserver';
import { ApiError, type ClientPort, type ListOptions, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createLeftovers, isLater } from '../../src/controllers/leftovers.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createClock, settle } from '../queue/clock.ts';
import { createLead, createWorld, podFor, serviceFor } from './world.ts';

const { endpoints } = resources;
const at = (resourceVersion: string) => ({ metadata: { resourceVersion } });
const lock = { metadata: { resourceVersion: '1', annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } } };

/** Returns these resourceVersions, or fails, one call after another. */
function createTestLeftovers(answers: readonly (Promise<string> | string | Error)[], namespace?: string) {
  const clock = createClock();
  const reported: string[] = [];
  const events: RuntimeEvent[] = [];
  const namespaces: unknown[] = [];
  let requests = 0;
  const list = async (_: unknown, options: ListOptions) => {
    namespaces.push(options.namespace);
    const answer = answers[requests++];
    if (answer instanceof Error) throw answer;
    return { items: [], metadata: { resourceVersion: (await answer) ?? '' } };
  };
  const executor = {
    read: <T>(_keyOrSignal: unknown, question: (port: ClientPort, options: object) => Promise<T>) => question({ list } as never, {}),
  };
  const setup = { clock, namespace, onEvent: (event: RuntimeEvent) => void events.push(event) };
  const leftovers = createLeftovers({ setup, executor, onMore: () => reported.push(`after ${requests}`) });
  return { clock, reported, events, namespaces, leftovers, requests: () => requests };
}

test('an object counts as a leftover up to the listed resourceVersion, unless it is a lock', async () => {
  const { leftovers, reported } = createTestLeftovers(['100']);
  expect(leftovers.includes(at('1'))).toBe(false);
  leftovers.refresh();
  expect(leftovers.idle).toBe(false);
  await settle();
  expect([leftovers.idle, reported]).toEqual([true, ['after 1']]);
  expect(['99', '100', '101', '1000'].map((version) => leftovers.includes(at(version)))).toEqual([true, true, false, false]);
  expect(leftovers.includes(lock)).toBe(false);
});

test('a failed list is retried later', async () => {
  const { leftovers, clock, reported, requests } = createTestLeftovers([new Error('away'), new Error('away'), '7']);
  leftovers.refresh();
  await clock.pass(4999);
  expect(requests()).toBe(1);
  await clock.pass(5001);
  expect([requests(), reported, leftovers.includes(at('7')), leftovers.idle]).toEqual([3, ['after 3'], true, true]);
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
  await settle();
  expect(namespaces).toEqual(['shop']);
});

test('the answer to an earlier request is ignored', async () => {
  let answerFirst = (_: string): void => undefined;
  const { leftovers, reported } = createTestLeftovers([new Promise<string>((resolve) => (answerFirst = resolve)), '20']);
  leftovers.refresh();
  leftovers.refresh();
  await settle();
  answerFirst('10');
  await settle();
  expect([reported, leftovers.includes(at('15'))]).toEqual([['after 2'], true]);
});

test('no request is sent after stop', async () => {
  const { leftovers, clock, reported, requests } = createTestLeftovers([new Error('away'), '7']);
  leftovers.refresh();
  await settle();
  leftovers.stop();
  await clock.pass(60_000);
  expect([requests(), reported, clock.scheduled]).toEqual([1, [], 0]);
});

test('leftover Endpoints are deleted with permissions for a single namespace', async () => {
  const left = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'left' } };
  const elsewhere = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'other', name: 'left' } };
  const refused = new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden' });
  const through = (port: ClientPort): ClientPort => ({
    ...port,
    list: (resource, options) => (options?.namespace === 'shop' ? port.list(resource, options) : Promise.reject(refused)),
  });
  await using world = await createWorld({ objects: [left, elsewhere], controllers: ['endpoints'], namespace: 'shop', through });
  await world.start();
  expect(await world.get(endpoints, 'left')).toBeUndefined();
  expect(await world.get(endpoints, 'left', 'other')).toBeDefined();
  expect(world.controllers.idle).toBe(true);
});

/** A replica gains ownership while its cache lacks Endpoints of an earlier replica whose Service is gone. */
async function winning(after: boolean): Promise<boolean> {
  const faults = createFaults({});
  const ownership = createLead(false);
  const objects = [podFor('web-1'), serviceFor('other')];
  await using world = await createWorld({ objects, version: '1.24', controllers: ['endpoints'], ownership, server: { faults } });
  await world.start();
  faults.stall({ resources: ['endpoints'] });
  const make = () => world.client.create(endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'web' } });
  if (!after) await make();
  ownership.lead(true);
  await world.pass(1000);
  if (after) await make();
  faults.release();
  await world.pass(60_000);
  return (await world.get(endpoints, 'web')) !== undefined;
}

test('leftover Endpoints from before ownership was gained are deleted even if the cache shows them late', async () => {
  expect(await winning(false)).toBe(false);
});

test('Endpoints that another client creates later without a Service are kept', async () => {
  expect(await winning(true)).toBe(true);
});

test.each([
  ['10', '9', true],
  ['9', '10', false],
  ['9', '9', false],
  ['18446744073709551616', '18446744073709551615', true],
  ['1', '', true],
  ['', '', false],
])('isLater(%s, %s) is %s', (version, than, later) => {
  expect(isLater(version, than)).toBe(later);
});
