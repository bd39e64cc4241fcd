import { describe, expect, it } from 'vitest';
import { computeDesiredMirror } from '../../../src/spec/mirroring/desired.ts';
import type { SliceEvent } from '../../../src/spec/slices/plan.ts';
import type { EndpointSubsetInput } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeAddresses } from '../objects.ts';
import { makeEndpoints, makeReadySubset, otherPort, port } from './objects.ts';

const computeDesired = (subsets: readonly EndpointSubsetInput[], version = '1.37', max = 1000) => {
  const { groups: allGroups, events } = computeDesiredMirror(makeEndpoints(subsets), max, profileFor(version));
  const groups = [...allGroups.values()].filter(({ endpoints }) => endpoints.size > 0);
  const summaries = groups.map(({ addressType, ports, endpoints }) => {
    const addresses = [...endpoints.values()].map((each) => `${each.addresses.join()}${each.conditions.ready ? '' : '!'}`);
    return `${addressType} ${ports.map(({ name }) => name).join('+')}: ${addresses.join(' ')}`;
  });
  return { summaries, groups, events, allGroups: [...allGroups.keys()] };
};

/** Extracts the numbers from each Event message. */
const numbersIn = (events: readonly SliceEvent[]) => events.map(({ message }) => message.match(/\d+/g)?.map(Number));

describe('computeDesiredMirror: subsets', () => {
  const samePorts = [makeReadySubset(['10.0.0.1']), makeReadySubset(['10.0.0.2'])];
  const sameAddress = [makeReadySubset(['10.0.0.1']), makeReadySubset(['10.0.0.1'], otherPort)];
  it.each([
    { name: 'two subsets with the same ports', subsets: samePorts, version: '1.26', expected: ['IPv4 sql: 10.0.0.1 10.0.0.2'] },
    { name: 'two subsets with the same ports', subsets: samePorts, version: '1.27.0', expected: ['IPv4 sql: 10.0.0.1 10.0.0.2'] },
    {
      name: 'two subsets with the same address',
      subsets: sameAddress,
      version: '1.26',
      expected: ['IPv4 sql: 10.0.0.1', 'IPv4 admin: 10.0.0.1'],
    },
    { name: 'two subsets with the same address', subsets: sameAddress, version: '1.27.0', expected: ['IPv4 sql+admin: 10.0.0.1'] },
    { name: 'no subsets', subsets: [], expected: [] },
    { name: 'a subset without addresses', subsets: [{ ports: [port] }], version: '1.21', expected: [] },
    { name: 'a subset without ports', subsets: [{ addresses: [{ ip: '10.0.0.1' }] }], expected: ['IPv4 : 10.0.0.1'] },
  ])('groups the addresses of $name (release $version)', ({ subsets, version, expected }) => {
    const summaries = computeDesired(subsets, version).summaries;
    // Sorted by the hash of the ports, which ports.test.ts covers.
    expect(summaries.map((text) => text.replace('admin+sql', 'sql+admin'))).toEqual(expected);
  });
});

it.each([
  ['1.26', 4],
  ['1.27', 2],
])('in %s, two subsets, one of them without addresses, result in %d groups', (version, count) => {
  expect(computeDesired([makeReadySubset(['10.0.0.1']), { ports: [otherPort] }], version).allGroups).toHaveLength(count);
});

describe('computeDesiredMirror: addresses', () => {
  it('are split by address type', () => {
    const { summaries } = computeDesired([makeReadySubset(['fd00::1', '10.0.0.1', 'fd00::2'])]);
    expect(summaries.sort()).toEqual(['IPv4 sql: 10.0.0.1', 'IPv6 sql: fd00::1 fd00::2']);
  });

  it.each([
    ['1.32', ['IPv4 sql: 010.0.0.1 10.0.0.1 ::ffff:10.0.0.2', 'IPv6 sql: FD00::1 fd00:0::2']],
    ['1.33.0', ['IPv4 sql: 10.0.0.1 10.0.0.2', 'IPv6 sql: fd00::1 fd00::2']],
  ])('are canonicalized from 1.33 on: %s', (version, expected) => {
    const ips = ['010.0.0.1', '10.0.0.1', '::ffff:10.0.0.2', 'FD00::1', 'fd00:0::2'];
    const found = computeDesired([makeReadySubset(ips)], version).groups.map(({ addressType, endpoints }) => [
      addressType,
      [...endpoints.values()].map(({ addresses }) => addresses[0] as string).sort(),
    ]);
    const expectedGroups = expected.map((text) => [text.slice(0, 4), text.slice(10).split(' ').sort()]);
    expect(found.sort()).toEqual(expectedGroups);
  });

  it.each([
    ['1.21.0', 'IPv4 sql: 10.0.0.1 10.0.0.2'],
    ['1.21.14', 'IPv4 sql: 10.0.0.1 10.0.0.2!'],
    ['1.22.0', 'IPv4 sql: 10.0.0.1 10.0.0.2!'],
    ['1.37', 'IPv4 sql: 10.0.0.1 10.0.0.2!'],
  ])('keep their readiness, except in 1.21.0: %s', (version, expected) => {
    const subset = { addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [port] };
    expect(computeDesired([subset], version).summaries).toEqual([expected]);
  });

  it.each([
    ['1.26', 'the last entry wins', ['IPv4 sql: 10.0.0.1!', 'IPv4 sql: 10.0.0.1']],
    ['1.27', 'not ready wins', ['IPv4 sql: 10.0.0.1!', 'IPv4 sql: 10.0.0.1!']],
  ])('in %s, for addresses that are both ready and not ready, %s', (version, _, expected) => {
    const notReady = { notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [port] };
    const oneSubset = { ...notReady, addresses: [{ ip: '10.0.0.1' }] };
    const twoSubsets = [notReady, makeReadySubset(['10.0.0.1'])];
    expect([...computeDesired([oneSubset], version).summaries, ...computeDesired(twoSubsets, version).summaries]).toEqual(expected);
  });

  it.each([
    ['1.25', 1],
    ['1.28.0', 2],
  ])('in %s, an address with two targets has %d endpoints', (version, count) => {
    const targets = ['a', 'b'].map((name) => ({ ip: '10.0.0.1', targetRef: { kind: 'Pod', namespace: 'shop', name, uid: name } }));
    expect(computeDesired([{ addresses: targets, ports: [port] }], version).groups[0]?.endpoints.size).toBe(count);
  });

  it('keep hostname, node and target; empty fields except nodeName are omitted', () => {
    const targetRef = { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'u', resourceVersion: '7', fieldPath: '' };
    const full = { ip: '10.0.0.1', hostname: 'h', nodeName: 'n1', targetRef };
    const empty = { ip: '10.0.0.2', hostname: '', nodeName: '', targetRef: null };
    const { groups } = computeDesired([{ addresses: [full, empty], ports: [port] }]);
    expect([...(groups[0]?.endpoints.values() ?? [])]).toEqual([
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true },
        hostname: 'h',
        nodeName: 'n1',
        targetRef: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'u', resourceVersion: '7' },
      },
      { addresses: ['10.0.0.2'], conditions: { ready: true }, nodeName: '' },
    ]);
  });
});

describe('computeDesiredMirror: ports', () => {
  it('always have a name and a protocol', () => {
    const { groups } = computeDesired([{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }]);
    expect(groups[0]?.ports).toEqual([{ name: '', port: 80, protocol: '' }]);
  });

  it('with equal appProtocol form one group even if the subsets are not merged', () => {
    const ports = [{ ...port, appProtocol: 'x' }];
    const subsets = ['10.0.0.1', '10.0.0.2'].map((ip) => ({ addresses: [{ ip }], ports }));
    const { groups } = computeDesired(subsets);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.endpoints.size).toBe(2);
    expect(groups[0]?.ports).toEqual([{ name: 'sql', port: 5432, protocol: 'TCP', appProtocol: 'x' }]);
  });

  it('are copied for each group', () => {
    const { groups } = computeDesired([makeReadySubset(['10.0.0.1', 'fd00::1'])]);
    expect(groups[0]?.ports).toEqual(groups[1]?.ports);
    expect(groups[0]?.ports[0]).not.toBe(groups[1]?.ports[0]);
  });
});

describe('computeDesiredMirror: maxEndpointsPerSubset', () => {
  const largeSubset = { addresses: makeAddresses(3, 1), notReadyAddresses: makeAddresses(3, 2), ports: [port] };
  it.each([
    { max: 2, expected: 'IPv4 sql: 10.1.0.0 10.1.0.1', skipped: 4 },
    { max: 3, expected: 'IPv4 sql: 10.1.0.0 10.1.0.1 10.1.0.2', skipped: 3 },
    { max: 4, expected: 'IPv4 sql: 10.1.0.0 10.1.0.1 10.1.0.2 10.2.0.0!', skipped: 2 },
    { max: 6, expected: 'IPv4 sql: 10.1.0.0 10.1.0.1 10.1.0.2 10.2.0.0! 10.2.0.1! 10.2.0.2!', skipped: 0 },
  ])('keeps at most $max addresses', ({ max, expected, skipped }) => {
    const { summaries, events } = computeDesired([largeSubset], '1.37', max);
    expect(summaries).toEqual([expected]);
    expect(events.map(({ type, reason }) => [type, reason])).toEqual(skipped > 0 ? [['Warning', 'TooManyAddressesToMirror']] : []);
    expect(numbersIn(events)).toEqual(skipped > 0 ? [[max, skipped]] : []);
  });

  it('limits each subset, across both address types', () => {
    const { summaries, events } = computeDesired(
      [makeReadySubset(['10.0.0.1', 'fd00::1', 'fd00::2']), makeReadySubset(['10.0.0.3'], otherPort)],
      '1.37',
      2,
    );
    expect(summaries.sort()).toEqual(['IPv4 admin: 10.0.0.3', 'IPv4 sql: 10.0.0.1', 'IPv6 sql: fd00::1']);
    expect(events).toHaveLength(1);
  });

  it.each([
    { ips: ['x', '10.0.0.1', ''], max: 1000, expected: ['IPv4 sql: 10.0.0.1'], events: ['InvalidIPAddress 2'] },
    { ips: ['10.0.0.1', '10.0.0.2', 'x'], max: 2, expected: ['IPv4 sql: 10.0.0.1 10.0.0.2'], events: ['TooManyAddressesToMirror 2,1'] },
    {
      ips: ['1', '10.0.0.1', '10.0.0.2', 'x'],
      max: 1,
      expected: ['IPv4 sql: 10.0.0.1'],
      events: ['InvalidIPAddress 1', 'TooManyAddressesToMirror 1,3'],
    },
    { ips: ['fe80::1%eth0', '10.0.0.256', '10.0.0'], max: 1, expected: [], events: ['InvalidIPAddress 3'] },
  ])('ignores invalid IPs: of $ips, mirrors at most $max', ({ ips, max, expected, events }) => {
    const found = computeDesired([makeReadySubset(ips)], '1.37', max);
    expect(found.summaries).toEqual(expected);
    expect(found.events.map((event) => `${event.reason} ${numbersIn([event])}`)).toEqual(events);
  });

  it.each([
    ['1.26', 4, []],
    ['1.27', 2, ['TooManyAddressesToMirror']],
  ])('limits subsets with equal ports in %s to %d endpoints', (version, size, events) => {
    const subsets = [makeReadySubset(['10.0.0.1', '10.0.0.2']), makeReadySubset(['10.0.0.3', '10.0.0.4'])];
    const found = computeDesired(subsets, version, 2);
    expect(found.groups.map(({ endpoints }) => endpoints.size)).toEqual([size]);
    expect(found.events.map(({ reason }) => reason)).toEqual(events);
  });
});
