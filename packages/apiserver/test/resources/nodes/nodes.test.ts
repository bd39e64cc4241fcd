import { expect, test } from 'vitest';
import { nodes } from '../../../src/resources/nodes/nodes.ts';
import { admitObject, checkCreate, readObject } from '../../../src/resources/write.ts';
import { selectableValues } from '../support.ts';

const read = (fields: object): Record<string, unknown> => readObject(nodes, { metadata: { name: 'a' }, ...fields }).value;

test.each([
  [{ podCIDR: '10.0.0.0/24' }, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }],
  [{ podCIDRs: ['10.0.0.0/24'] }, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }],
  [
    { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24'] },
    { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24'] },
  ],
])('podCIDR and the first of podCIDRs default to each other: %j', (spec, expected) => expect(read({ spec })['spec']).toEqual(expected));

test('allocatable defaults to capacity', () => {
  expect(read({ status: { capacity: { cpu: '1' } } })['status']).toEqual({ capacity: { cpu: '1' }, allocatable: { cpu: '1' } });
});

test('admission adds the taint not-ready on create, once', () => {
  const result = admitObject(nodes, read({}));
  if (result.forbidden !== undefined) throw new Error(result.forbidden);
  const admitted = result.object;
  expect(admitted['spec']).toEqual({ taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] });
  expect(admitObject(nodes, admitted)).toEqual({ object: admitted });
  expect(admitObject(nodes, read({}), read({}))).toEqual({ object: read({}) });
});

test('externalID causes a warning', () => {
  const warning = 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  expect(nodes.strategy.warnings?.({ spec: { externalID: 'a' } })).toEqual([warning]);
  expect(nodes.strategy.warnings?.({})).toEqual([]);
});

test('a create drops configSource and status.config', () => {
  const checked = checkCreate(nodes, read({ spec: { configSource: { configMap: {} } }, status: { config: {} } }));
  expect(checked).toEqual({ object: { metadata: { name: 'a' }, spec: {}, status: {} } });
});

test('the table shows roles, addresses and scheduling', () => {
  const object = {
    metadata: { name: 'a', labels: { 'node-role.kubernetes.io/b': '', 'node-role.kubernetes.io/a': '', 'kubernetes.io/role': 'c' } },
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: 'Ready', status: 'Unknown' }],
      addresses: [{ type: 'ExternalIP', address: '1.2.3.4' }],
      nodeInfo: { kernelVersion: '6', architecture: 'x' },
    },
  };
  expect(nodes.cells(object, new Date())).toEqual([
    'a',
    'NotReady,SchedulingDisabled',
    'a,b,c',
    '<unknown>',
    '',
    '<none>',
    '1.2.3.4',
    '<unknown>',
    '6 (x)',
    '<unknown>',
  ]);
  expect(selectableValues(nodes, object)).toEqual({ 'metadata.name': 'a', 'spec.unschedulable': 'true' });
});
