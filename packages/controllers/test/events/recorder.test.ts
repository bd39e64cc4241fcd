import { type ApiServer, createApiServer, createFaults, type FaultRule, type Faults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEventRecorder, type EventRecorder, type RecorderEvent } from '../../src/events/index.ts';
import { createEventNamer } from '../../src/events/recorder.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { web } from './support.ts';

let clock: ManualClock;
let faults: Faults;
let server: ApiServer;
let reportedEvents: RecorderEvent[];
let recorder: EventRecorder;

beforeEach(() => setUp());
afterEach(() => server.close());

async function setUp(rules: readonly FaultRule[] = []): Promise<void> {
  clock = createClock();
  faults = createFaults({ clock, rules });
  server = await createApiServer({
    clock,
    faults,
    eventTTL: 0,
    background: false,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
  });
  reportedEvents = [];
  const onEvent = (event: RecorderEvent): void => void reportedEvents.push(event);
  recorder = createEventRecorder({ port: server.client, clock, random: () => 0.5, component: 'endpoint-controller', onEvent });
}

const recordFailure = (message: string = 'no', name: string = 'web'): void =>
  recorder.record({ ...web, name }, 'Warning', 'FailedToCreateEndpoint', message);
const listStoredEvents = async (): Promise<readonly ApiObject[]> => (await server.client.list(resources.events)).items;
const reportedOutcomes = (): string[] => reportedEvents.map(({ outcome }) => outcome);

describe('a recorded Event', () => {
  test('is created on the server', async () => {
    recordFailure();
    await recorder.flush();
    const [event, ...others] = await listStoredEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      metadata: { namespace: 'shop', name: `web.${(BigInt(clock.now()) * 1_000_000n + 500_000n).toString(16)}` },
      involvedObject: web,
      type: 'Warning',
      reason: 'FailedToCreateEndpoint',
      message: 'no',
      source: { component: 'endpoint-controller' },
      reportingComponent: 'endpoint-controller',
      count: 1,
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
    });
    expect(reportedEvents).toMatchObject([{ kind: 'event', outcome: 'created', event: { metadata: { namespace: 'shop' } } }]);
  });

  test('increases the count of the first Event if it is repeated', async () => {
    for (let i = 0; i < 3; i++) {
      recordFailure();
      await clock.pass(1000);
    }
    await recorder.flush();
    expect(await listStoredEvents()).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-02T03:04:05Z', lastTimestamp: '2026-01-02T03:04:07Z' },
    ]);
    expect(reportedOutcomes()).toEqual(['created', 'patched', 'patched']);
  });

  test('is combined with similar Events beyond nine different messages', async () => {
    for (let i = 1; i <= 100; i++) recordFailure(`no ${i}`);
    await recorder.flush();
    const events = await listStoredEvents();
    expect(events).toHaveLength(10);
    expect(events).toContainEqual(expect.objectContaining({ message: '(combined from similar events): no 25', count: 16 }));
    expect(reportedOutcomes().filter((outcome) => outcome === 'filtered')).toHaveLength(75);
  });

  test('is created again, with its count, if the server has deleted it', async () => {
    recordFailure();
    await recorder.flush();
    await server.client.deleteCollection(resources.events, { namespace: 'shop' });
    recordFailure();
    await recorder.flush();
    expect(await listStoredEvents()).toMatchObject([{ count: 2 }]);
    expect(reportedOutcomes()).toEqual(['created', 'created']);
  });

  test('gets different names from two recorders at the same time', async () => {
    const otherRecorder = createEventRecorder({ port: server.client, clock, random: () => 0.6, component: 'endpoint-slice-controller' });
    recordFailure();
    otherRecorder.record({ ...web, kind: 'Service' }, 'Warning', 'FailedToUpdateEndpointSlices', 'no');
    await Promise.all([recorder.flush(), otherRecorder.flush()]);
    expect(await listStoredEvents()).toHaveLength(2);
  });
});

describe('record', () => {
  test('returns before the first request is sent', async () => {
    recordFailure();
    expect([recorder.waiting, faults.log.length]).toEqual([1, 0]);
    await recorder.flush();
    expect(recorder.waiting).toBe(0);
  });

  test('queues Events while the server is down and writes them in order afterwards', async () => {
    faults.crash();
    for (const name of ['a', 'b', 'c']) recordFailure('no', name);
    await clock.pass(14_000);
    expect([recorder.waiting, reportedOutcomes()]).toEqual([2, ['retried', 'retried']]);
    faults.restart();
    await clock.pass(1000);
    await recorder.flush();
    expect(reportedEvents.slice(2).map(({ event, outcome }) => [event.involvedObject.name, outcome])).toEqual([
      ['a', 'created'],
      ['b', 'created'],
      ['c', 'created'],
    ]);
    expect((await listStoredEvents())[0]).toMatchObject({ firstTimestamp: '2026-01-02T03:04:05Z' });
  });

  test('counts repetitions of an Event whose retry failed with AlreadyExists after a lost response', async () => {
    await server.close();
    await setUp([{ fault: 'crash', at: 'after', verbs: ['create'], downMilliseconds: 1000 }]);
    recordFailure();
    await clock.pass(10_000);
    await recorder.flush();
    expect(reportedOutcomes()).toEqual(['retried', 'refused']);
    recordFailure();
    await recorder.flush();
    expect(await listStoredEvents()).toMatchObject([{ count: 2 }]);
  });
});

test('the recorder drops the newest Events if more than a thousand are queued', async () => {
  faults.crash();
  recordFailure('first', 'first');
  await flushPromises();
  for (let i = 0; i < 1005; i++) recordFailure('no', `web-${i}`);
  expect([recorder.waiting, reportedOutcomes().filter((outcome) => outcome === 'dropped').length]).toEqual([1000, 5]);
  faults.restart();
  await clock.pass(10_000);
  await recorder.flush();
  const names = (await listStoredEvents()).map(({ involvedObject }) => (involvedObject as { readonly name: string }).name);
  expect(names).toHaveLength(1001);
  expect([names.includes('web-999'), names.includes('web-1000')]).toEqual([true, false]);
});

describe('stop', () => {
  test('writes queued Events without delays and drops later ones', async () => {
    faults.crash();
    for (const name of ['a', 'b', 'c']) recordFailure('no', name);
    await flushPromises();
    faults.restart();
    const stopped = recorder.stop();
    recordFailure('no', 'd');
    await stopped;
    expect(await listStoredEvents()).toHaveLength(3);
    expect(reportedOutcomes()).toEqual(['retried', 'dropped', 'created', 'created', 'created']);
    expect(clock.scheduled).toBe(0);
  });

  test('waits at most one second for a server that does not answer', async () => {
    const silentPort: ClientPort = { ...server.client, create: () => new Promise(() => undefined) };
    const onEvent = (event: RecorderEvent): void => void reportedEvents.push(event);
    recorder = createEventRecorder({ port: silentPort, clock, random: () => 0.5, component: 'endpoint-controller', onEvent });
    for (const name of ['a', 'b']) recordFailure('no', name);
    await flushPromises();
    let hasStopped = false;
    const stopped = recorder.stop().then(() => {
      hasStopped = true;
    });
    await clock.pass(999);
    expect(hasStopped).toBe(false);
    await clock.pass(1);
    await stopped;
    expect(reportedEvents.map(({ outcome, error }) => [outcome, error && String(error)])).toEqual([
      ['dropped', 'Error: the recorder was stopped'],
      ['dropped', undefined],
    ]);
    expect([recorder.waiting, clock.scheduled]).toEqual([0, 0]);
  });

  test('drops queued Events at once if the server is down', async () => {
    faults.crash();
    for (const name of ['a', 'b', 'c']) recordFailure('no', name);
    await flushPromises();
    await recorder.stop();
    expect(reportedOutcomes()).toEqual(['retried', 'dropped', 'dropped', 'dropped']);
    expect([recorder.waiting, clock.scheduled]).toEqual([0, 0]);
  });
});

const now = 1_767_323_045_678;

test('an Event name consists of the object name and the time in nanoseconds in hexadecimal', () => {
  const nameEvent = createEventNamer(() => 0.25);
  expect(nameEvent('web', now)).toBe(`web.${1_767_323_045_678_250_000n.toString(16)}`);
});

test('Event names at the same time differ even if random numbers are equal', () => {
  const nameEvent = createEventNamer(() => 0);
  const names = Array.from({ length: 5 }, () => nameEvent('web', now));
  expect(new Set(names).size).toBe(5);
});

test('Event names at the same time differ for any random numbers', () => {
  const randomNumbers = [0.5, 0.1, 0.500001, 0.9, 0];
  const nameEvent = createEventNamer(() => randomNumbers.shift() ?? 0);
  const names = Array.from({ length: 5 }, () => nameEvent('web', now));
  expect(new Set(names).size).toBe(5);
});

test.each([
  ['an upper case letter in its name', 'Web'],
  ['a colon in its name', 'a:b'],
  ['an empty name', ''],
  ['no name', undefined],
  ['a name of 253 characters', 'a'.repeat(253)],
])('the Event of an object with %s is named by a UUID', (_, objectName) => {
  let state = 1;
  const nameEvent = createEventNamer(() => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  });
  const names = Array.from({ length: 50 }, () => nameEvent(objectName, now));
  expect(new Set(names).size).toBe(50);
  for (const eventName of names) expect(eventName).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an Event name contains the longest object name that leaves room for the suffix', () => {
  const nameEvent = createEventNamer(() => 0);
  expect(nameEvent('a'.repeat(236), now)).toHaveLength(253);
});
