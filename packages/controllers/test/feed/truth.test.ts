import type { FaultRule } from '@kube-endpoints/apiserver';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createFeedSnapshot, type FeedEvent, type FeedSnapshot } from '../../src/feed/index.ts';
import { createDraws } from '../cache/world.ts';
import { createWorld, type EndpointShape, sliceFor, type World } from './world.ts';

const { endpointSlices } = resources;
const sometimes = { chance: 0.1 };
const rules: readonly FaultRule[] = [
  { fault: 'dropWatch', afterEvents: [0, 6], when: sometimes },
  { fault: 'dropWatch', afterMilliseconds: [0, 60_000], broken: true, when: sometimes },
  { fault: 'stallWatch', afterEvents: [0, 6], forMilliseconds: [1000, 900_000], when: sometimes },
  { fault: 'expired', when: sometimes },
  { fault: 'unavailable', when: sometimes },
  { fault: 'latency', milliseconds: [1, 90_000], when: sometimes },
  { fault: 'compact', when: sometimes },
];

type Draw = () => number;

/** A consumer with its own snapshot and pace that also applies current and old events again. */
interface Consumer {
  readonly snapshot: FeedSnapshot;
  /** Applies up to `count` events. */
  take(count: number): Promise<void>;
  /** Ends the subscription and starts another. */
  again(): void;
}

function consumerOf({ feed }: World, draw: Draw, settled: () => Promise<void>): Consumer {
  const snapshot = createFeedSnapshot();
  const seen: FeedEvent[] = [];
  let events = feed.subscribe();
  let pending = false;
  let arrived: FeedEvent | undefined;
  const ask = (): void => {
    if (pending) return;
    pending = true;
    const from = events;
    void from.next().then(({ value }) => {
      if (from === events) arrived = value ?? undefined;
    });
  };
  return {
    snapshot,
    async take(count) {
      for (let i = 0; i < count; i++) {
        ask();
        await settled();
        if (!arrived) return;
        const event = arrived;
        arrived = undefined;
        pending = false;
        expect(snapshot.apply(event)).toBe('applied');
        const before = textOf(snapshot);
        for (const old of [event, ...seen.filter(() => draw() < 0.3)]) {
          if (old.stream === event.stream) expect(snapshot.apply(old)).toBe('known');
        }
        expect(textOf(snapshot)).toBe(before);
        seen.push(event);
        if (seen.length > 20) seen.shift();
      }
    },
    again() {
      void events.return();
      events = feed.subscribe();
      pending = false;
      arrived = undefined;
    },
  };
}

const textOf = (snapshot: FeedSnapshot): string =>
  JSON.stringify(
    [...snapshot.keys()]
      .sort()
      .map((key) => [key, [...(snapshot.get(key)?.values() ?? [])].map(({ id, nodeName }) => [id, nodeName ?? '']).sort()]),
  );

/** Computes the expected state from the slices, independently of the tested code. Each endpoint is in one slice of a Service only. */
async function truth({ client }: World): Promise<string> {
  const services = new Map<string, [string, string][]>();
  for (const { metadata, endpoints, ports } of (await client.list(endpointSlices)).items) {
    const key = `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`;
    const known = services.get(key) ?? [];
    services.set(key, known);
    for (const port of ports as { name: string; port: number }[]) {
      for (const { addresses, conditions, nodeName = '' } of (endpoints ?? []) as {
        addresses: string[];
        conditions: EndpointShape;
        nodeName?: string;
      }[]) {
        if (conditions.ready) known.push([`${port.name}/TCP ${addresses[0]}:${port.port}`, nodeName]);
      }
    }
  }
  return JSON.stringify([...services].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, endpoints]) => [key, endpoints.sort()]));
}

function randomSlice(draw: Draw): ApiObject {
  const service = ['web', 'db', 'mail'][Math.floor(draw() * 3)] as string;
  const half = Math.floor(draw() * 2);
  const endpoints: Record<number, EndpointShape> = {};
  for (let last = half * 6 + 1; last <= half * 6 + 6; last++) {
    const [there, ready, terminating] = [draw() < 0.7, draw() < 0.6, draw() < 0.3];
    const node = draw() < 0.3 ? { nodeName: `n${Math.floor(draw() * 3)}` } : {};
    if (there) endpoints[last] = { ready, serving: ready || terminating, terminating, ...node };
  }
  const ports = [
    { name: 'http', port: draw() < 0.8 ? 8080 : 8081, protocol: 'TCP' },
    ...(draw() < 0.5 ? [{ name: 'admin', port: 9090, protocol: 'TCP' }] : []),
  ];
  return sliceFor(service, endpoints, { name: `${service}-${half}`, ports });
}

async function change({ client }: World, draw: Draw): Promise<void> {
  const slice = randomSlice(draw);
  const key = { namespace: 'shop', name: slice.metadata.name ?? '' };
  const there = await client.get(endpointSlices, key).catch(() => undefined);
  if (!there) await client.create(endpointSlices, slice);
  else if (draw() < 0.15) await client.delete(endpointSlices, key);
  else
    await client.update(endpointSlices, {
      ...slice,
      metadata: { ...slice.metadata, resourceVersion: there.metadata.resourceVersion ?? '' },
    });
}

async function run(seed: number): Promise<void> {
  const draw = createDraws(seed);
  const faulty = seed % 2 === 1;
  await using world = await createWorld({
    seed,
    rules: faulty ? rules : [],
    random: draw,
    window: [0, 500, 2000][seed % 3] as number,
  });
  const settled = (): Promise<void> => world.pass(0);
  const consumers = Array.from({ length: 3 }, () => consumerOf(world, draw, settled));
  await world.start();
  for (let step = 0; step < 50; step++) {
    await change(world, draw);
    if (draw() < 0.6) await world.pass(Math.floor(draw() * 5000));
    for (const [i, consumer] of consumers.entries()) {
      if (draw() < ([1, 0.5, 0.1][i] ?? 1)) await consumer.take(1 + Math.floor(draw() * 4));
      if (draw() < 0.03) consumer.again();
    }
  }
  const wanted = await truth(world);
  // Without faults there is no reconnect with full events, so the changes alone have to produce the final state.
  for (let wait = 0; wait < (faulty ? 240 : 1); wait++) {
    await world.pass(faulty ? 60_000 : 2000);
    for (const consumer of consumers) await consumer.take(100);
    if (consumers.every(({ snapshot }) => textOf(snapshot) === wanted)) break;
  }
  for (const { snapshot } of consumers) {
    expect(textOf(snapshot), world.faults.report()).toBe(wanted);
    expect(snapshot.complete).toBe(true);
  }
}

describe('a consumer that applies every event, some repeatedly,', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('converges to the state of the slices (seed %i)', run);
});
