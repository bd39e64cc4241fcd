import { isDeepStrictEqual } from 'node:util';
import type { Reconciler } from 'kube-endpoints';
import { createReconcilerFor, endpointsGates, settingsForProfile } from 'kube-endpoints/internal';
import type { Pod, Service } from 'kube-endpoints/types';
import { type GateName, newest, type Profile, profileFor } from 'kube-endpoints/versions';
import { describe, expect, it } from 'vitest';
import { generateCases } from './generate.ts';
import { replayWith } from './replay.ts';

/**
 * Gates that no generated case reveals: a panic leaves no writes to compare, and staleOnlyAfterChange depends on an API
 * server's answer to a write. Both have separate tests below.
 */
const unseenGates: readonly GateName[] = ['emptyIPFamiliesPanic', 'staleOnlyAfterChange'];

/** Gates that have an effect only together with a rule that later releases lack, with a release that has this rule. */
const dualStack = profileFor('1.19', { IPv6DualStack: true });
const bases: Partial<Record<GateName, Profile>> = {
  serviceLabelsNotMutated: profileFor('1.16'),
  headlessLabelNotCompared: profileFor('1.30'),
  headlessPortOmitted: profileFor('1.10'),
  ipFamilyRead: dualStack,
  ipFamiliesRead: dualStack,
};

const cases = generateCases(20, 1500);

describe('flipping a single gate', () => {
  it.each(Object.keys(endpointsGates).filter((gate) => !unseenGates.includes(gate as GateName)) as GateName[])(
    'changes a generated case: %s',
    (gate) => {
      const base = bases[gate] ?? profileFor(newest);
      const changed = cases.find(
        (each) => !isDeepStrictEqual(replayWith(reconcilerFor(base), each), replayWith(reconcilerFor(flip(base, gate)), each)),
      );
      expect(changed?.id).toBeDefined();
    },
  );

  it('changes no write in case of emptyIPFamiliesPanic, although the cases contain Services without ipFamilies', () => {
    const affected = cases.filter(({ service }) => !service.spec?.ipFamilies?.length);
    expect(affected.length).toBeGreaterThan(10);
    const base = profileFor(newest);
    for (const each of affected) {
      expect(replayWith(reconcilerFor(flip(base, 'emptyIPFamiliesPanic')), each)).toStrictEqual(replayWith(reconcilerFor(base), each));
    }
  });
});

describe('a stale cache', () => {
  const service: Service = {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { app: 'web' }, clusterIP: '10.96.0.1', ipFamilies: ['IPv4'] },
  };
  const pod: Pod = {
    metadata: { name: 'pod-1', namespace: 'shop', uid: 'u1', labels: { app: 'web' } },
    status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
  };
  const withPort: Service = { ...service, spec: { ...service.spec, ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] } };
  const staleEndpoints = { metadata: { name: 'web', namespace: 'shop', resourceVersion: '5' } };

  /** Updates resourceVersion 5, observes the answer `answeredVersion`, and reconciles with the cached resourceVersion 5 again. */
  function syncAgain(reconciler: Reconciler, answeredVersion: string): string {
    const input = { key: 'shop/web', service: withPort, pods: [pod], current: staleEndpoints };
    const { action, object } = reconciler.reconcile(input);
    expect(action).toBe('update');
    reconciler.observe({ ...object, metadata: { ...object?.metadata, resourceVersion: answeredVersion } });
    return reconciler.reconcile(input).action;
  }

  const base = profileFor(newest);
  it.each([
    { gate: 'staleObjectsRetried', answeredVersion: '6', actionWithGate: 'retry', actionWithout: 'update' },
    { gate: 'staleOnlyAfterChange', answeredVersion: '5', actionWithGate: 'update', actionWithout: 'retry' },
  ] as const)(
    '$gate: after resourceVersion $answeredVersion, the next action is $actionWithGate; without the gate $actionWithout',
    ({ gate, answeredVersion, actionWithGate, actionWithout }) => {
      expect(syncAgain(reconcilerFor(base), answeredVersion)).toBe(actionWithGate);
      expect(syncAgain(reconcilerFor(flip(base, gate)), answeredVersion)).toBe(actionWithout);
    },
  );

  it('allows updates again once it contains the written object', () => {
    const reconciler = reconcilerFor(base);
    expect(syncAgain(reconciler, '6')).toBe('retry');
    const current = { metadata: { ...staleEndpoints.metadata, resourceVersion: '6' } };
    expect(reconciler.reconcile({ key: 'shop/web', service: withPort, pods: [pod], current }).action).toBe('update');
  });
});

const flip = (profile: Profile, gate: GateName): Profile => ({ ...profile, [gate]: !profile[gate] });

/** Sets a time zone, because releases up to 1.21 write local times. */
const reconcilerFor = (profile: Profile): Reconciler => createReconcilerFor(settingsForProfile(profile, 'America/St_Johns'));
