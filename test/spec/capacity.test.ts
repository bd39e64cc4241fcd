import { describe, expect, it } from 'vitest';
import { countAddresses, fitCapacity, isCapacityAnnotationRight, maxCapacity } from '../../src/spec/capacity.ts';
import type { EndpointSubset } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makeAddresses, makeSubset } from './objects.ts';

const sizes = (subsets: readonly EndpointSubset[]) =>
  subsets.map(({ addresses, notReadyAddresses }) => [addresses?.length ?? 0, notReadyAddresses?.length ?? 0]);

it('the capacity is 1,000', () => {
  expect(maxCapacity).toBe(1000);
});

describe('countAddresses', () => {
  it('counts ready and not ready ones of all subsets, an address in two subsets twice', () => {
    expect(countAddresses([makeSubset(3, 2), makeSubset(3), {}, { addresses: null, notReadyAddresses: undefined }])).toBe(8);
    expect(countAddresses([])).toBe(0);
  });
});

describe('fitCapacity', () => {
  it.each([
    { version: '1.20', subsets: [makeSubset(1001)], overCapacity: undefined, expected: [[1001, 0]] },
    { version: '1.21', subsets: [makeSubset(1000)], overCapacity: undefined, expected: [[1000, 0]] },
    { version: '1.21', subsets: [makeSubset(1001)], overCapacity: 'warning', expected: [[1001, 0]] },
    { version: '1.22', subsets: [makeSubset(1000)], overCapacity: undefined, expected: [[1000, 0]] },
    { version: '1.22', subsets: [makeSubset(600, 400)], overCapacity: undefined, expected: [[600, 400]] },
    { version: '1.22', subsets: [makeSubset(1001)], overCapacity: 'truncated', expected: [[1000, 0]] },
    { version: '1.22', subsets: [makeSubset(600, 401)], overCapacity: 'truncated', expected: [[600, 400]] },
    { version: '1.22', subsets: [makeSubset(1000, 5)], overCapacity: 'truncated', expected: [[1000, 0]] },
    { version: '1.22', subsets: [makeSubset(1001, 5)], overCapacity: 'truncated', expected: [[1000, 0]] },
    { version: '1.22', subsets: [makeSubset(0, 1200)], overCapacity: 'truncated', expected: [[0, 1000]] },
    {
      version: '1.22',
      subsets: [makeSubset(600), makeSubset(600)],
      overCapacity: 'truncated',
      expected: [
        [500, 0],
        [500, 0],
      ],
    },
    {
      version: '1.22',
      subsets: [makeSubset(700, 3), makeSubset(500, 4)],
      overCapacity: 'truncated',
      expected: [
        [584, 0],
        [416, 0],
      ],
    },
    {
      version: '1.22',
      subsets: [makeSubset(400, 300), makeSubset(400, 100)],
      overCapacity: 'truncated',
      expected: [
        [400, 150],
        [400, 50],
      ],
    },
    {
      version: '1.22',
      subsets: [makeSubset(999, 1), makeSubset(0, 1)],
      overCapacity: 'truncated',
      expected: [
        [999, 1],
        [0, 0],
      ],
    },
    {
      version: '1.37',
      subsets: [makeSubset(334), makeSubset(334), makeSubset(334), makeSubset(0, 9)],
      overCapacity: 'truncated',
      expected: [
        [334, 0],
        [334, 0],
        [332, 0],
        [0, 0],
      ],
    },
    {
      version: '1.37',
      subsets: [makeSubset(0, 9), makeSubset(1001)],
      overCapacity: 'truncated',
      expected: [
        [0, 0],
        [1000, 0],
      ],
    },
    { version: '1.37', subsets: [], overCapacity: undefined, expected: [] },
  ])('$version: case %#: $overCapacity, $expected', ({ version, subsets, overCapacity, expected }) => {
    const fitted = fitCapacity(subsets, profileFor(version));
    expect(fitted.overCapacity).toBe(overCapacity);
    expect(sizes(fitted.subsets)).toEqual(expected);
  });

  it('keeps the first addresses of each subset, and its ports', () => {
    const subsets = [{ ...makeSubset(700), notReadyAddresses: makeAddresses(1, 9) }, { addresses: makeAddresses(700, 3) }];
    expect(fitCapacity(subsets, profileFor()).subsets).toEqual([
      { addresses: makeAddresses(500, 1), ports: [{ port: 80 }] },
      { addresses: makeAddresses(500, 3) },
    ]);
    expect(countAddresses(subsets)).toBe(1401);
  });

  it('keeps all that are ready where those that are not are cut', () => {
    const subsets = [{ addresses: makeAddresses(990, 3), notReadyAddresses: makeAddresses(20, 4), ports: [{ port: 1 }] }];
    expect(fitCapacity(subsets, profileFor()).subsets).toEqual([
      { addresses: makeAddresses(990, 3), notReadyAddresses: makeAddresses(10, 4), ports: [{ port: 1 }] },
    ]);
  });

  it('leaves a subset that loses all its addresses with its ports', () => {
    expect(fitCapacity([makeSubset(1000), makeSubset(0, 1, 81)], profileFor()).subsets[1]).toEqual({ ports: [{ port: 81 }] });
  });
});

describe('isCapacityAnnotationRight', () => {
  it.each([
    { version: '1.20', annotation: 'x', count: 1001, expected: true },
    { version: '1.21', annotation: undefined, count: 1000, expected: true },
    { version: '1.21', annotation: 'warning', count: 1000, expected: false },
    { version: '1.21', annotation: 'warning', count: 1001, expected: true },
    { version: '1.21', annotation: undefined, count: 1001, expected: false },
    { version: '1.21', annotation: 'truncated', count: 1001, expected: false },
    { version: '1.22', annotation: undefined, count: 1000, expected: true },
    { version: '1.22', annotation: 'truncated', count: 1000, expected: false },
    { version: '1.22', annotation: '', count: 1, expected: false },
    { version: '1.22', annotation: 'warning', count: 1001, expected: false },
    { version: '1.22', annotation: 'truncated', count: 1001, expected: false },
    { version: '1.37', annotation: undefined, count: 1001, expected: false },
  ])('$version, $annotation over $count: $expected', ({ version, annotation, count, expected }) => {
    expect(isCapacityAnnotationRight(annotation, [makeSubset(count)], profileFor(version))).toBe(expected);
  });
});
