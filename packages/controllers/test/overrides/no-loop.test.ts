import type { OverrideRule } from '@kube-endpoints/overrides';
import { resources } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import { overridesDueAnnotation } from '../../src/resync/index.ts';
import { createOverridesFixture, ipOf, type OverridesFixture, setReady } from './world.ts';

const podCount = 6;
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

/** The writes, failed writes and resyncs of a period. */
interface PeriodCounts {
  readonly writes: number;
  readonly failures: number;
  readonly resyncs: number;
}

/** Runs four minutes with eight readiness changes each, one minute to settle, then ten minutes without changes. */
async function churn(
  fixture: OverridesFixture,
): Promise<{ readonly busyMinutes: readonly PeriodCounts[]; readonly settlingMinute: PeriodCounts; readonly idlePeriod: PeriodCounts }> {
  const { controllersFixture, pass } = fixture;
  const readiness = new Map<number, boolean>();
  const takeCounts = createPeriodCounter(fixture);
  const busyMinutes: PeriodCounts[] = [];
  for (let i = 0; i < 32; i++) {
    // Cycles through the pods, starting with another pod each minute.
    const pod = ((i * 5 + Math.floor(i / 8)) % podCount) + 1;
    readiness.set(pod, readiness.get(pod) === false);
    await setReady(controllersFixture, pod, readiness.get(pod) === true);
    await pass(7500);
    if (i % 8 === 7) busyMinutes.push(takeCounts());
  }
  await pass(60_000);
  const settlingMinute = takeCounts();
  await pass(600_000);
  return { busyMinutes, settlingMinute, idlePeriod: takeCounts() };
}

function createPeriodCounter({ controllersFixture, resyncs }: OverridesFixture): () => PeriodCounts {
  let previousCount = 0;
  return () => {
    const periodWrites = controllersFixture.takeWrites();
    const resyncCount = resyncs.filter(({ outcome }) => outcome === 'resynced').length;
    const newResyncs = resyncCount - previousCount;
    previousCount = resyncCount;
    return { writes: periodWrites.length, failures: periodWrites.filter(({ failed }) => failed !== undefined).length, resyncs: newResyncs };
  };
}

async function runChurn(options: Parameters<typeof createOverridesFixture>[0]): Promise<Awaited<ReturnType<typeof churn>>> {
  await using fixture = await createOverridesFixture({ podCount, ...options });
  return await churn(fixture);
}

describe.each(sampled(['1.21', '1.27', '1.28', '1.30', '1.31', '1.36'], 3))(
  'the controllers of Kubernetes %s with override rules',
  (version) => {
    test.each(Object.entries(rules))('write at most as often as without rules, apart from writes after resyncs: %s', async (_, ruleSet) => {
      const withoutRules = await runChurn({ version });
      const withRules = await runChurn({ version, rules: ruleSet });
      expect([withoutRules.idlePeriod, withRules.idlePeriod]).toEqual(Array(2).fill({ writes: 0, failures: 0, resyncs: 0 }));
      for (const [i, { writes, failures, resyncs }] of [...withRules.busyMinutes, withRules.settlingMinute].entries()) {
        const baseline = withoutRules.busyMinutes[i] ?? withoutRules.settlingMinute;
        // A resync makes both controllers sync, and each writes at most once.
        expect({ minute: i, failures, excess: Math.max(0, writes - baseline.writes - 2 * resyncs) }).toEqual({
          minute: i,
          failures: 0,
          excess: 0,
        });
      }
      expect(withoutRules.busyMinutes.map(({ writes }) => writes)).toEqual([16, 16, 16, 16]);
    });
  },
);

/** A freeze rule restores every stored field, so updates change nothing. */
describe('controllers whose Endpoints are frozen for five minutes', () => {
  const window = { from: '2026-01-02T03:05:00Z', to: '2026-01-02T03:10:00Z' };
  const freeze: readonly OverrideRule[] = [{ name: 'stop', match: { window }, action: { freeze: {} } }];
  const takeWrittenResources = ({ controllersFixture }: OverridesFixture): string[] =>
    controllersFixture
      .takeWrites()
      .map(({ resource }) => resource)
      .sort();
  const bothResources = ['endpoints', 'endpointslices'];

  /** Changes one pod, requests two syncs, and changes another pod; then the window ends. Returns the written resources of each step. */
  const changeDuringFreeze = async (fixture: OverridesFixture): Promise<string[][]> => {
    const { controllersFixture, pass } = fixture;
    expect(new Date(controllersFixture.clock.now()).toISOString()).toMatch(/^2026-01-02T03:05:0/);
    const steps = [
      () => setReady(controllersFixture, 1, false),
      () => requestSync(controllersFixture),
      () => requestSync(controllersFixture),
      () => setReady(controllersFixture, 2, false),
    ];
    const writtenResources: string[][] = [];
    for (const step of steps) {
      await step();
      await pass(60_000);
      writtenResources.push(takeWrittenResources(fixture));
    }
    await pass(50_000);
    expect([takeWrittenResources(fixture), await readyIPsOf(fixture), fixture.resyncs.length]).toEqual([
      [],
      [1, 2, 3, 4, 5, 6].map(ipOf),
      0,
    ]);
    await pass(600_000);
    return writtenResources;
  };

  test.each(['1.28.12', '1.29.7', '1.30.3', '1.31.0', '1.31.1'])('retry with back-off in %s and write nothing', async (version) => {
    await using fixture = await createOverridesFixture({ podCount, version, rules: freeze });
    const { controllersFixture, pass } = fixture;
    // The trigger time is written, then removed; after that nothing differs.
    expect(await changeDuringFreeze(fixture)).toEqual([bothResources, bothResources, bothResources, ['endpointslices']]);
    // Only the slices are updated after the window.
    expect([takeWrittenResources(fixture), await readyIPsOf(fixture)]).toEqual([['endpointslices'], [1, 2, 3, 4, 5, 6].map(ipOf)]);
    const previousCount = controllersFixture.outcomes('endpoints', 'shop/web').length;
    await pass(600_000);
    const outcomes = controllersFixture.outcomes('endpoints', 'shop/web').slice(previousCount);
    expect(new Set(outcomes)).toEqual(new Set(['requeued', 'dropped']));
    expect(outcomes.length).toBeLessThanOrEqual(50);
    expect(takeWrittenResources(fixture)).toEqual([]);
    // After a write of another client, the Endpoints are updated.
    await controllersFixture.client.patch(
      resources.endpoints,
      { namespace: 'shop', name: 'web' },
      { metadata: { labels: { a: 'b' } } },
      { type: 'merge' },
    );
    await pass(300_000);
    expect(await readyIPsOf(fixture)).toEqual([3, 4, 5, 6].map(ipOf));
  });

  test.each(['1.27', '1.28.15', '1.29.10', '1.30.6', '1.31.2', '1.36'])(
    'write once per change in %s, and update the Endpoints after the window',
    async (version) => {
      await using fixture = await createOverridesFixture({ podCount, version, rules: freeze });
      expect(await changeDuringFreeze(fixture)).toEqual([bothResources, bothResources, bothResources, bothResources]);
      expect([takeWrittenResources(fixture), await readyIPsOf(fixture)]).toEqual([bothResources, [3, 4, 5, 6].map(ipOf)]);
      expect(fixture.resyncs.map(({ outcome }) => outcome)).toEqual(['resynced']);
      const outcomes = fixture.controllersFixture.outcomes('endpoints', 'shop/web');
      expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual([]);
    },
  );
});

/** Changes an annotation of the Service that requires a sync. */
async function requestSync({ client, clock }: OverridesFixture['controllersFixture']): Promise<void> {
  const annotations = { [overridesDueAnnotation]: new Date(clock.now()).toISOString() };
  await client.patch(resources.services, { namespace: 'shop', name: 'web' }, { metadata: { annotations } }, { type: 'merge' });
}

async function readyIPsOf({ controllersFixture }: OverridesFixture): Promise<string[]> {
  const { subsets } = (await controllersFixture.get(resources.endpoints, 'web')) as EndpointsInput;
  return (subsets ?? []).flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip ?? ''));
}
