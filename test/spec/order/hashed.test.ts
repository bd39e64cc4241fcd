import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sortPorts, sortSubsets } from '../../../src/spec/order/hashed.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { printSubset } from './print.ts';

const web = { name: 'web', port: 8080, protocol: 'TCP', appProtocol: 'https' };
const unnamedPort = { port: 9090, protocol: 'UDP' };

const numberedPorts = Array.from({ length: 12 }, (_, i) => ({ name: `p${i}`, port: 8000 + i, protocol: 'TCP' }));
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sortedBy = <T>(items: readonly T[], key: (item: T) => string): T[] => items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

describe('sortPorts', () => {
  it('sorts by the recorded hashes of Kubernetes 1.36.3', () => {
    expect(sortPorts([unnamedPort, web], profileFor('1.36'))).toEqual([web, unnamedPort]);
    expect(sortPorts([web, unnamedPort], profileFor('1.36'))).toEqual([web, unnamedPort]);
  });

  it.each([
    { version: '1.34', fields: ' AppProtocol:(*string)<nil>' },
    { version: '1.18', fields: ' AppProtocol:(*string)<nil>' },
    { version: '1.17', fields: '' },
  ])('sorts by the MD5 of the printed struct in $version', ({ version, fields }) => {
    const print = ({ name, port }: { readonly name: string; readonly port: number }): string =>
      `(v1.EndpointPort){Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)TCP${fields}}`;
    const expected = sortedBy(numberedPorts, (port) => md5(print(port)));
    expect(sortPorts(numberedPorts, profileFor(version))).toEqual(expected);
    expect(sortPorts(numberedPorts.toReversed(), profileFor(version))).toEqual(expected);
    expect(expected).not.toEqual(numberedPorts);
  });

  it('sorts differently in 1.17, 1.18 and 1.35', () => {
    const orders = ['1.17', '1.18', '1.35'].map((version) =>
      sortPorts(numberedPorts, profileFor(version))
        .map(({ name }) => name)
        .join(),
    );
    expect(new Set(orders).size).toBe(3);
  });

  it('keeps the order of ports with equal hashes, and does not change its input', () => {
    const list = [web, unnamedPort, { ...unnamedPort }];
    const sorted = sortPorts(list, profileFor());
    expect(sorted[1]).toBe(list[1]);
    expect(sorted[2]).toBe(list[2]);
    expect(sortPorts([], profileFor())).toEqual([]);
    const singlePort = [web];
    expect(sortPorts(singlePort, profileFor())).toEqual(singlePort);
    expect(sortPorts(singlePort, profileFor())).not.toBe(singlePort);
  });
});

describe('sortSubsets', () => {
  const subsets = numberedPorts.map((port, i) => ({ addresses: [{ ip: `10.0.0.${i}` }], ports: [port] }));

  it.each(['1.17', '1.21'])('sorts by the MD5 of the printed struct in %s', (version) => {
    const profile = profileFor(version);
    const expected = sortedBy(subsets, (subset) => md5(printSubset(subset, profile)));
    expect(sortSubsets(subsets, profile)).toEqual(expected);
    expect(sortSubsets(subsets.toReversed(), profile)).toEqual(expected);
  });

  it('hashes UTF-8 bytes', () => {
    const named = ['\u00e9', '\uffee', '\u{1f600}', 'z'].map((hostname) => ({ addresses: [{ ip: '10.0.0.1', hostname }] }));
    const profile = profileFor('1.30');
    expect(sortSubsets(named, profile)).toEqual(sortedBy(named, (subset) => md5(printSubset(subset, profile))));
  });
});
