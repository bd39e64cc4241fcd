import type { OverrideRule } from '@kube-endpoints/overrides';
import { resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import type { FeedEvent } from '../../src/feed/index.ts';
import { createOverridesWorld, ipOf, type OverridesWorld, podName, setReady } from './world.ts';

/**
 * An in-place rolling update: a container image changes, the container restarts, the pod keeps its IP. The readiness gate takes each pod
 * out, a status from before the restart briefly reports it as ready, it is not ready while its container restarts, and then it is
 * ready again.
 */
const count = 20;
const stagger = 7000;
const steps: readonly { readonly at: number; readonly does: (world: OverridesWorld['world'], pod: number) => Promise<unknown> }[] = [
  { at: 0, does: (world, pod) => setReady(world, pod, false) },
  { at: 1000, does: changeImage },
  { at: 4000, does: (world, pod) => setReady(world, pod, true) },
  { at: 8000, does: restart },
  { at: 8000, does: (world, pod) => setReady(world, pod, false) },
  { at: 20_000, does: (world, pod) => setReady(world, pod, true) },
];

const pods = Array.from({ length: count }, (_, i) => i + 1);
const settleAfter: OverrideRule = {
  name: 'settle-after-restart',
  match: { namespaces: ['shop'], services: ['web'] },
  action: { hold: { afterReady: 15 } },
};

async function changeImage({ client }: OverridesWorld['world'], pod: number): Promise<void> {
  const key = { namespace: 'shop', name: podName(pod) };
  await client.patch(resources.pods, key, { spec: { containers: [{ name: 'main', image: 'web:2' }] } }, { type: 'strategic' });
}

async function restart({ client }: OverridesWorld['world'], pod: number): Promise<void> {
  const containerStatuses = [{ name: 'main', image: 'web:2', imageID: 'web@2', ready: false, restartCount: 1, state: { running: {} } }];
  const key = { namespace: 'shop', name: podName(pod) };
  await client.patch(resources.pods, key, { status: { containerStatuses } }, { type: 'merge', subresource: 'status' });
}

/** Runs the whole update and waits until it has settled. */
async function update({ world, pass }: OverridesWorld): Promise<void> {
  const start = world.clock.now();
  const plan = pods.flatMap((pod) => steps.map(({ at, does }) => ({ at: at + (pod - 1) * stagger, act: () => does(world, pod) })));
  plan.sort((a, b) => a.at - b.at);
  for (const { at, act } of plan) {
    await pass(start + at - world.clock.now());
    await act();
  }
  await pass(60_000);
}

/** The changes of each pod as a load balancer sees them, in order. */
function movesIn(events: readonly FeedEvent[]): Record<string, string[]> {
  const moves: Record<string, string[]> = Object.fromEntries(pods.map((pod) => [ipOf(pod), []]));
  for (const event of events) {
    if (event.type !== 'changed') continue;
    for (const { address } of event.removed) moves[address]?.push('out');
    for (const { address } of event.added) moves[address]?.push('in');
  }
  return moves;
}

const eachOf = (moves: readonly string[]): Record<string, readonly string[]> => Object.fromEntries(pods.map((pod) => [ipOf(pod), moves]));

async function stored({ world }: OverridesWorld) {
  const endpoints = (await world.get(resources.endpoints, 'web')) as EndpointsInput;
  const { items: slices } = await world.client.list(resources.endpointSlices);
  const held = [endpoints, ...slices].map(({ metadata }) => (metadata as { annotations?: object })?.annotations ?? {});
  return {
    ready: endpoints.subsets?.flatMap(({ addresses }) => addresses ?? []).length,
    slices: slices
      .flatMap((slice) => slice['endpoints'] as { conditions: { ready: boolean } }[])
      .filter(({ conditions }) => conditions.ready).length,
    held: held.filter((annotations) => 'kube-endpoints/held' in annotations).length,
  };
}

describe.each(['endpointslices', 'endpoints'] as const)('an in-place update of 20 pods in the feed of %s', (source) => {
  test('without a rule, removes and adds each pod twice', async () => {
    await using overridden = await createOverridesWorld({ count, feeds: true });
    expect(overridden.takeEvents(source).map(({ type }) => type)).toEqual(['full', 'complete']);
    await update(overridden);
    const events = overridden.takeEvents(source);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['changed']));
    expect(movesIn(events)).toEqual(eachOf(['out', 'in', 'out', 'in']));
    expect(await stored(overridden)).toEqual({ ready: count, slices: count, held: 0 });
  });

  test.each([
    ['rules alone', false],
    ['rules that are given the pods', true],
  ])('with %s, removes and adds each pod once', async (_, withPods) => {
    await using overridden = await createOverridesWorld({ count, feeds: true, withPods, rules: [settleAfter] });
    expect(overridden.takeEvents(source).map(({ type }) => type)).toEqual(['full', 'complete']);
    await update(overridden);
    const events = overridden.takeEvents(source);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['changed']));
    expect(movesIn(events)).toEqual(eachOf(['out', 'in']));
    // Each pod is back after its hold and the feed window, and no hold remains.
    expect(await stored(overridden)).toEqual({ ready: count, slices: count, held: 0 });
    const resyncs = overridden.resyncs.filter(({ outcome }) => outcome === 'resynced').length;
    expect(resyncs).toBeGreaterThanOrEqual(1);
    expect(resyncs).toBeLessThanOrEqual(2 * count);
  });
});
