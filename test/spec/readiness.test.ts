import { expect, it } from 'vitest';
import { isPodReady, readyCondition } from '../../src/spec/eligibility.ts';
import type { Pod } from '../../src/types/index.ts';

const pod = (...conditions: [type: string, status: string | null][]): Pod => ({
  status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
});

it.each<[string, Pod, boolean]>([
  ['Ready True', pod(['Ready', 'True']), true],
  ['Ready True and other conditions False', pod(['Initialized', 'False'], ['Ready', 'True'], ['ContainersReady', 'False']), true],
  ['Ready False', pod(['Initialized', 'True'], ['Ready', 'False']), false],
  ['Ready Unknown', pod(['Ready', 'Unknown']), false],
  ['Ready "true" in lower case', pod(['Ready', 'true']), false],
  ['Ready without a status', pod(['Ready', null]), false],
  ['only the condition ContainersReady', pod(['ContainersReady', 'True']), false],
  ['Ready False, then Ready True', pod(['Ready', 'False'], ['Ready', 'True']), false],
  ['no conditions', pod(), false],
  ['conditions that are null', { status: { conditions: null } }, false],
  ['no status', {}, false],
  ['a status that is null', { status: null }, false],
])('isPodReady, if the pod has %s, returns %s', (_, each, expected) => {
  expect(isPodReady(each)).toBe(expected);
});

it('readyCondition returns the first condition of type Ready', () => {
  expect(readyCondition(pod(['A', 'True'], ['Ready', 'Unknown'], ['Ready', 'True']))).toEqual({ type: 'Ready', status: 'Unknown' });
  expect(readyCondition(pod(['A', 'True']))).toBeUndefined();
  expect(readyCondition({})).toBeUndefined();
});
