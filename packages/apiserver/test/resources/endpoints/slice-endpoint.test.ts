import { expect, test } from 'vitest';
import { validateEndpoint } from '../../../src/resources/endpoints/slice-endpoint.ts';
import { fieldsOf, found } from '../support.ts';

const check = (endpoint: object, type = 'IPv4'): string[] =>
  found((causes) => validateEndpoint(endpoint as Record<string, unknown>, type, 'e', causes));

test.each([
  ['IPv4', ['10.0.0.1'], []],
  ['IPv4', ['fd00::1', '127.0.0.1', 'x'], ['e.addresses', 'e.addresses[1]', 'e.addresses[2]']],
  ['IPv6', ['fd00::1', '10.0.0.1', 'FD00::1', '::1'], ['e.addresses', 'e.addresses[2]', 'e.addresses[3]']],
  ['FQDN', ['a.b.', 'a', '', 'A.b'], ['e.addresses[1]', 'e.addresses[2]', 'e.addresses[3]']],
  ['Odd', ['x'], []],
])('%s %j', (type, addresses, fields) => expect(fieldsOf(check({ addresses }, type))).toEqual(fields));

test('has an address, and not too many', () => {
  expect(fieldsOf(check({}))).toEqual(['e.addresses']);
  expect(check({ addresses: Array.from({ length: 101 }, () => '10.0.0.1') })).toHaveLength(1);
});

test('names nodes, hosts and zones', () => {
  const addresses = ['10.0.0.1'];
  expect(fieldsOf(check({ addresses, nodeName: 'A', hostname: 'a.b', deprecatedTopology: { 'a b': '' } }))).toEqual([
    'e.nodeName',
    'e.deprecatedTopology',
    'e.hostname',
  ]);
  const names = (...of: string[]): object[] => of.map((name) => ({ name }));
  expect(fieldsOf(check({ addresses, hints: { forZones: names('a', 'a', 'b c'), forNodes: names('A') } }))).toEqual([
    'e.hints.forZones[1].name',
    'e.hints.forZones[2].name',
    'e.hints.forNodes[0].name',
  ]);
  expect(fieldsOf(check({ addresses, hints: { forZones: names(...'abcdefghi'), forNodes: names('A') } }))).toEqual(['e.hints.forZones']);
});
