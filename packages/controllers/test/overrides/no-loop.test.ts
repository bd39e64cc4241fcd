import type { OverrideRule } from '@kube-endpoints/overrides';
import { resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import { overridesDueAnnotation } from '../../src/resync/index.ts';
import { createOverridesWorld, ipOf, type OverridesWorld, setReady } from './world.ts';

const count = 6;
const rules: Readonly<Record<string, readonly OverrideRule[]>> = {
  keepOut: [{ name: 'drain', addresses: { ranges: [ipOf(1)] }, action: { keepOut: {} } }],
  'keepOut, absent': [{ name: 'drain', addresses: { ranges: [ipOf(1)] }, action: { keepOut: { as: 'absent' } } }],
  keepIn: [{ name: 'pin', addresses: { ranges: [ipOf(2)] }, action: { keepIn: {} } }],
  move: [{ name: 'take', addresses: { ranges: [ipOf(3)] }, action: { move: { to: 'ready' } } }],
  keepReady: [{ name: 'never-empty', action: { keepReady: { atLeast: '50%' } } }],
  hold: [{ name: 'calm', action: { hold: { afterReady: 20, afterUnready: 5 } } }],
  freeze: [{ name: 'stop', action: { freeze: {} } }],
  drop: [{ name: 'ranges', action: { drop: { forbidden: [`${ipOf(6)}/32`] } } }],
  'all together': [
    { name: 'ranges', action: { drop: { forbidden: [`${ipOf(6)}/32`] } } },
    { name: 'calm', action: { hold: { afterReady: 20, afterUnready: 5 } } },
    { name: 'drain', addresses: { ranges: [ipOf(1)] }, action: { keepOut: {} } },
    { name: 'never-empty', action: { keepReady: { atLeast: '50%' } } },
  ],
};

/** The writes, failed writes and resyncs of one minute. */
interface Minute {
  readonly writes: number;
  readonly failures: number;
  readonly resyncs: number;
}

/** Four minutes with eight readiness changes each, one minute to settle, then ten more without changes. */
async function churn(
  overridden: OverridesWorld,
): Promise<{ readonly busy: readonly Minute[]; readonly rest: Minute; readonly quiet: Minute }> {
  const { world, pass } = overridden;
  const ready = new Map<number, boolean>();
  const minute = minutesOf(overridden);
  const busy: Minute[] = [];
  for (let i = 0; i < 32; i++) {
    const pod = ((i * 5 + Math.floor(i / 8)) % count) + 1;
    ready.set(pod, ready.get(pod) === false);
    await setReady(world, pod, ready.get(pod) === true);
    await pass(7500);
    if (i % 8 === 7) busy.push(minute());
  }
  await pass(60_000);
  const rest = minute();
  await pass(600_000);
  return { busy, rest, quiet: minute() };
}

function minutesOf({ world, resyncs }: OverridesWorld): () => Minute {
  let before = 0;
  return () => {
    const sent = world.sent();
    const resynced = resyncs.filter(({ outcome }) => outcome === 'resynced').length;
    const since = resynced - before;
    before = resynced;
    return { writes: sent.length, failures: sent.filter(({ failed }) => failed !== undefined).length, resyncs: since };
  };
}

async function played(options: Parameters<typeof createOverridesWorld>[0]): Promise<Awaited<ReturnType<typeof churn>>> {
  await using overridden = await createOverridesWorld({ count, ...options });
  return await churn(overridden);
}

describe.each(sampled(['1.21', '1.27', '1.28', '1.30', '1.31', '1.36'], 3))('the controllers of %s with override rules', (version) => {
  test.each(Object.entries(rules))('write no more than without rules, except after resyncs: %s', async (_, ofRules) => {
    const without = await played({ version });
    const beside = await played({ version, rules: ofRules });
    expect([without.quiet, beside.quiet]).toEqual(Array(2).fill({ writes: 0, failures: 0, resyncs: 0 }));
    for (const [i, { writes, failures, resyncs }] of [...beside.busy, beside.rest].entries()) {
      const plain = without.busy[i] ?? without.rest;
      // A resync makes both controllers sync, and each writes at most once.
      expect({ minute: i, failures, excess: Math.max(0, writes - plain.writes - 2 * resyncs) }).toEqual({
        minute: i,
        failures: 0,
        excess: 0,
      });
    }
    expect(without.busy.map(({ writes }) => writes)).toEqual([16, 16, 16, 16]);
  });
});

/** An update without changes, because a rule restores every stored field. */
describe('Endpoints frozen for five minutes', () => {
  const window = { from: '2026-01-02T03:05:00Z', to: '2026-01-02T03:10:00Z' };
  const freeze: readonly OverrideRule[] = [{ name: 'stop', match: { window }, action: { freeze: {} } }];
  const resourcesOf = ({ world }: OverridesWorld): string[] =>
    world
      .sent()
      .map(({ resource }) => resource)
      .sort();
  const both = ['endpoints', 'endpointslices'];

  /** Changes one pod, touches the Service twice, and changes another pod; then the window ends. */
  const play = async (overridden: OverridesWorld): Promise<string[][]> => {
    const { world, pass } = overridden;
    expect(new Date(world.clock.now()).toISOString()).toMatch(/^2026-01-02T03:05:0/);
    const steps = [() => setReady(world, 1, false), () => touch(world), () => touch(world), () => setReady(world, 2, false)];
    const written: string[][] = [];
    for (const step of steps) {
      await step();
      await pass(60_000);
      written.push(resourcesOf(overridden));
    }
    await pass(50_000);
    expect([resourcesOf(overridden), await readyIn(overridden), overridden.resyncs.length]).toEqual([[], [1, 2, 3, 4, 5, 6].map(ipOf), 0]);
    await pass(600_000);
    return written;
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.31.1'])(
    'stay unchanged in %s, which retries with back-off and writes nothing',
    async (version) => {
      await using overridden = await createOverridesWorld({ count, version, rules: freeze });
      const { world, pass } = overridden;
      // The trigger time is written, then removed; after that nothing differs.
      expect(await play(overridden)).toEqual([both, both, both, ['endpointslices']]);
      // Only the slices are updated after the window.
      expect([resourcesOf(overridden), await readyIn(overridden)]).toEqual([['endpointslices'], [1, 2, 3, 4, 5, 6].map(ipOf)]);
      const before = world.outcomes('endpoints', 'shop/web').length;
      await pass(600_000);
      const outcomes = world.outcomes('endpoints', 'shop/web').slice(before);
      expect(new Set(outcomes)).toEqual(new Set(['requeued', 'dropped']));
      expect(outcomes.length).toBeLessThanOrEqual(50);
      expect(resourcesOf(overridden)).toEqual([]);
      // Until another client writes them.
      await world.client.patch(
        resources.endpoints,
        { namespace: 'shop', name: 'web' },
        { metadata: { labels: { a: 'b' } } },
        { type: 'merge' },
      );
      await pass(300_000);
      expect(await readyIn(overridden)).toEqual([3, 4, 5, 6].map(ipOf));
    },
  );

  test.each(['1.27', '1.28.15', '1.29.10', '1.30.6', '1.31.2', '1.36'])(
    'cause one write per change in %s and are updated after the window',
    async (version) => {
      await using overridden = await createOverridesWorld({ count, version, rules: freeze });
      expect(await play(overridden)).toEqual([both, both, both, both]);
      expect([resourcesOf(overridden), await readyIn(overridden)]).toEqual([both, [3, 4, 5, 6].map(ipOf)]);
      expect(overridden.resyncs.map(({ outcome }) => outcome)).toEqual(['resynced']);
      const outcomes = overridden.world.outcomes('endpoints', 'shop/web');
      expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual([]);
    },
  );
});

/** Makes the Service due for a sync. */
async function touch({ client, clock }: OverridesWorld['world']): Promise<void> {
  const annotations = { [overridesDueAnnotation]: new Date(clock.now()).toISOString() };
  await client.patch(resources.services, { namespace: 'shop', name: 'web' }, { metadata: { annotations } }, { type: 'merge' });
}

async function readyIn({ world }: OverridesWorld): Promise<string[]> {
  const { subsets } = (await world.get(resources.endpoints, 'web')) as EndpointsInput;
  return (subsets ?? []).flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip ?? ''));
}
