import { expect } from 'vitest';
import { computeEndpointSlices, createReconciler, explainSlices, type SlicePlan } from '../../../src/index.ts';
import type { EndpointSlice, EndpointSliceInput, Node, Service } from '../../../src/types/index.ts';
import { withSliceController } from '../../support/slice-controller.ts';
import { createFeed, keyOf, type RowObjects } from './endpoints.ts';
import { toEndpointPort } from './expected.ts';
import { checkKeys, type Fields, pickMetadata } from './objects.ts';

export interface SliceRowObjects extends RowObjects {
  readonly nodes?: readonly Node[];
  readonly maxEndpointsPerSlice?: number;
}

const optionsOf = ({ version, timeZone, maxEndpointsPerSlice }: SliceRowObjects) => ({
  ...withSliceController(version),
  ...(timeZone !== undefined && { timeZone }),
  ...(maxEndpointsPerSlice !== undefined && { maxEndpointsPerSlice }),
});

/** Checks the pure function against the row, and the reconciler, the feed and the explanations against its result. */
export function checkSlices(row: SliceRowObjects): void {
  const { service, pods, nodes, expected } = row;
  const computed = computeEndpointSlices(service, pods, { ...optionsOf(row), nodes });
  if (expected['slices'] !== undefined) checkSliceList(computed, expected['slices']);
  const [slice] = computed;
  if (expected['sliceLabels'] !== undefined) expect(slice?.metadata.labels, 'labels').toStrictEqual(expected['sliceLabels']);
  if (expected['sliceAnnotations'] !== undefined) {
    expect(slice?.metadata.annotations ?? {}, 'annotations').toStrictEqual(expected['sliceAnnotations']);
  }
  for (const source of [pods, createFeed(service, pods, false)]) {
    const sync = (current: readonly EndpointSliceInput[]): SlicePlan =>
      createReconciler({ ...optionsOf(row), minIndexedPods: 0 }).reconcileSlices({
        key: keyOf(service),
        service,
        pods: source,
        nodes,
        current,
      });
    expect(sync([]).create, 'reconciler over no slices').toStrictEqual(computed);
    const secondPlan = sync(storeSlices(computed));
    const expectedSettled = expected['slicesSettled'] ?? (computed.some(({ endpoints }) => endpoints.length === 0) ? undefined : true);
    if (expectedSettled === undefined) continue;
    const settled = secondPlan.create.length + secondPlan.update.length + secondPlan.delete.length === 0;
    expect(settled, `reconciler over its own slices: ${secondPlan.reasons.map(({ code }) => code).join()}`).toBe(expectedSettled);
  }
  checkExplanations(computed, row);
}

/** Checks slices: "nothing", or a list of slices, in their order. */
export function checkSliceList(computed: readonly EndpointSlice[], slices: unknown): void {
  const list = slices === 'nothing' ? [] : (slices as readonly (Fields | unknown[])[]);
  const expected = list.map((each) => (Array.isArray(each) ? { endpoints: each } : (each as Fields)));
  const comparedSlices = computed.map((slice, i) => toComparedFields(slice, expected[i] ?? {}));
  expect(comparedSlices, 'slices').toStrictEqual(expected.map(completeSlice));
}

function completeSlice(fields: Fields): Fields {
  checkKeys('slice', fields, ['type', 'endpoints', 'ports', 'count', 'labels', 'annotations']);
  const { type = 'IPv4', endpoints, ports = (endpoints as unknown[] | undefined)?.length === 0 ? [] : ['http:8080/TCP'], ...rest } = fields;
  return {
    type,
    ports: (ports as unknown[]).map(toEndpointPort),
    ...(endpoints !== undefined && { endpoints: (endpoints as unknown[]).map(parseEndpoint) }),
    ...rest,
  };
}

/** Parses an endpoint of a row: "10.0.0.1", "10.0.0.1 not ready", either with " of POD", or fields to compare; null means absent. */
function parseEndpoint(endpoint: unknown): Fields {
  if (typeof endpoint !== 'string') return endpoint as Fields;
  const [, address, no, pod] = /^(\S+)( not ready)?(?: of (\S+))?$/.exec(endpoint) ?? [];
  if (address === undefined) throw new Error(`"${endpoint}" is no endpoint: write "IP", "IP not ready" or "IP of POD"`);
  return { address, ready: no === undefined, ...(pod !== undefined && { pod }) };
}

const endpointKeys = [
  'address',
  'addresses',
  'ready',
  'pod',
  'conditions',
  'hostname',
  'nodeName',
  'zone',
  'topology',
  'hints',
  'targetRef',
];

/** Reduces a computed slice to the fields that the row expects. */
function toComparedFields(slice: EndpointSlice, expected: Fields): Fields {
  const expectedEndpoints = expected['endpoints'] as readonly unknown[] | undefined;
  return {
    type: slice.addressType,
    ports: slice.ports,
    ...(expectedEndpoints && {
      endpoints: slice.endpoints.map((endpoint, i) => {
        const fullEndpoint: Fields = {
          ...endpoint,
          address: endpoint.addresses[0],
          ready: endpoint.conditions.ready,
          pod: endpoint.targetRef?.name,
        };
        const expectedEndpoint = i < expectedEndpoints.length ? parseEndpoint(expectedEndpoints[i]) : { address: '' };
        checkKeys('endpoint', expectedEndpoint, endpointKeys);
        return Object.fromEntries(Object.keys(expectedEndpoint).map((key) => [key, fullEndpoint[key] ?? null]));
      }),
    }),
    ...('count' in expected && { count: slice.endpoints.length }),
    ...('labels' in expected && { labels: slice.metadata.labels }),
    ...('annotations' in expected && { annotations: slice.metadata.annotations ?? {} }),
  };
}

/** Slices as an API server stores them. */
const storeSlices = (slices: readonly EndpointSlice[]): EndpointSliceInput[] =>
  slices.map((slice, i) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `web-${i}`, uid: `uid-web-${i}`, generation: 1, resourceVersion: '1' },
  }));

/** Checks that explain lists each pod in the slices that contain it, with the reasons that the row expects. */
function checkExplanations(computed: readonly EndpointSlice[], row: SliceRowObjects): void {
  const { service, pods, nodes, expected } = row;
  const explained = explainSlices(service, pods, { ...optionsOf(row), nodes });
  if (!service.metadata?.deletionTimestamp) expect(explained.slices, 'explain: slices').toStrictEqual(computed);
  const endpoints = groupEndpointsByPod(explained.slices);
  const memberships = explained.pods.map(({ namespace, name, slices }) => ({
    pod: `${namespace}/${name}`,
    in: slices.map(({ addressType, addresses, conditions }) => ({ addressType, addresses, conditions })),
  }));
  expect(memberships, 'explain').toStrictEqual(memberships.map(({ pod }) => ({ pod, in: endpoints.get(pod) ?? [] })));
  for (const [name, code] of Object.entries((expected['slicesWhy'] ?? {}) as Fields)) {
    const codes = explained.pods.find((pod) => pod.name === name)?.reasons.map((reason) => reason.code);
    expect(codes, `explain: reasons of ${name} in slices`).toContain(code);
  }
  for (const [type, code] of Object.entries((expected['hintsWhy'] ?? {}) as Fields)) {
    const hints = explained.hints.find(({ addressType }) => addressType === type);
    expect(
      hints?.reasons.map((reason) => reason.code),
      `explain: hints of ${type}`,
    ).toContain(code);
  }
}

/** Groups the endpoints of slices by the namespace and name of their pods. */
function groupEndpointsByPod(slices: readonly EndpointSlice[]): Map<string, Fields[]> {
  const byPod = new Map<string, Fields[]>();
  for (const { addressType, endpoints } of slices) {
    for (const { addresses, conditions, targetRef } of endpoints) {
      const key = `${targetRef?.namespace ?? ''}/${targetRef?.name ?? ''}`;
      byPod.set(key, [...(byPod.get(key) ?? []), { addressType, addresses, conditions }]);
    }
  }
  return byPod;
}

/** Creates an existing slice: correct for the Service except for the fields of the row, with endpoints on node n1. */
export function makeCurrentSlice(fields: Fields, service: Service): EndpointSliceInput {
  const { type = 'IPv4', endpoints = [], ports = ['http:8080/TCP'], ownerUID = service.metadata?.uid, ...metadata } = fields;
  const headless = !service.spec?.clusterIP || service.spec.clusterIP === 'None';
  return {
    addressType: type as EndpointSlice['addressType'],
    endpoints: (endpoints as unknown[]).map(makeCurrentEndpoint),
    ports: ports === null ? null : (ports as unknown[]).map(toEndpointPort),
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: `uid-${String(metadata['name'] ?? 'web-1')}`,
      generation: 1,
      resourceVersion: '1',
      labels: {
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        ...(headless && { 'service.kubernetes.io/headless': '' }),
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: 'web', uid: ownerUID as string, controller: true, blockOwnerDeletion: true },
      ],
      ...pickMetadata(metadata),
    },
  };
}

function makeCurrentEndpoint(endpoint: unknown): object {
  const { address, ready, pod = 'a', ...rest } = parseEndpoint(endpoint);
  const fullEndpoint: Fields = {
    addresses: [address],
    conditions: { ready: ready ?? true, serving: ready ?? true, terminating: false },
    nodeName: 'n1',
    zone: 'z1',
    targetRef: { kind: 'Pod', namespace: 'shop', name: pod, uid: `uid-${String(pod)}` },
    ...rest,
  };
  return Object.fromEntries(Object.entries(fullEndpoint).filter(([, value]) => value !== null));
}

/** Checks the plan over existing slices, by list and by feed: number of writes, reasons, Events, and retry. */
export function checkSlicePlan(row: SliceRowObjects, current: readonly EndpointSliceInput[]): void {
  const { service, pods, nodes, expected } = row;
  for (const source of [pods, createFeed(service, pods, false)]) {
    const reconciler = createReconciler({ ...optionsOf(row), minIndexedPods: 0 });
    const plan = reconciler.reconcileSlices({ key: keyOf(service), service, pods: source, nodes, current });
    checkSliceWrites(plan, expected['slicePlan'] as Fields);
  }
}

/** Checks a plan: numbers of writes are 0 and `retry` is false if not given; `because` and `events` are compared if given. */
export function checkSliceWrites(plan: SlicePlan, expected: Fields): void {
  checkKeys('slicePlan', expected, ['create', 'update', 'delete', 'retry', 'because', 'events']);
  const { create = 0, update = 0, delete: deleteCount = 0, retry = false, because, events } = expected;
  const writes = { create: plan.create.length, update: plan.update.length, delete: plan.delete.length, retry: plan.retry };
  const codes = plan.reasons.map(({ code }) => code);
  expect(writes, `writes, because ${codes.join()}`).toStrictEqual({ create, update, delete: deleteCount, retry });
  if (because !== undefined) expect(codes, 'reasons of the plan').toStrictEqual(because);
  if (events !== undefined)
    expect(
      plan.events.map(({ reason }) => reason),
      'Events',
    ).toStrictEqual(events);
}
