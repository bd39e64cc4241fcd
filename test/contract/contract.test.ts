import { V1Endpoints, V1Pod, V1Service } from '@kubernetes/client-node';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as kubeEndpoints from '../../src/index.ts';
import {
  type Agreement,
  checkAgreement,
  computeEndpointSlices,
  computeEndpoints,
  createMirror,
  createReconciler,
  createSelectorCache,
  type Difference,
  type Disregarded,
  explainEndpoints,
  isPodEligible,
  type MergedService,
  type MergedSlices,
  type MergeProblem,
  type Mirror,
  type MirrorInput,
  type MirrorOptions,
  mergeSlices,
  type Plan,
  type PlanCode,
  type PlanReason,
  type ReconcileInput,
  type Reconciler,
  type ReconcilerOptions,
  repackSubsets,
  type SelectorCache,
  type SliceEvent,
  type SlicePlan,
  type SlicePlanCode,
  type SliceReason,
  type SlicesInput,
  shouldPodBeInEndpoints,
  type VersionOptions,
} from '../../src/index.ts';
import type { EndpointSlice, EndpointSubset, Endpoints, Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const key = 'shop/web';

describe('public exports', () => {
  it('have exactly these names', () => {
    expect(Object.keys(kubeEndpoints).sort()).toStrictEqual([
      'checkAgreement',
      'computeEndpointSlices',
      'computeEndpoints',
      'createMirror',
      'createReconciler',
      'createSelectorCache',
      'endpointsFromSlices',
      'explainEndpoints',
      'explainSlices',
      'isPodEligible',
      'mergeSlices',
      'mirrorEndpoints',
      'repackSubsets',
      'shouldPodBeInEndpoints',
      'slicesFromEndpoints',
    ]);
  });

  it('have these parameters, results and methods', () => {
    expectTypeOf(computeEndpoints).toBeCallableWith({} as Service, [] as readonly Pod[]);
    expectTypeOf(computeEndpoints).returns.toEqualTypeOf<Endpoints | undefined>();
    expectTypeOf(isPodEligible).returns.toEqualTypeOf<boolean>();
    expectTypeOf(shouldPodBeInEndpoints).returns.toEqualTypeOf<boolean>();
    expectTypeOf(repackSubsets).returns.toEqualTypeOf<EndpointSubset[]>();
    expectTypeOf<Plan['action']>().toEqualTypeOf<'create' | 'update' | 'delete' | 'none' | 'retry'>();
    expect(Object.keys(createSelectorCache()).sort()).toStrictEqual(['delete', 'servicesFor', 'set']);
    expect(Object.keys(createReconciler()).sort()).toStrictEqual([
      'expectDeletion',
      'forget',
      'handleDeletion',
      'observe',
      'overloadedServices',
      'reconcile',
      'reconcileSlices',
    ]);
    expect(Object.keys(createMirror()).sort()).toStrictEqual([
      'expectDeletion',
      'forget',
      'handleDeletion',
      'isTracked',
      'mirror',
      'observe',
    ]);
    expectTypeOf(computeEndpointSlices).returns.toEqualTypeOf<EndpointSlice[]>();
    expectTypeOf<SlicePlan['create']>().toEqualTypeOf<EndpointSlice[]>();
    const [pod] = explainEndpoints(makeService(), [makePod()]);
    expect(pod).toMatchObject({ included: true, ready: true, reasons: [{ code: 'PodReady', message: 'The pod is ready.' }] });
    expect(pod?.reasons[0]).toHaveProperty('path');
  });
});

it('options, inputs and results have public types', () => {
  expectTypeOf<Parameters<typeof computeEndpoints>[2]>().toEqualTypeOf<VersionOptions | undefined>();
  expectTypeOf<Parameters<typeof createReconciler>[0]>().toEqualTypeOf<ReconcilerOptions | undefined>();
  expectTypeOf<Parameters<typeof createMirror>[0]>().toEqualTypeOf<MirrorOptions | undefined>();
  expectTypeOf(createReconciler).returns.toEqualTypeOf<Reconciler>();
  expectTypeOf(createMirror).returns.toEqualTypeOf<Mirror>();
  expectTypeOf(createSelectorCache).returns.toEqualTypeOf<SelectorCache>();
  expectTypeOf<Reconciler['reconcile']>().toEqualTypeOf<(input: ReconcileInput) => Plan>();
  expectTypeOf<Reconciler['reconcileSlices']>().toEqualTypeOf<(input: SlicesInput) => SlicePlan>();
  expectTypeOf<Mirror['mirror']>().toEqualTypeOf<(input: MirrorInput) => SlicePlan>();
  expectTypeOf<Plan['reasons'][number]>().toEqualTypeOf<PlanReason>();
  expectTypeOf<PlanReason['code']>().toEqualTypeOf<PlanCode>();
  expectTypeOf<SlicePlan['events'][number]>().toEqualTypeOf<SliceEvent>();
  expectTypeOf<SlicePlan['reasons'][number]>().toEqualTypeOf<SliceReason>();
  expectTypeOf<SliceReason['code']>().toEqualTypeOf<SlicePlanCode>();
  expectTypeOf(checkAgreement).returns.toEqualTypeOf<Agreement>();
  expectTypeOf<Agreement['differences'][number]>().toEqualTypeOf<Difference>();
  expectTypeOf<Agreement['disregarded'][number]>().toEqualTypeOf<Disregarded>();
  expectTypeOf(mergeSlices).returns.toEqualTypeOf<MergedSlices>();
  expectTypeOf<MergedSlices['services'][number]>().toEqualTypeOf<MergedService>();
  expectTypeOf<MergedSlices['problems'][number]>().toEqualTypeOf<MergeProblem>();
});

describe('the version option', () => {
  const functions: readonly [name: string, call: (version: string | undefined) => unknown][] = [
    ['computeEndpoints', (version) => computeEndpoints(makeService(), [makePod()], optional(version))],
    ['isPodEligible', (version) => isPodEligible(makePod(), optional(version))],
    ['shouldPodBeInEndpoints', (version) => shouldPodBeInEndpoints(makePod(), optional(version))],
    ['repackSubsets', (version) => repackSubsets([{ addresses: [{ ip: '10.0.0.1' }] }], optional(version))],
    ['createReconciler', (version) => createReconciler(optional(version)).reconcile({ key, service: makeService(), pods: [makePod()] })],
    ['explainEndpoints', (version) => explainEndpoints(makeService(), [makePod()], optional(version))],
  ];
  const optional = (version: string | undefined) => ({ version }) as { version: string };

  describe.each(functions)('%s', (_, call) => {
    it.each(['1.17', '1.29', '1.37', '1.17.0', '1.29.6', '1.37.99'])('accepts %s', (version) => {
      expect(() => call(version)).not.toThrow();
    });

    it.each(['1.8', '1.38', 'v1.29', '1.29.99', '', 'latest', '1', '2.0', '1.29.', '1.29.x', 'constructor', '__proto__'])(
      'refuses %j',
      (version) => {
        expect(() => call(version)).toThrow(RangeError);
        expect(() => call(version)).toThrow(`Kubernetes version ${JSON.stringify(version)} is not known: give "1.9" to "1.37"`);
      },
    );

    it('defaults to the newest release', () => {
      expect(call(undefined)).toStrictEqual(call('1.37'));
    });
  });

  it('names the last patch release if a later one is given', () => {
    expect(() => computeEndpoints(makeService(), [], { version: '1.29.99' })).toThrow('the last patch release of 1.29 is 1.29.15');
  });

  it('is optional', () => {
    expect(computeEndpoints(makeService(), [makePod()])).toStrictEqual(computeEndpoints(makeService(), [makePod()], {}));
  });

  it('treats a minor version as its last patch release', () => {
    const failed = makePod('a', { status: { phase: 'Failed' } });
    expect(isPodEligible(failed, { version: '1.22' })).toBe(isPodEligible(failed, { version: '1.22.17' }));
    expect(isPodEligible(failed, { version: '1.22' })).not.toBe(isPodEligible(failed, { version: '1.22.10' }));
  });
});

describe('reconcile for a deleted Service', () => {
  it('deletes existing Endpoints, and plans nothing without any', () => {
    const current = { metadata: { name: 'web', namespace: 'shop' } };
    for (const version of ['1.17', '1.28', '1.37']) {
      const reconciler = createReconciler({ version });
      expect(reconciler.reconcile({ key, service: undefined, pods: [], current })).toMatchObject({
        action: 'delete',
        reasons: [{ code: 'ServiceDeleted' }],
      });
      expect(reconciler.reconcile({ key, service: undefined, pods: [makePod()], current: undefined })).toMatchObject({ action: 'none' });
      expect(reconciler.reconcile({ key, pods: [] })).not.toHaveProperty('object');
    }
  });
});

describe('pods of the input', () => {
  it('may include pods that the Service does not select', () => {
    const unselectedPods = [makePod('x', { metadata: { namespace: 'other' } }), makePod('y', { metadata: { labels: { app: 'db' } } })];
    expect(computeEndpoints(makeService(), [...unselectedPods, makePod()])).toStrictEqual(computeEndpoints(makeService(), [makePod()]));
    const plan = (pods: Pod[]) => createReconciler().reconcile({ key, service: makeService(), pods });
    expect(plan([...unselectedPods, makePod()])).toStrictEqual(plan([makePod()]));
  });
});

describe('objects of @kubernetes/client-node', () => {
  const jsonObjects = {
    service: makeService({}, { labels: { app: 'web' }, creationTimestamp: '2026-01-01T00:00:00Z' }),
    pod: makePod('a', {
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:05Z' }] },
    }),
  };
  const instances = {
    service: Object.assign(new V1Service(), structuredClone(jsonObjects.service), {
      metadata: { ...jsonObjects.service.metadata, creationTimestamp: new Date('2026-01-01T00:00:00Z') },
    }),
    pod: Object.assign(new V1Pod(), structuredClone(jsonObjects.pod), {
      status: {
        ...jsonObjects.pod.status,
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date('2026-01-01T00:00:05Z') }],
      },
    }),
  };

  it.each(['1.17', '1.28', '1.37'])('are computed like JSON, in %s', (version) => {
    const expected = computeEndpoints(jsonObjects.service, [jsonObjects.pod], { version });
    expect(computeEndpoints(instances.service, [instances.pod], { version })).toStrictEqual(expected);
    expect(expected?.metadata.annotations).toStrictEqual({ 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' });
    expect(explainEndpoints(instances.service, [instances.pod], { version })).toStrictEqual(
      explainEndpoints(jsonObjects.service, [jsonObjects.pod], { version }),
    );
  });

  it('are compared and updated as current Endpoints', () => {
    const current = Object.assign(new V1Endpoints(), {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'web',
        namespace: 'shop',
        resourceVersion: '5',
        creationTimestamp: new Date('2026-01-01T00:00:00Z'),
        managedFields: [{ time: new Date(0) }],
        labels: { app: 'web', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
      },
      subsets: computeEndpoints(jsonObjects.service, [jsonObjects.pod])?.subsets,
    });
    const reconcile = (pods: Pod[]) => createReconciler().reconcile({ key, service: instances.service, pods, current });
    expect(reconcile([instances.pod]).action).toBe('none');
    const { action, object } = reconcile([]);
    expect(action).toBe('update');
    expect(object?.metadata).toStrictEqual({
      name: 'web',
      namespace: 'shop',
      resourceVersion: '5',
      creationTimestamp: new Date('2026-01-01T00:00:00Z'),
      managedFields: [{ time: new Date(0) }],
      labels: { app: 'web', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' },
    });
    expect(object).not.toHaveProperty('subsets');
    expect(current.subsets?.length).toBe(1);
  });

  it('provide trigger times as Dates', () => {
    const reconciler = createReconciler();
    reconciler.reconcile({ key, service: instances.service, pods: [instances.pod] });
    const laterPod = {
      ...jsonObjects.pod,
      status: {
        ...jsonObjects.pod.status,
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date('2026-01-01T00:00:06Z') }],
      },
    };
    const { object } = reconciler.reconcile({ key, service: jsonObjects.service, pods: [laterPod] });
    expect(object?.metadata.annotations).toStrictEqual({ 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:06Z' });
  });

  it('are selected by createSelectorCache', () => {
    const cache = createSelectorCache();
    cache.set(key, instances.service);
    expect(cache.servicesFor(instances.pod)).toStrictEqual([key]);
  });
});

describe('trigger times', () => {
  it('start again for a new Service of the same name', () => {
    const reconciler = createReconciler();
    const makeWeb = (uid: string, creationTimestamp: string) => makeService({}, { uid, creationTimestamp });
    const triggerTimeOf = (service: Service) =>
      reconciler.reconcile({ key, service, pods: [] }).object?.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time'];
    expect(triggerTimeOf(makeWeb('1', '2026-01-01T00:00:01Z'))).toBe('2026-01-01T00:00:01Z');
    expect(triggerTimeOf(makeWeb('1', '2026-01-01T00:00:01Z'))).toBeUndefined();
    expect(triggerTimeOf(makeWeb('2', '2026-01-01T00:00:01Z'))).toBe('2026-01-01T00:00:01Z');
  });
});

describe('inputs', () => {
  it('are never modified, frozen or retained', () => {
    const service = makeService({}, { labels: { app: 'web' } });
    const pods = [makePod()];
    const current = { metadata: { name: 'web', annotations: { kept: 'x' } }, subsets: [{ addresses: [{ ip: '1.1.1.1' }] }] };
    const before = structuredClone({ service, pods, current });
    const { object } = createReconciler().reconcile({ key, service, pods, current });
    expect({ service, pods, current }).toStrictEqual(before);
    for (const each of [service, service.metadata, pods, pods[0], current, current.metadata, current.subsets[0]])
      expect(Object.isFrozen(each)).toBe(false);
    if (object?.metadata.annotations) object.metadata.annotations['kept'] = 'y';
    expect(current).toStrictEqual(before.current);
  });
});
