import { describe, expect, it } from 'vitest';
import { createReconciler, createReconcilerFor } from '../../src/incremental/reconciler.ts';
import { settingsFor } from '../../src/spec/settings.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { applyPlan, key, makeEndpoint, makeNode, makeSlice, summarizePlan } from '../spec/slices/objects.ts';

const input = { key, service: makeService(), pods: [makePod()] };
const slice = makeSlice('s', [makeEndpoint()]);

describe('createReconciler', () => {
  it('plans Endpoints and slices', () => {
    const reconciler = createReconciler();
    expect(reconciler.reconcile(input).action).toBe('create');
    const plan = reconciler.reconcileSlices({ ...input, current: [] });
    expect(summarizePlan(plan)).toBe('1 0 0 EndpointsAdded');
    expect(summarizePlan(reconciler.reconcileSlices({ ...input, current: applyPlan([], plan) }))).toBe('0 0 0 SlicesEqual');
  });

  it('limits a slice to maxEndpointsPerSlice endpoints, by default 100', () => {
    const pods = Array.from({ length: 101 }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));
    const sizes = (max?: number) =>
      createReconciler(max === undefined ? {} : { maxEndpointsPerSlice: max })
        .reconcileSlices({ ...input, pods, current: [] })
        .create.map(({ endpoints }) => endpoints.length);
    expect(sizes()).toEqual([100, 1]);
    expect(sizes(101)).toEqual([101]);
    const plan = createReconcilerFor(settingsFor({})).reconcileSlices({ ...input, pods, current: [] });
    expect(plan.create.length).toBe(2);
  });

  it('distinguishes observed Endpoints and slices by their kind', () => {
    const reconciler = createReconciler();
    const current = { metadata: { name: 'web', namespace: 'shop', resourceVersion: '1' } };
    reconciler.reconcile({ ...input, current });
    reconciler.observe(slice);
    expect(reconciler.reconcile({ ...input, current }).action).toBe('update');
    expect(reconciler.reconcileSlices({ ...input, current: [] }).retry).toBe(true);
    reconciler.observe({ metadata: { ...current.metadata, resourceVersion: '2' } });
    expect(reconciler.reconcile({ ...input, current }).action).toBe('retry');
  });

  it('tracks deletions', () => {
    const reconciler = createReconciler();
    reconciler.observe(slice);
    expect(reconciler.handleDeletion(slice)).toBe(false);
    reconciler.expectDeletion(slice);
    expect(reconciler.reconcileSlices({ ...input, current: [slice] }).retry).toBe(true);
    expect(reconciler.handleDeletion(slice)).toBe(true);
  });

  it('forgets a Service, even one without planned slices', () => {
    const reconciler = createReconciler();
    reconciler.forget(key);
    reconciler.observe(slice);
    expect(reconciler.reconcileSlices({ ...input, current: [] }).retry).toBe(true);
    reconciler.forget(key);
    expect(reconciler.reconcileSlices({ ...input, current: [] }).retry).toBe(false);
  });

  it('reports Services whose zones are overloaded', () => {
    const reconciler = createReconciler();
    const nodes = [makeNode('n1', 'a'), makeNode('n2', 'b')];
    const pods = ['n1', 'n2'].map((nodeName, i) => makePod(nodeName, { ip: `10.0.0.${i}`, spec: { nodeName } }));
    const service = makeService({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });
    reconciler.reconcileSlices({ key, service, pods, nodes, current: [] });
    expect(reconciler.overloadedServices(nodes)).toEqual([]);
    expect(reconciler.overloadedServices(nodes.slice(1))).toEqual([key]);
  });

  it('plans Endpoints but no slices for a release without discovery.k8s.io/v1beta1', () => {
    const reconciler = createReconciler({ version: '1.16' });
    expect(reconciler.reconcile(input).action).toBe('create');
    reconciler.observe({ metadata: { name: 'web', namespace: 'shop' } });
    reconciler.forget(key);
    for (const call of [
      () => reconciler.reconcileSlices({ ...input, current: [] }),
      () => reconciler.observe(slice),
      () => reconciler.expectDeletion(slice),
      () => reconciler.handleDeletion(slice),
      () => reconciler.overloadedServices([]),
    ])
      expect(call).toThrow(RangeError);
  });

  it.each([
    { version: '1.99' },
    { minIndexedPods: -1 },
    { minIndexedPods: 1.5 },
    { maxEndpointsPerSlice: 1001 },
    { version: '1.17', maxEndpointsPerSlice: 0 },
  ])('refuses %j', (options) => {
    expect(() => createReconciler(options)).toThrow(RangeError);
  });
});

describe('the option targetRef', () => {
  const machineReference = (name: string) => ({
    kind: 'VirtualMachine',
    apiVersion: 'kubevirt.io/v1',
    namespace: 'shop',
    name,
    uid: `vm-${name}`,
  });
  const createCustom = () =>
    createReconciler({ targetRef: ({ metadata }) => machineReference(metadata?.name ?? ''), maxEndpointsPerSlice: 2 });
  const pods = ['b', 'a'].map((name, i) => makePod(name, { ip: `10.0.0.${i}` }));
  const feed = { all: () => pods, changes: new Map() };

  it('replaces the pod as the reference of addresses and endpoints, on lists and on feeds', () => {
    for (const podSource of [pods, feed]) {
      const { object } = createCustom().reconcile({ ...input, pods: podSource });
      expect(object?.subsets?.[0]?.addresses?.map(({ targetRef }) => targetRef)).toEqual([machineReference('b'), machineReference('a')]);
      const { create } = createCustom().reconcileSlices({ ...input, pods: podSource, current: [] });
      expect(create[0]?.endpoints.map(({ targetRef }) => targetRef)).toEqual([machineReference('b'), machineReference('a')]);
    }
  });

  it('is compared with existing objects: an object that refers to the pod is rewritten', () => {
    for (const podSource of [pods, feed]) {
      const [customReconciler, podReconciler] = [createCustom(), createReconciler({ maxEndpointsPerSlice: 2 })];
      const ownEndpoints = customReconciler.reconcile({ ...input, pods: podSource }).object;
      expect(customReconciler.reconcile({ ...input, pods: podSource, current: ownEndpoints }).action).toBe('none');
      const endpointsOfPods = podReconciler.reconcile({ ...input, pods }).object;
      expect(customReconciler.reconcile({ ...input, pods: podSource, current: endpointsOfPods }).reasons.map(({ code }) => code)).toEqual([
        'SubsetsDiffer',
      ]);
      const current = applyPlan([], customReconciler.reconcileSlices({ ...input, pods: podSource, current: [] }));
      expect(summarizePlan(customReconciler.reconcileSlices({ ...input, pods: podSource, current }))).toBe('0 0 0 SlicesEqual');
      const slices = applyPlan([], podReconciler.reconcileSlices({ ...input, pods, current: [] }));
      expect(summarizePlan(customReconciler.reconcileSlices({ ...input, pods: podSource, current: slices }))).toBe('0 1 0 EndpointsDiffer');
    }
  });

  it('keeps endpoints with the same IP apart only if the UIDs of their references differ', () => {
    const twins = ['a', 'b'].map((name) => makePod(name));
    expect(createCustom().reconcile({ ...input, pods: twins }).object?.subsets?.[0]?.addresses).toHaveLength(2);
    const sharedReference = createReconciler({ targetRef: () => ({ kind: 'VirtualMachine', namespace: 'shop', name: 'x', uid: 'x' }) });
    expect(sharedReference.reconcile({ ...input, pods: twins }).object?.subsets?.[0]?.addresses).toHaveLength(1);
    expect(sharedReference.reconcileSlices({ ...input, pods: twins, current: [] }).create[0]?.endpoints).toHaveLength(1);
  });

  it('is copied into the planned objects', () => {
    const sharedReference = machineReference('x');
    const reconciler = createReconciler({ targetRef: () => sharedReference });
    const plan = reconciler.reconcile({ ...input, pods });
    for (const { targetRef } of plan.object?.subsets?.[0]?.addresses ?? []) Object.assign(targetRef ?? {}, { name: 'changed' });
    expect(sharedReference.name).toBe('x');
  });
});
