import { createReconciler } from 'kube-endpoints';
import type { EndpointSliceInput, EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { sampledRunCount as runsOf } from '../../../../test/support/sample.ts';
import { heldAnnotation, heldLabel } from '../../src/apply/hold-record.ts';
import { createOverrides, type Overrides } from '../../src/index.ts';
import { dateAtSecond, formatReadiness } from '../support.ts';

const names = ['a', 'b', 'c'] as const;

/** A readiness change of a pod after some seconds, and whether the controller syncs at once. */
interface ReadinessChange {
  readonly wait: number;
  readonly pod: number;
  readonly syncs: boolean;
}

const histories = fc.record({
  afterReady: fc.integer({ min: 0, max: 12 }),
  afterUnready: fc.integer({ min: 0, max: 12 }),
  initiallyReady: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  changes: fc.array(fc.record({ wait: fc.integer({ min: 0, max: 9 }), pod: fc.nat(2), syncs: fc.boolean() }), { maxLength: 25 }),
});

interface PodState {
  ready: boolean;
  since: number;
}

const service: Service = {
  metadata: { name: 'web', namespace: 'shop', uid: 's', labels: { app: 'web' } },
  spec: { selector: { app: 'web' }, clusterIP: '10.96.0.1', ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] },
};

const podsOf = (podStates: readonly PodState[]): Pod[] =>
  podStates.map(({ ready, since }, index) => ({
    metadata: { name: names[index], namespace: 'shop', uid: `uid-${names[index]}`, resourceVersion: String(since), labels: { app: 'web' } },
    spec: { nodeName: 'n1', containers: [] },
    status: {
      phase: 'Running',
      podIP: `10.0.0.${index + 1}`,
      podIPs: [{ ip: `10.0.0.${index + 1}` }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: dateAtSecond(since).toISOString() }],
    },
  }));

type Stored = EndpointsInput | EndpointSliceInput;

/** A controller whose writes pass through the rules; it does not write if the object is up to date. */
function createWriter(kind: 'Endpoints' | 'EndpointSlice', overrides: Overrides, passesPods: boolean) {
  const reconciler = createReconciler();
  const state: { stored: Stored | undefined; due: number | undefined } = { stored: undefined, due: undefined };
  const desiredObject = (pods: readonly Pod[]): Stored | undefined => {
    const current = state.stored;
    if (kind === 'Endpoints') return reconciler.reconcile({ key: 'shop/web', service, pods, current: current as EndpointsInput }).object;
    const plan = reconciler.reconcileSlices({ key: 'shop/web', service, pods, current: current ? [current as EndpointSliceInput] : [] });
    const [slice] = [...plan.create, ...plan.update];
    return slice && ({ ...slice, metadata: { ...slice.metadata, name: 'web-1' } } as Stored);
  };
  return {
    state,
    sync(podStates: readonly PodState[], second: number): void {
      const pods = podsOf(podStates);
      const object = desiredObject(pods);
      if (!object) return;
      const request = { oldObject: state.stored, now: dateAtSecond(second), ...(passesPods && { pods }) };
      const result = overrides.apply({ operation: state.stored ? 'UPDATE' : 'CREATE', object, ...request });
      // The rules do not change their own result.
      const secondResult = overrides.apply({ operation: 'UPDATE', ...request, object: result.object });
      expect(secondResult.patch).toEqual([]);
      state.stored = JSON.parse(JSON.stringify(result.object)) as Stored;
      state.due = result.due === undefined ? undefined : (Date.parse(result.due) - dateAtSecond(0).getTime()) / 1000;
    },
  };
}

function simulate(
  {
    afterReady,
    afterUnready,
    initiallyReady,
    changes,
  }: { afterReady: number; afterUnready: number; initiallyReady: readonly boolean[]; changes: readonly ReadinessChange[] },
  kind: 'Endpoints' | 'EndpointSlice',
  passesPods: boolean,
): void {
  const overrides = createOverrides({ rules: [{ name: 'damp', action: { hold: { afterReady, afterUnready } } }] });
  const podStates = initiallyReady.map((ready): PodState => ({ ready, since: 0 }));
  const writer = createWriter(kind, overrides, passesPods);
  const shownReadiness = new Map<string, boolean>();
  const syncAt = (second: number): void => {
    writer.sync(podStates, second);
    for (const [index, { ready, since }] of podStates.entries()) {
      const name = names[index] as string;
      const isShown =
        formatReadiness(writer.state.stored ?? {})
          .split('/')[0]
          ?.includes(name) ?? false;
      const minSeconds = isShown ? afterReady : afterUnready;
      if (isShown !== (shownReadiness.get(name) ?? false)) {
        expect({ name, isShown, ready, early: second - since < minSeconds }).toEqual({ name, isShown, ready: isShown, early: false });
      }
      shownReadiness.set(name, isShown);
    }
  };
  let second = 0;
  /** Syncs whenever a held change is due. */
  const syncUntil = (end: number): void => {
    for (let { due } = writer.state; due !== undefined && due <= end; due = writer.state.due) {
      expect(due).toBeGreaterThanOrEqual(second);
      second = due;
      writer.state.due = undefined;
      syncAt(second);
    }
  };
  syncAt(0);
  for (const { wait, pod, syncs } of changes) {
    const end = second + wait;
    syncUntil(end);
    second = end;
    const podState = podStates[pod] as PodState;
    Object.assign(podState, { ready: !podState.ready, since: second });
    if (syncs || !passesPods) syncAt(second);
  }
  syncAt(second);
  syncUntil(Number.POSITIVE_INFINITY);
  const { stored } = writer.state;
  const namesWithReadiness = (ready: boolean): string => names.filter((_, index) => podStates[index]?.ready === ready).join('');
  expect(formatReadiness(stored ?? {})).toBe(`${namesWithReadiness(true)}/${namesWithReadiness(false)}`);
  expect(stored?.metadata?.annotations ?? {}).not.toHaveProperty([heldAnnotation]);
  expect(stored?.metadata?.labels ?? {}).not.toHaveProperty([heldLabel]);
}

const runs = { numRuns: runsOf(400) };
const validHistories = histories.filter(({ afterReady, afterUnready }) => afterReady + afterUnready > 0);

test.each(['Endpoints', 'EndpointSlice'] as const)('%s: hold delays every change of readiness and converges to the real state', (kind) => {
  fc.assert(
    fc.property(validHistories, (history) => simulate(history, kind, false)),
    runs,
  );
});

test.each(['Endpoints', 'EndpointSlice'] as const)('%s: if the rules receive the pods, hold works even if syncs are missed', (kind) => {
  fc.assert(
    fc.property(validHistories, (history) => simulate(history, kind, true)),
    runs,
  );
});
