import { expect, it } from 'vitest';
import { computeEndpoints, repackSubsets } from '../../src/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { fc } from '../support/property.ts';
import { lookalikePodLists, services, subsetLists } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';
import { versions } from './releases.ts';

it('repackSubsets is idempotent', () => {
  checkInEveryRelease(subsetLists, (subsets, version) => {
    const once = repackSubsets(subsets, { version });
    expect(JSON.stringify(repackSubsets(once, { version }))).toBe(JSON.stringify(once));
  });
});

it('repackSubsets does not change computed subsets if every port has a number', () => {
  checkInEveryRelease(
    fc.record({ service: services, pods: lookalikePodLists }),
    ({ service, pods }, version) => {
      const subsets = computeEndpoints(service, pods, { version })?.subsets ?? [];
      const portlessSubsets = subsets.filter(({ ports }) => !ports);
      if (portlessSubsets.length > 1) return;
      expect(JSON.stringify(repackSubsets(subsets, { version }))).toBe(JSON.stringify(subsets));
    },
    30,
  );
});

it('repackSubsets returns no duplicate address in a subset, and none that is both ready and not ready', () => {
  checkInEveryRelease(
    subsetLists,
    (subsets, version) => {
      for (const { addresses = [], notReadyAddresses = [] } of repackSubsets(subsets, { version })) {
        const keys = [...addresses, ...notReadyAddresses].map(({ ip, targetRef }) => JSON.stringify([ip, targetRef?.uid ?? '']));
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length).toBeGreaterThan(0);
      }
    },
    30,
  );
});

it('repackSubsets merges two subsets without port numbers only when it is called again, since #67622', () => {
  const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 0 }] }, { addresses: [{ ip: '10.0.0.2' }] }];
  for (const version of versions) {
    if (!profileFor(version).portlessSubsetsKept) {
      expect(repackSubsets(subsets, { version }), version).toEqual([subsets[0]]);
      continue;
    }
    const once = repackSubsets(subsets, { version });
    expect(once.map(({ addresses }) => addresses?.length)).toEqual([1, 1]);
    const twice = repackSubsets(once, { version });
    expect(twice).toEqual([{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }]);
    expect(repackSubsets(twice, { version })).toEqual(twice);
  }
});
