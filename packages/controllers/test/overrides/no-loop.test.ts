import type { OverrideRule } from '@kube-endpoints/overrides';
import { resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import { overridesDueAnnotation } from '../../src/kick/index.ts';
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

/** Of a minute: how often the controllers wrote, how often of that in vain, and how often the kicker had them look. */
interface Minute {
  readonly writes: number;
  readonly failures: number;
  readonly kicks: number;
}

/** Four minutes in each of which eight pods change their readiness, the same ones every time, then one to come to rest, then ten more. */
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

function minutesOf({ world, kicks }: OverridesWorld): () => Minute {
  let before = 0;
  return () => {
    const sent = world.sent();
    const kicked = kicks.filter(({ outcome }) => outcome === 'kicked').length;
    const since = kicked - before;
    before = kicked;
    return { writes: sent.length, failures: sent.filter(({ failed }) => failed !== undefined).length, kicks: since };
  };
}

async function played(options: Parameters<typeof createOverridesWorld>[0]): Promise<Awaited<ReturnType<typeof churn>>> {
  await using overridden = await createOverridesWorld({ count, ...options });
  return await churn(overridden);
}

describe.each(sampled(['1.21', '1.27', '1.28', '1.30', '1.31', '1.36'], 3))('the controllers of %s beside rules', (version) => {
  test.each(Object.entries(rules))('write no more than without, but for what is let go: %s', async (_, ofRules) => {
    const without = await played({ version });
    const beside = await played({ version, rules: ofRules });
    expect([without.quiet, beside.quiet]).toEqual(Array(2).fill({ writes: 0, failures: 0, kicks: 0 }));
    for (const [i, { writes, failures, kicks }] of [...beside.busy, beside.rest].entries()) {
      const plain = without.busy[i] ?? without.rest;
      // A kick has both controllers look, and each write once at most.
      expect({ minute: i, failures, excess: Math.max(0, writes - plain.writes - 2 * kicks) }).toEqual({
        minute: i,
        failures: 0,
        excess: 0,
      });
    }
    expect(without.busy.map(({ writes }) => writes)).toEqual([16, 16, 16, 16]);
  });
});

/** An update that changes nothing, because a rule gives back what is stored to the last field. */
describe('Endpoints that are frozen for five minutes', () => {
  const window = { from: '2026-01-02T03:05:00Z', to: '2026-01-02T03:10:00Z' };
  const freeze: readonly OverrideRule[] = [{ name: 'stop', match: { window }, action: { freeze: {} } }];
  const resourcesOf = ({ world }: OverridesWorld): string[] =>
    world
      .sent()
      .map(({ resource }) => resource)
      .sort();
  const both = ['endpoints', 'endpointslices'];

  /** One pod turns, the Service is looked at twice, and another pod turns; then the window ends. */
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
    expect([resourcesOf(overridden), await readyIn(overridden), overridden.kicks.length]).toEqual([[], [1, 2, 3, 4, 5, 6].map(ipOf), 0]);
    await pass(600_000);
    return written;
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.31.1'])(
    'stay as they were in %s, which looks again and again, less and less often, and writes nothing',
    async (version) => {
      await using overridden = await createOverridesWorld({ count, version, rules: freeze });
      const { world, pass } = overridden;
      // The time of the change is written, then taken away, and then nothing is left that would differ.
      expect(await play(overridden)).toEqual([both, both, both, ['endpointslices']]);
      // Only the slices follow when the window has ended.
      expect([resourcesOf(overridden), await readyIn(overridden)]).toEqual([['endpointslices'], [1, 2, 3, 4, 5, 6].map(ipOf)]);
      const before = world.outcomes('endpoints', 'shop/web').length;
      await pass(600_000);
      const looks = world.outcomes('endpoints', 'shop/web').slice(before);
      expect(new Set(looks)).toEqual(new Set(['requeued', 'dropped']));
      expect(looks.length).toBeLessThanOrEqual(50);
      expect(resourcesOf(overridden)).toEqual([]);
      // Until somebody else writes them.
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
    'cost one write for each change in %s, and follow when the window has ended',
    async (version) => {
      await using overridden = await createOverridesWorld({ count, version, rules: freeze });
      expect(await play(overridden)).toEqual([both, both, both, both]);
      expect([resourcesOf(overridden), await readyIn(overridden)]).toEqual([both, [3, 4, 5, 6].map(ipOf)]);
      expect(overridden.kicks.map(({ outcome }) => outcome)).toEqual(['kicked']);
      const outcomes = overridden.world.outcomes('endpoints', 'shop/web');
      expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual([]);
    },
  );
});

/** Has the Service synced. */
async function touch({ client, clock }: OverridesWorld['world']): Promise<void> {
  const annotations = { [overridesDueAnnotation]: new Date(clock.now()).toISOString() };
  await client.patch(resources.services, { namespace: 'shop', name: 'web' }, { metadata: { annotations } }, { type: 'merge' });
}

async function readyIn({ world }: OverridesWorld): Promise<string[]> {
  const { subsets } = (await world.get(resources.endpoints, 'web')) as EndpointsInput;
  return (subsets ?? []).flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip ?? ''));
}
