import { expect, test } from 'vitest';
import { endpointSlices, validateEndpoint } from '../../../src/resources/endpoints/slices.ts';
import { checkCreate, checkUpdate } from '../../../src/resources/write.ts';
import { example, fieldsOf, reportedCauses } from '../support.ts';

const existingMetadata = { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '1', generation: 3 };
const slice = { metadata: existingMetadata, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] };

test('an update of an EndpointSlice increments the generation, unless only annotations change', () => {
  const generation = (change: object): unknown => {
    const checked = checkUpdate(endpointSlices, { ...slice, ...change }, slice);
    return checked.causes ?? (checked.object['metadata'] as Record<string, unknown>)['generation'];
  };
  expect(generation({})).toBe(3);
  expect(generation({ metadata: { ...existingMetadata, annotations: { a: 'b' } } })).toBe(3);
  expect(generation({ metadata: { ...existingMetadata, labels: { a: 'b' } } })).toBe(4);
  expect(generation({ ports: [{ name: 'x', protocol: 'TCP' }] })).toBe(4);
});

test('a create drops deprecatedTopology', () => {
  const { object } = example('endpointSlices/v4');
  expect(JSON.stringify(object)).toContain('deprecatedTopology');
  const checked = checkCreate(endpointSlices, { ...object, metadata: existingMetadata });
  expect(JSON.stringify(checked)).not.toContain('deprecatedTopology');
});

test('an update moves the node name of deprecatedTopology to nodeName, if the old object has it', () => {
  const topology = (nodeName?: string): object => ({
    ...slice,
    endpoints: [{ addresses: ['10.0.0.2'], deprecatedTopology: { 'kubernetes.io/hostname': 'n' }, ...(nodeName && { nodeName }) }],
  });
  const old = { ...slice, endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'n' } }] };
  expect(checkUpdate(endpointSlices, topology() as never, old)).toMatchObject({ object: { endpoints: [{ nodeName: 'n' }] } });
  expect(checkUpdate(endpointSlices, topology() as never, slice)).toMatchObject({ object: { endpoints: [{}] } });
});

test('addressType is immutable and port names are unique', () => {
  const lines = reportedCauses((causes) =>
    endpointSlices.strategy.validateUpdate({ ...slice, addressType: 'IPv6', endpoints: [] }, slice, causes),
  );
  expect(fieldsOf(lines)).toEqual(['addressType']);
  const ports = [{ protocol: 'TCP' }, { protocol: '', name: 'A' }, {}];
  expect(fieldsOf(reportedCauses((causes) => endpointSlices.strategy.validate({ ...slice, ports }, causes)))).toEqual([
    'ports[1].name',
    'ports[1].protocol',
    'ports[2].name',
    'ports[2].protocol',
  ]);
});

test('an EndpointSlice has at most 1000 endpoints', () => {
  const endpoints = Array.from({ length: 1001 }, () => ({ addresses: ['x'] }));
  expect(reportedCauses((causes) => endpointSlices.strategy.validate({ ...slice, endpoints }, causes))).toEqual([
    'FieldValueTooMany endpoints: Too many: 1001: must have at most 1000 items',
  ]);
});

const check = (endpoint: object, type = 'IPv4'): string[] =>
  reportedCauses((causes) => validateEndpoint(endpoint as Record<string, unknown>, type, 'e', causes));

test.each([
  ['IPv4', ['10.0.0.1'], []],
  ['IPv4', ['fd00::1', '127.0.0.1', 'x'], ['e.addresses', 'e.addresses[1]', 'e.addresses[2]']],
  ['IPv6', ['fd00::1', '10.0.0.1', 'FD00::1', '::1'], ['e.addresses', 'e.addresses[2]', 'e.addresses[3]']],
  ['FQDN', ['a.b.', 'a', '', 'A.b'], ['e.addresses[1]', 'e.addresses[2]', 'e.addresses[3]']],
  ['Odd', ['x'], []],
])('validateEndpoint checks %s addresses %j', (type, addresses, fields) => expect(fieldsOf(check({ addresses }, type))).toEqual(fields));

test('an endpoint has 1 to 100 addresses', () => {
  expect(fieldsOf(check({}))).toEqual(['e.addresses']);
  expect(check({ addresses: Array.from({ length: 101 }, () => '10.0.0.1') })).toHaveLength(1);
});

test('validateEndpoint checks nodes, host names and zones', () => {
  const addresses = ['10.0.0.1'];
  expect(fieldsOf(check({ addresses, nodeName: 'A', hostname: 'a.b', deprecatedTopology: { 'a b': '' } }))).toEqual([
    'e.nodeName',
    'e.deprecatedTopology',
    'e.hostname',
  ]);
  const names = (...values: string[]): object[] => values.map((name) => ({ name }));
  expect(fieldsOf(check({ addresses, hints: { forZones: names('a', 'a', 'b c'), forNodes: names('A') } }))).toEqual([
    'e.hints.forZones[1].name',
    'e.hints.forZones[2].name',
    'e.hints.forNodes[0].name',
  ]);
  expect(fieldsOf(check({ addresses, hints: { forZones: names(...'abcdefghi'), forNodes: names('A') } }))).toEqual(['e.hints.forZones']);
});
