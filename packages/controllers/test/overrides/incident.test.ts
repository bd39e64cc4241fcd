import type { OverrideRule } from '@kube-endpoints/overrides';
import { resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import type { FeedEvent } from '../../src/feed/index.ts';
import { createOverridesFixture, ipOf, type OverridesFixture, podName, setReady } from './world.ts';

/**
 * An in-place rolling update: a container image changes, the container restarts, the pod keeps its IP. The readiness gate takes each pod
 * out, a status from before the restart briefly reports it as ready, it is not ready while its container restarts, and then it is
 * ready again.
 */
const podCount = 20;
const staggerMs = 7000;
const podSteps: readonly {
  readonly atMs: number;
  readonly run: (controllersFixture: OverridesFixture['controllersFixture'], pod: number) => Promise<unknown>;
}[] = [
  { atMs: 0, run: (controllersFixture, pod) => setReady(controllersFixture, pod, false) },
  { atMs: 1000, run: changeImage },
  { atMs: 4000, run: (controllersFixture, pod) => setReady(controllersFixture, pod, true) },
  { atMs: 8000, run: restart },
  { atMs: 8000, run: (controllersFixture, pod) => setReady(controllersFixture, pod, false) },
  { atMs: 20_000, run: (controllersFixture, pod) => setReady(controllersFixture, pod, true) },
];

const podNumbers = Array.from({ length: podCount }, (_, i) => i + 1);
const holdAfterRestart: OverrideRule = {
  name: 'settle-after-restart',
  match: { namespaces: ['shop'], services: ['web'] },
  action: { hold: { afterReady: 15 } },
};

async function changeImage({ client }: OverridesFixture['controllersFixture'], pod: number): Promise<void> {
  const key = { namespace: 'shop', name: podName(pod) };
  await client.patch(resources.pods, key, { spec: { containers: [{ name: 'main', image: 'web:2' }] } }, { type: 'strategic' });
}

async function restart({ client }: OverridesFixture['controllersFixture'], pod: number): Promise<void> {
  const containerStatuses = [{ name: 'main', image: 'web:2', imageID: 'web@2', ready: false, restartCount: 1, state: { running: {} } }];
  const key = { namespace: 'shop', name: podName(pod) };
  await client.patch(resources.pods, key, { status: { containerStatuses } }, { type: 'merge', subresource: 'status' });
}

/** Updates all pods one after another, then waits a minute. */
async function runUpdate({ controllersFixture, pass }: OverridesFixture): Promise<void> {
  const start = controllersFixture.clock.now();
  const schedule = podNumbers.flatMap((pod) =>
    podSteps.map(({ atMs, run }) => ({ atMs: atMs + (pod - 1) * staggerMs, run: () => run(controllersFixture, pod) })),
  );
  schedule.sort((a, b) => a.atMs - b.atMs);
  for (const { atMs, run } of schedule) {
    await pass(start + atMs - controllersFixture.clock.now());
    await run();
  }
  await pass(60_000);
}

/** Returns the changes of each pod in the feed, in order: 'in' or 'out'. */
function movesByAddress(events: readonly FeedEvent[]): Record<string, string[]> {
  const moves: Record<string, string[]> = Object.fromEntries(podNumbers.map((pod) => [ipOf(pod), []]));
  for (const event of events) {
    if (event.type !== 'changed') continue;
    for (const { address } of event.removed) moves[address]?.push('out');
    for (const { address } of event.added) moves[address]?.push('in');
  }
  return moves;
}

const sameMovesForAllPods = (moves: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(podNumbers.map((pod) => [ipOf(pod), moves]));

async function readState({ controllersFixture }: OverridesFixture) {
  const endpoints = (await controllersFixture.get(resources.endpoints, 'web')) as EndpointsInput;
  const { items: slices } = await controllersFixture.client.list(resources.endpointSlices);
  const annotationsOfAll = [endpoints, ...slices].map(({ metadata }) => (metadata as { annotations?: object })?.annotations ?? {});
  return {
    readyAddressCount: endpoints.subsets?.flatMap(({ addresses }) => addresses ?? []).length,
    readySliceEndpointCount: slices
      .flatMap((slice) => slice['endpoints'] as { conditions: { ready: boolean } }[])
      .filter(({ conditions }) => conditions.ready).length,
    heldObjectCount: annotationsOfAll.filter((annotations) => 'kube-endpoints/held' in annotations).length,
  };
}

describe.each(['endpointslices', 'endpoints'] as const)('an in-place update of 20 pods in the feed of %s', (source) => {
  test('without a rule, the feed removes and adds each pod twice', async () => {
    await using fixture = await createOverridesFixture({ podCount, withFeeds: true });
    expect(fixture.takeEvents(source).map(({ type }) => type)).toEqual(['full', 'complete']);
    await runUpdate(fixture);
    const events = fixture.takeEvents(source);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['changed']));
    expect(movesByAddress(events)).toEqual(sameMovesForAllPods(['out', 'in', 'out', 'in']));
    expect(await readState(fixture)).toEqual({ readyAddressCount: podCount, readySliceEndpointCount: podCount, heldObjectCount: 0 });
  });

  test.each([
    ['rules alone', false],
    ['rules that are given the pods', true],
  ])('with %s, the feed removes and adds each pod once', async (_, withPods) => {
    await using fixture = await createOverridesFixture({ podCount, withFeeds: true, withPods, rules: [holdAfterRestart] });
    expect(fixture.takeEvents(source).map(({ type }) => type)).toEqual(['full', 'complete']);
    await runUpdate(fixture);
    const events = fixture.takeEvents(source);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['changed']));
    expect(movesByAddress(events)).toEqual(sameMovesForAllPods(['out', 'in']));
    // All pods are ready again, and no hold remains.
    expect(await readState(fixture)).toEqual({ readyAddressCount: podCount, readySliceEndpointCount: podCount, heldObjectCount: 0 });
    const resyncCount = fixture.resyncs.filter(({ outcome }) => outcome === 'resynced').length;
    expect(resyncCount).toBeGreaterThanOrEqual(1);
    expect(resyncCount).toBeLessThanOrEqual(2 * podCount);
  });
});
