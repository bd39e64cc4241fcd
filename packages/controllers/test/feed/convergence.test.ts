import type { FaultRule } from '@kube-endpoints/apiserver';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createFeedSnapshot, type FeedEvent, type FeedSnapshot } from '../../src/feed/index.ts';
import { createSeededRandom } from '../cache/fixture.ts';
import { createFixture, type EndpointFields, type Fixture, sliceFor } from './fixture.ts';

const { endpointSlices } = resources;
const withChance = { chance: 0.1 };
const rules: readonly FaultRule[] = [
  { fault: 'dropWatch', afterEvents: [0, 6], when: withChance },
  { fault: 'dropWatch', afterMilliseconds: [0, 60_000], broken: true, when: withChance },
  { fault: 'stallWatch', afterEvents: [0, 6], forMilliseconds: [1000, 900_000], when: withChance },
  { fault: 'expired', when: withChance },
  { fault: 'unavailable', when: withChance },
  { fault: 'latency', milliseconds: [1, 90_000], when: withChance },
  { fault: 'compact', when: withChance },
];

type Draw = () => number;

/** A consumer that also applies the current event and earlier events again. */
interface Consumer {
  readonly snapshot: FeedSnapshot;
  /** Applies up to `count` events. */
  applyNext(count: number): Promise<void>;
  /** Ends the subscription and starts another one. */
  resubscribe(): void;
}

function createConsumer({ feed }: Fixture, draw: Draw, settle: () => Promise<void>): Consumer {
  const snapshot = createFeedSnapshot();
  const appliedEvents: FeedEvent[] = [];
  let events = feed.subscribe();
  let isPending = false;
  let received: FeedEvent | undefined;
  const requestNext = (): void => {
    if (isPending) return;
    isPending = true;
    const requestedFrom = events;
    void requestedFrom.next().then(({ value }) => {
      if (requestedFrom === events) received = value ?? undefined;
    });
  };
  return {
    snapshot,
    async applyNext(count) {
      for (let i = 0; i < count; i++) {
        requestNext();
        await settle();
        if (!received) return;
        const event = received;
        received = undefined;
        isPending = false;
        expect(snapshot.apply(event)).toBe('applied');
        const textBefore = textOf(snapshot);
        for (const oldEvent of [event, ...appliedEvents.filter(() => draw() < 0.3)]) {
          if (oldEvent.stream === event.stream) expect(snapshot.apply(oldEvent)).toBe('known');
        }
        expect(textOf(snapshot)).toBe(textBefore);
        appliedEvents.push(event);
        if (appliedEvents.length > 20) appliedEvents.shift();
      }
    },
    resubscribe() {
      void events.return();
      events = feed.subscribe();
      isPending = false;
      received = undefined;
    },
  };
}

const textOf = (snapshot: FeedSnapshot): string =>
  JSON.stringify(
    [...snapshot.keys()]
      .sort()
      .map((key) => [key, [...(snapshot.get(key)?.values() ?? [])].map(({ id, nodeName }) => [id, nodeName ?? '']).sort()]),
  );

/** Computes the expected state from the slices, independently of the tested code. Requires that each endpoint is in one slice only. */
async function expectedState({ client }: Fixture): Promise<string> {
  const services = new Map<string, [string, string][]>();
  for (const { metadata, endpoints, ports } of (await client.list(endpointSlices)).items) {
    const key = `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`;
    const serviceEndpoints = services.get(key) ?? [];
    services.set(key, serviceEndpoints);
    for (const port of ports as { name: string; port: number }[]) {
      for (const { addresses, conditions, nodeName = '' } of (endpoints ?? []) as {
        addresses: string[];
        conditions: EndpointFields;
        nodeName?: string;
      }[]) {
        if (conditions.ready) serviceEndpoints.push([`${port.name}/TCP ${addresses[0]}:${port.port}`, nodeName]);
      }
    }
  }
  return JSON.stringify([...services].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, endpoints]) => [key, endpoints.sort()]));
}

/** One of the two slices of a Service: the first has endpoints with the last octets 1 to 6, the second 7 to 12. */
function createRandomSlice(draw: Draw): ApiObject {
  const service = ['web', 'db', 'mail'][Math.floor(draw() * 3)] as string;
  const half = Math.floor(draw() * 2);
  const endpoints: Record<number, EndpointFields> = {};
  for (let octet = half * 6 + 1; octet <= half * 6 + 6; octet++) {
    const [isListed, ready, terminating] = [draw() < 0.7, draw() < 0.6, draw() < 0.3];
    const node = draw() < 0.3 ? { nodeName: `n${Math.floor(draw() * 3)}` } : {};
    if (isListed) endpoints[octet] = { ready, serving: ready || terminating, terminating, ...node };
  }
  const ports = [
    { name: 'http', port: draw() < 0.8 ? 8080 : 8081, protocol: 'TCP' },
    ...(draw() < 0.5 ? [{ name: 'admin', port: 9090, protocol: 'TCP' }] : []),
  ];
  return sliceFor(service, endpoints, { name: `${service}-${half}`, ports });
}

async function changeRandomSlice({ client }: Fixture, draw: Draw): Promise<void> {
  const slice = createRandomSlice(draw);
  const key = { namespace: 'shop', name: slice.metadata.name ?? '' };
  const existing = await client.get(endpointSlices, key).catch(() => undefined);
  if (!existing) await client.create(endpointSlices, slice);
  else if (draw() < 0.15) await client.delete(endpointSlices, key);
  else
    await client.update(endpointSlices, {
      ...slice,
      metadata: { ...slice.metadata, resourceVersion: existing.metadata.resourceVersion ?? '' },
    });
}

async function run(seed: number): Promise<void> {
  const draw = createSeededRandom(seed);
  const hasFaults = seed % 2 === 1;
  await using fixture = await createFixture({
    seed,
    rules: hasFaults ? rules : [],
    random: draw,
    window: [0, 500, 2000][seed % 3] as number,
  });
  const settle = (): Promise<void> => fixture.pass(0);
  const consumers = Array.from({ length: 3 }, () => createConsumer(fixture, draw, settle));
  await fixture.start();
  for (let step = 0; step < 50; step++) {
    await changeRandomSlice(fixture, draw);
    if (draw() < 0.6) await fixture.pass(Math.floor(draw() * 5000));
    for (const [i, consumer] of consumers.entries()) {
      if (draw() < ([1, 0.5, 0.1][i] ?? 1)) await consumer.applyNext(1 + Math.floor(draw() * 4));
      if (draw() < 0.03) consumer.resubscribe();
    }
  }
  const expected = await expectedState(fixture);
  // Without faults there is no reconnect with full events, so the `changed` events alone must produce the final state.
  for (let wait = 0; wait < (hasFaults ? 240 : 1); wait++) {
    await fixture.pass(hasFaults ? 60_000 : 2000);
    for (const consumer of consumers) await consumer.applyNext(100);
    if (consumers.every(({ snapshot }) => textOf(snapshot) === expected)) break;
  }
  for (const { snapshot } of consumers) {
    expect(textOf(snapshot), fixture.faults.report()).toBe(expected);
    expect(snapshot.complete).toBe(true);
  }
}

describe('a consumer that applies some events repeatedly', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('converges to the state of the slices (seed %i)', run);
});
