import { expect, it } from 'vitest';
import { isPodReady, readyCondition } from '../../src/spec/eligibility.ts';
import type { Pod } from '../../src/types/index.ts';

const pod = (...conditions: [type: string, status: string | null][]): Pod => ({
  status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
});

it.each<[string, Pod, boolean]>([
  ['Ready is True', pod(['Ready', 'True']), true],
  ['Ready is True among others', pod(['Initialized', 'False'], ['Ready', 'True'], ['ContainersReady', 'False']), true],
  ['Ready is False', pod(['Initialized', 'True'], ['Ready', 'False']), false],
  ['Ready is Unknown', pod(['Ready', 'Unknown']), false],
  ['Ready is true in small letters', pod(['Ready', 'true']), false],
  ['Ready has no status', pod(['Ready', null]), false],
  ['only ContainersReady', pod(['ContainersReady', 'True']), false],
  ['the first of two decides', pod(['Ready', 'False'], ['Ready', 'True']), false],
  ['no conditions', pod(), false],
  ['null for conditions', { status: { conditions: null } }, false],
  ['no status', {}, false],
  ['null for status', { status: null }, false],
])('isPodReady with %s: %s', (_, each, expected) => {
  expect(isPodReady(each)).toBe(expected);
});

it('readyCondition returns the first condition of type Ready', () => {
  expect(readyCondition(pod(['A', 'True'], ['Ready', 'Unknown'], ['Ready', 'True']))).toEqual({ type: 'Ready', status: 'Unknown' });
  expect(readyCondition(pod(['A', 'True']))).toBeUndefined();
  expect(readyCondition({})).toBeUndefined();
});
