import { isDeepStrictEqual } from 'node:util';
import type { Reconciler } from 'kube-endpoints';
import { createReconcilerFor, endpointsGates, settingsUnder } from 'kube-endpoints/internal';
import type { Pod, Service } from 'kube-endpoints/types';
import { type GateName, newest, type Profile, profileFor } from 'kube-endpoints/versions';
import { describe, expect, it } from 'vitest';
import { generateCases } from './generate.ts';
import { replayWith } from './replay.ts';

/**
 * Gates that no generated write can show: a panic is compared with a fixed release's result, and the last one shows only in
 * an API server's answer to a write, which no generated case makes up. Both have tests of their own below.
 */
const unwritten: readonly GateName[] = ['emptyIPFamiliesPanic', 'staleOnlyAfterChange'];

/** Gates that show only beside an older rule: the release in which they are flipped. */
const bases: Partial<Record<GateName, string>> = { headlessLabelNotCompared: '1.30' };

const cases = generateCases(20, 1500);

describe('flipping a single gate changes a generated case', () => {
  it.each(Object.keys(endpointsGates).filter((gate) => !unwritten.includes(gate as GateName)) as GateName[])('%s', (gate) => {
    const base = profileFor(bases[gate] ?? newest);
    const changed = cases.find(
      (each) => !isDeepStrictEqual(replayWith(reconcilerFor(base), each), replayWith(reconcilerFor(flipped(base, gate)), each)),
    );
    expect(changed?.id).toBeDefined();
  });

  it('emptyIPFamiliesPanic changes no write, although the cases contain Services without ipFamilies', () => {
    const without = cases.filter(({ service }) => !service.spec?.ipFamilies?.length);
    expect(without.length).toBeGreaterThan(10);
    const base = profileFor(newest);
    for (const each of without) {
      expect(replayWith(reconcilerFor(flipped(base, 'emptyIPFamiliesPanic')), each)).toStrictEqual(replayWith(reconcilerFor(base), each));
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
  const stale = { metadata: { name: 'web', namespace: 'shop', resourceVersion: '5' } };

  /** Updates what has resourceVersion 5, is answered with `answered`, and is then shown resourceVersion 5 once more. */
  function syncAgain(reconciler: Reconciler, answered: string): string {
    const input = { key: 'shop/web', service: withPort, pods: [pod], current: stale };
    const { action, object } = reconciler.reconcile(input);
    expect(action).toBe('update');
    reconciler.observe({ ...object, metadata: { ...object?.metadata, resourceVersion: answered } });
    return reconciler.reconcile(input).action;
  }

  const base = profileFor(newest);
  it.each([
    { gate: 'staleObjectsRetried', answered: '6', on: 'retry', off: 'update' },
    { gate: 'staleOnlyAfterChange', answered: '5', on: 'update', off: 'retry' },
  ] as const)('$gate: answered with resourceVersion $answered, on $on, off $off', ({ gate, answered, on, off }) => {
    expect(syncAgain(reconcilerFor(base), answered)).toBe(on);
    expect(syncAgain(reconcilerFor(flipped(base, gate)), answered)).toBe(off);
  });

  it('is used again once it contains the written object', () => {
    const reconciler = reconcilerFor(base);
    expect(syncAgain(reconciler, '6')).toBe('retry');
    const current = { metadata: { ...stale.metadata, resourceVersion: '6' } };
    expect(reconciler.reconcile({ key: 'shop/web', service: withPort, pods: [pod], current }).action).toBe('update');
  });
});

const flipped = (profile: Profile, gate: GateName): Profile => ({ ...profile, [gate]: !profile[gate] });

/** In a zone of its own, for the release that does not write UTC. */
const reconcilerFor = (profile: Profile): Reconciler => createReconcilerFor(settingsUnder(profile, 'America/St_Johns'));
