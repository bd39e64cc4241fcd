import { expect, it } from 'vitest';
import { placePods } from '../../src/explain/placements.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

it('placePods maps every offer to its placement in the Endpoints', () => {
  const pods = [makePod('a'), makePod('b', { ip: '10.0.0.2', ready: false }), makePod('c', { metadata: { labels: {} } })];
  const { evaluatedPods, placementOf, unmanagedCode, packedSubsets, subsets } = placePods(makeService(), pods, profileFor());
  expect(unmanagedCode).toBeUndefined();
  expect(evaluatedPods.map(({ pod, offer }) => [pod.metadata?.name, offer && placementOf(offer)])).toEqual([
    ['a', { ready: true, ports: ['http:8080/TCP'] }],
    ['b', { ready: false, ports: ['http:8080/TCP'] }],
    ['c', undefined],
  ]);
  expect(subsets).toEqual(packedSubsets);
});

it('placePods returns no offers if the Service is not managed', () => {
  const { evaluatedPods, unmanagedCode, subsets } = placePods(makeService({ selector: null }), [makePod()], profileFor());
  expect(unmanagedCode).toBe('ServiceHasNoSelector');
  expect(evaluatedPods.map(({ offer }) => offer)).toEqual([undefined]);
  expect(subsets).toEqual([]);
});

it('placePods returns no placement for an offer removed by truncation', () => {
  const pods = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
  const { evaluatedPods, placementOf, packedSubsets, subsets } = placePods(makeService(), pods, profileFor());
  expect(evaluatedPods.filter(({ offer }) => offer && !placementOf(offer)).length).toBe(1);
  expect([packedSubsets[0]?.addresses?.length, subsets[0]?.addresses?.length]).toEqual([1001, 1000]);
});
