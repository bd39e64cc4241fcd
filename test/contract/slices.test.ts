import { V1EndpointSlice, V1Node, V1Pod, V1Service } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { checkAgreement, computeEndpointSlices, computeEndpoints, createMirror, createReconciler, mergeSlices } from '../../src/index.ts';
import type { EndpointSlice, EndpointSliceInput, Pod } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const key = 'shop/web';
const nodes = [{ metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } } }];

/** A slice as an API server returns it after its creation. */
const storeSlice = (slice: EndpointSlice, i: number): EndpointSlice => ({
  ...slice,
  metadata: { ...slice.metadata, name: `web-${i}`, uid: `slice-${i}`, generation: 1, resourceVersion: String(i + 1) },
});

describe('the version option', () => {
  const functions: readonly [name: string, call: (version?: string) => unknown][] = [
    ['computeEndpointSlices', (version) => computeEndpointSlices(makeService(), [makePod()], version === undefined ? {} : { version })],
    [
      'reconcileSlices',
      (version) =>
        createReconciler(version === undefined ? {} : { version }).reconcileSlices({
          key,
          service: makeService(),
          pods: [makePod()],
          current: [],
        }),
    ],
    ['createMirror', (version) => createMirror(version === undefined ? {} : { version }).mirror({ key, current: [] })],
  ];

  describe.each(functions)('%s', (_, call) => {
    it.each(['1.19', '1.21', '1.29', '1.37', '1.20.15', '1.29.6'])('accepts %s', (version) => {
      expect(() => call(version)).not.toThrow();
    });

    it.each(['1.9', '1.16', '1.38', 'latest'])('refuses %j', (version) => {
      expect(() => call(version)).toThrow(RangeError);
    });

    it('defaults to the newest release', () => {
      expect(call()).toStrictEqual(call('1.37'));
    });
  });

  it('createReconciler plans Endpoints, but no slices, before 1.17', () => {
    expect(createReconciler({ version: '1.17' }).reconcile({ key, service: makeService(), pods: [] }).action).toBe('create');
    expect(() => createReconciler({ version: '1.16' }).reconcileSlices({ key, service: makeService(), pods: [], current: [] })).toThrow(
      'give 1.17 or later',
    );
  });

  it.each([0, 1001, 1.5, Number.NaN, '100' as unknown as number])(
    'createReconciler and computeEndpointSlices refuse %j endpoints per slice',
    (maxEndpointsPerSlice) => {
      expect(() => createReconciler({ maxEndpointsPerSlice })).toThrow(RangeError);
      expect(() => computeEndpointSlices(makeService(), [], { maxEndpointsPerSlice })).toThrow('give a whole number from 1 to 1,000');
    },
  );
});

describe('reconcileSlices', () => {
  it('returns slices to create, update and delete, with reasons', () => {
    const plan = createReconciler().reconcileSlices({ key, service: makeService(), pods: [makePod()], nodes, current: [] });
    expect(Object.keys(plan).sort()).toStrictEqual(['create', 'delete', 'events', 'reasons', 'retry', 'update']);
    expect(plan).toMatchObject({ update: [], delete: [], events: [], retry: false, reasons: [{ code: 'EndpointsAdded' }] });
    expect(plan.create).toStrictEqual(computeEndpointSlices(makeService(), [makePod()], { nodes }));
  });

  it('leaves slices of a deleted Service to the garbage collector', () => {
    const current = computeEndpointSlices(makeService(), [makePod()]).map(storeSlice);
    const plan = createReconciler().reconcileSlices({ key, service: undefined, pods: [], current });
    expect(plan).toMatchObject({ create: [], update: [], delete: [], reasons: [{ code: 'ServiceDeleted' }] });
  });

  it('ignores pods that the Service does not select', () => {
    const unselectedPods = [makePod('x', { metadata: { namespace: 'other' } }), makePod('y', { metadata: { labels: { app: 'db' } } })];
    const slices = (pods: Pod[]) => computeEndpointSlices(makeService(), pods);
    expect(slices([...unselectedPods, makePod()])).toStrictEqual(slices([makePod()]));
  });

  it('never changes slices of other owners', () => {
    const [slice] = computeEndpointSlices(makeService(), [makePod()]).map(storeSlice);
    const makeForeignSlice = (name: string, labels: Record<string, string>): EndpointSliceInput => ({
      ...slice,
      metadata: { ...slice?.metadata, name, labels: { ...slice?.metadata.labels, ...labels } },
    });
    const current = [
      makeForeignSlice('by-hand', { 'endpointslice.kubernetes.io/managed-by': 'me' }),
      makeForeignSlice('other', { 'kubernetes.io/service-name': 'other' }),
      { ...slice, metadata: { name: 'nameless', namespace: 'shop' } },
      { ...slice, metadata: { ...slice?.metadata, name: 'elsewhere', namespace: 'other' } },
    ];
    const plan = createReconciler().reconcileSlices({ key, service: makeService(), pods: [], current });
    expect(plan.create).toHaveLength(1);
    expect(plan).toMatchObject({ update: [], delete: [] });
  });
});

describe('objects of @kubernetes/client-node', () => {
  const instances = {
    service: Object.assign(new V1Service(), makeService()),
    pods: [Object.assign(new V1Pod(), makePod())],
    nodes: nodes.map((node) => Object.assign(new V1Node(), node)),
  };

  it('are computed, planned, merged and compared like plain objects', () => {
    const { service, pods } = instances;
    const computed = computeEndpointSlices(service, pods, { nodes: instances.nodes });
    expect(computed).toStrictEqual(computeEndpointSlices(makeService(), [makePod()], { nodes }));
    const current = computed.map(storeSlice).map((slice) => Object.assign(new V1EndpointSlice(), slice));
    const plan = createReconciler().reconcileSlices({ key, service, pods, nodes: instances.nodes, current });
    expect(plan.reasons).toMatchObject([{ code: 'SlicesEqual' }]);
    expect(mergeSlices(current)).toStrictEqual(mergeSlices(computed.map(storeSlice)));
    const endpoints = computeEndpoints(service, pods);
    expect(endpoints && checkAgreement(endpoints, current).agrees).toBe(true);
  });
});
