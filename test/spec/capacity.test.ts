import { describe, expect, it } from 'vitest';
import { countAddresses, fitCapacity, isCapacityAnnotationCorrect, maxCapacity } from '../../src/spec/capacity.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makeAddresses, makeSubset } from './objects.ts';

it('maxCapacity is 1,000', () => {
  expect(maxCapacity).toBe(1000);
});

describe('countAddresses', () => {
  it('counts ready and not-ready addresses of all subsets; an address in two subsets counts twice', () => {
    expect(countAddresses([makeSubset(3, 2), makeSubset(3), {}, { addresses: null, notReadyAddresses: undefined }])).toBe(8);
    expect(countAddresses([])).toBe(0);
  });
});

describe('fitCapacity', () => {
  it('keeps the ports of each subset and its first addresses', () => {
    const subsets = [{ ...makeSubset(700), notReadyAddresses: makeAddresses(1, 9) }, { addresses: makeAddresses(700, 3) }];
    expect(fitCapacity(subsets, profileFor()).subsets).toEqual([
      { addresses: makeAddresses(500, 1), ports: [{ port: 80 }] },
      { addresses: makeAddresses(500, 3) },
    ]);
    expect(countAddresses(subsets)).toBe(1401);
  });

  it('removes not-ready addresses before ready ones', () => {
    const subsets = [{ addresses: makeAddresses(990, 3), notReadyAddresses: makeAddresses(20, 4), ports: [{ port: 1 }] }];
    expect(fitCapacity(subsets, profileFor()).subsets).toEqual([
      { addresses: makeAddresses(990, 3), notReadyAddresses: makeAddresses(10, 4), ports: [{ port: 1 }] },
    ]);
  });

  it('keeps the ports of a subset that loses all its addresses', () => {
    expect(fitCapacity([makeSubset(1000), makeSubset(0, 1, 81)], profileFor()).subsets[1]).toEqual({ ports: [{ port: 81 }] });
  });
});

describe('isCapacityAnnotationCorrect', () => {
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
  ])('for annotation $annotation and $count addresses, returns $expected in $version', ({ version, annotation, count, expected }) => {
    expect(isCapacityAnnotationCorrect(annotation, [makeSubset(count)], profileFor(version))).toBe(expected);
  });
});
