import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/incremental/reconciler.ts';
import type { Plan } from '../../src/spec/plan.ts';
import type { Endpoints, EndpointsInput } from '../../src/types/index.ts';
import { httpPort, makeAddress, makePod, makeService, makeSubset } from './objects.ts';

const key = 'shop/web';
const codes = ({ action, reasons }: Plan) => [action, ...reasons.map(({ code }) => code)];
const managedByLabels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const overCapacity = 'endpoints.kubernetes.io/over-capacity';
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';
const subsets = [{ addresses: [makeAddress()], ports: [httpPort] }];
const matchingEndpoints: EndpointsInput = {
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '5', labels: managedByLabels },
  subsets,
};
const podsOverCapacity = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));

describe('reconcile: the plan', () => {
  it.each<{
    name: string;
    version?: string;
    input: Omit<Parameters<ReturnType<typeof createReconciler>['reconcile']>[0], 'key'>;
    expected: string[];
  }>([
    { name: 'a deleted Service without Endpoints', input: { pods: [] }, expected: ['none', 'ServiceDeleted'] },
    { name: 'a deleted Service', input: { pods: [], current: matchingEndpoints }, expected: ['delete', 'ServiceDeleted'] },
    {
      name: 'no selector',
      input: { service: makeService({ selector: null }), pods: [], current: matchingEndpoints },
      expected: ['none', 'ServiceHasNoSelector'],
    },
    {
      name: 'ExternalName',
      input: { service: makeService({ type: 'ExternalName' }), pods: [], current: matchingEndpoints },
      expected: ['none', 'ServiceIsExternalName'],
    },
    { name: 'no Endpoints exist', input: { service: makeService(), pods: [] }, expected: ['create', 'EndpointsMissing'] },
    {
      name: 'equal Endpoints',
      input: { service: makeService(), pods: [makePod()], current: matchingEndpoints },
      expected: ['none', 'EndpointsEqual'],
    },
    {
      name: 'equal Endpoints without subsets',
      input: { service: makeService(), pods: [], current: { metadata: { labels: managedByLabels } } },
      expected: ['none', 'EndpointsEqual'],
    },
    {
      name: 'a different address',
      input: { service: makeService(), pods: [makePod('b')], current: matchingEndpoints },
      expected: ['update', 'SubsetsDiffer'],
    },
    {
      name: 'a different label',
      input: { service: makeService({}, { labels: { a: '1' } }), pods: [makePod()], current: matchingEndpoints },
      expected: ['update', 'LabelsDiffer'],
    },
    {
      name: 'an unexpected capacity annotation',
      input: {
        service: makeService(),
        pods: [makePod()],
        current: { ...matchingEndpoints, metadata: { ...matchingEndpoints.metadata, annotations: { [overCapacity]: 'warning' } } },
      },
      expected: ['update', 'OverCapacityAnnotationWrong'],
    },
    {
      name: 'different subsets, labels and annotations',
      input: {
        service: makeService(),
        pods: [],
        current: { ...matchingEndpoints, metadata: { annotations: { [overCapacity]: 'warning' } } },
      },
      expected: ['update', 'SubsetsDiffer', 'LabelsDiffer', 'OverCapacityAnnotationWrong'],
    },
    {
      name: 'an expected capacity annotation',
      version: '1.21',
      input: {
        service: makeService(),
        pods: podsOverCapacity,
        current: { metadata: { annotations: { [overCapacity]: 'warning' } }, subsets: [makeSubset(1001)] },
      },
      expected: ['update', 'SubsetsDiffer'],
    },
    { name: 'an empty object', input: { service: makeService(), pods: [], current: {} }, expected: ['update', 'LabelsDiffer'] },
    {
      name: 'null fields',
      version: '1.30',
      input: { service: makeService(), pods: [], current: { metadata: null, subsets: null } },
      expected: ['none', 'EndpointsEqual'],
    },
  ])('for $name, is $expected', ({ version, input, expected }) => {
    const plan = createReconciler(version === undefined ? {} : { version }).reconcile({ key, ...input });
    expect(codes(plan)).toEqual(expected);
    expect(plan.object !== undefined).toBe(plan.action === 'create' || plan.action === 'update');
  });

  it.each<[string, Plan]>([
    ['The Service is deleted, so its Endpoints are deleted too.', createReconciler().reconcile({ key, pods: [] })],
    [
      'A Service of type ExternalName gets no Endpoints from this release.',
      createReconciler().reconcile({ key, service: makeService({ type: 'ExternalName' }), pods: [] }),
    ],
    [
      'The Service has no selector, so the controller does not change its Endpoints.',
      createReconciler().reconcile({ key, service: makeService({ selector: null }), pods: [] }),
    ],
    ['There are no Endpoints yet.', createReconciler().reconcile({ key, service: makeService(), pods: [] })],
    [
      'The existing Endpoints are up to date.',
      createReconciler().reconcile({ key, service: makeService(), pods: [makePod()], current: matchingEndpoints }),
    ],
    [
      'The addresses or ports, or their order, differ from the existing Endpoints.',
      createReconciler().reconcile({ key, service: makeService(), pods: [], current: matchingEndpoints }),
    ],
    ["The labels do not match the Service's labels.", createReconciler().reconcile({ key, service: makeService(), pods: [], current: {} })],
    [
      'The annotation endpoints.kubernetes.io/over-capacity does not match the existing number of addresses.',
      createReconciler().reconcile({
        key,
        service: makeService(),
        pods: [],
        current: { metadata: { labels: managedByLabels, annotations: { [overCapacity]: 'warning' } } },
      }),
    ],
  ])('explains: %s', (sentence, { reasons }) => {
    expect(reasons.map(({ message }) => message)).toEqual([sentence]);
  });

  it('has a message for every reason', () => {
    const reconciler = createReconciler();
    const { reasons } = reconciler.reconcile({
      key,
      service: makeService(),
      pods: [],
      current: { ...matchingEndpoints, metadata: { annotations: { [overCapacity]: 'warning' } } },
    });
    for (const { message } of reasons) expect(message).toMatch(/^[A-Z].*\.$/);
    expect(reconciler.reconcile({ key, pods: [] }).reasons).toEqual([
      { code: 'ServiceDeleted', message: 'The Service is deleted, so its Endpoints are deleted too.' },
    ]);
  });

  it('writes reordered subsets before 1.35 only', () => {
    const ports = [1, 2, 3, 4].map((port) => ({ name: `p${port}`, port, protocol: 'TCP', targetPort: port }));
    const service = makeService({ ports });
    const plan = (version: string) => {
      const object = createReconciler({ version }).reconcile({ key, service, pods: [makePod()] }).object as Endpoints;
      const current = { ...object, subsets: object.subsets?.map((subset) => ({ ...subset, ports: subset.ports?.toReversed() })) };
      return codes(createReconciler({ version }).reconcile({ key, service, pods: [makePod()], current: current as EndpointsInput }));
    };
    expect(plan('1.34')).toEqual(['update', 'SubsetsDiffer']);
    expect(plan('1.35')).toEqual(['none', 'EndpointsEqual']);
  });
});

describe('reconcile: object', () => {
  it('is complete on create', () => {
    const { object } = createReconciler().reconcile({
      key,
      service: makeService({}, { labels: { a: '1' }, creationTimestamp: '2026-01-01T00:00:00Z' }),
      pods: [makePod()],
    });
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'web',
        namespace: 'shop',
        labels: { a: '1', ...managedByLabels },
        annotations: { [triggerTime]: '2026-01-01T00:00:00Z' },
      },
      subsets,
    });
  });

  it('keeps fields of other writers on update', () => {
    const current = {
      metadata: {
        name: 'web',
        namespace: 'shop',
        resourceVersion: '5',
        uid: 'u',
        creationTimestamp: new Date(0),
        finalizers: ['f'],
        labels: { gone: 'x' },
        annotations: { kept: 'y', [triggerTime]: 'old', [overCapacity]: 'truncated' },
      },
      subsets: [{ addresses: [{ ip: '1.1.1.1' }] }],
    };
    const { object } = createReconciler().reconcile({ key, service: makeService({}, { labels: { a: '1' } }), pods: [makePod()], current });
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'web',
        namespace: 'shop',
        resourceVersion: '5',
        uid: 'u',
        creationTimestamp: new Date(0),
        finalizers: ['f'],
        labels: { a: '1', ...managedByLabels },
        annotations: { kept: 'y' },
      },
      subsets,
    });
  });

  it('omits empty maps and subsets on update', () => {
    const current = { metadata: { labels: { x: '1' }, annotations: { [triggerTime]: 'old' } }, subsets };
    const { object } = createReconciler({ version: '1.30' }).reconcile({ key, service: makeService(), pods: [], current });
    expect(JSON.stringify(object)).toBe('{"metadata":{"name":"web","namespace":"shop"},"apiVersion":"v1","kind":"Endpoints"}');
  });

  it('has an empty name for a Service without a name', () => {
    const { object } = createReconciler().reconcile({ key: '/', service: { spec: { selector: {} } }, pods: [], current: {} });
    expect(object?.metadata).toMatchObject({ name: '', namespace: '' });
  });

  it('is truncated and annotated over capacity', () => {
    const { object } = createReconciler().reconcile({ key, service: makeService(), pods: podsOverCapacity, current: matchingEndpoints });
    expect(object?.subsets?.[0]?.addresses?.length).toBe(1000);
    expect(object?.metadata.annotations).toEqual({ [overCapacity]: 'truncated' });
  });
});

it('createReconciler refuses an unknown version, and reconcile an invalid time', () => {
  expect(() => createReconciler({ version: '1.38' })).toThrow(RangeError);
  expect(() => createReconciler().reconcile({ key, service: makeService({}, { creationTimestamp: 'x' }), pods: [] })).toThrow(TypeError);
});
