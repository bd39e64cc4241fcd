import { expect, it } from 'vitest';
import { createFirstGroup } from '../../../src/spec/slices/first-group.ts';
import { profileWith } from '../objects.ts';
import { httpPort, makeEndpoint, makeSlice } from './objects.ts';

const make = (gates: Parameters<typeof profileWith>[0] = {}) =>
  createFirstGroup({ key: 'k', ports: [httpPort] }, 'IPv4', profileWith(gates));
const namesOf = (group: ReturnType<typeof make>) => group.takeRest().map(({ targetRef }) => targetRef?.name);

it('says what it is of', () => {
  expect(make()).toMatchObject({ key: 'k', ports: [httpPort], addressType: 'IPv4' });
});

it('hands out once what it was given, the very objects', () => {
  const group = make();
  const endpoint = makeEndpoint('a');
  group.add(endpoint);
  expect(group.match(makeSlice('s', [endpoint]))).toEqual([]);
  expect(group.takeRest()[0]).toBe(endpoint);
  expect(group.takeRest()).toEqual([]);
});

it.each([
  ['plain IPv4', ['10.0.0.2', '9.0.0.1', '10.0.0.10', '10.0.0.1'], ['10.0.0.1', '10.0.0.10', '10.0.0.2', '9.0.0.1']],
  ['in order already', ['10.0.0.1', '10.0.0.10', '9.0.0.1'], ['10.0.0.1', '10.0.0.10', '9.0.0.1']],
  ['others among them', ['10.0.0.2', 'fd00::1', '010.0.0.1'], ['010.0.0.1', '10.0.0.2', 'fd00::1']],
])('hands out in the order of addresses as texts: %s', (_, ips, expected) => {
  const group = make();
  for (const ip of ips) group.add(makeEndpoint(ip, ip));
  expect(namesOf(group)).toEqual(expected);
});

it.each(['10.0.0.1', 'fd00::1'])('has one of several with one key, the last by target (%s)', (ip) => {
  for (const order of [
    ['a', 'b', 'c'],
    ['c', 'a', 'b'],
  ]) {
    const group = make({ endpointKeyedByTarget: false });
    for (const name of order) group.add(makeEndpoint(name, ip));
    group.add(makeEndpoint('z', ip, { hostname: 'h' }));
    group.add(makeEndpoint('y', '10.0.0.0'));
    expect(namesOf(group)).toEqual(['y', 'c', 'z']);
  }
});

it('has all of several with one address, if the target is part of the key', () => {
  const group = make({ endpointKeyedByTarget: true });
  for (const name of ['b', 'a']) group.add(makeEndpoint(name));
  expect(namesOf(group)).toEqual(['a', 'b']);
});
