import { expect, it } from 'vitest';
import { isPodReady, readyCondition } from '../../src/spec/eligibility.ts';
import type { Pod } from '../../src/types/index.ts';

const pod = (...conditions: [type: string, status: string | null][]): Pod => ({
  status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
});

it.each<[string, Pod, boolean]>([
  ['Ready is True', pod(['Ready', 'True']), true],
  ['Ready is True and other conditions are False', pod(['Initialized', 'False'], ['Ready', 'True'], ['ContainersReady', 'False']), true],
  ['Ready is False', pod(['Initialized', 'True'], ['Ready', 'False']), false],
  ['Ready is Unknown', pod(['Ready', 'Unknown']), false],
  ['Ready is "true" in lower case', pod(['Ready', 'true']), false],
  ['Ready has no status', pod(['Ready', null]), false],
  ['only the condition ContainersReady', pod(['ContainersReady', 'True']), false],
  ['Ready is False, then True', pod(['Ready', 'False'], ['Ready', 'True']), false],
  ['no conditions', pod(), false],
  ['conditions that are null', { status: { conditions: null } }, false],
  ['no status', {}, false],
  ['a status that is null', { status: null }, false],
])('isPodReady with %s: %s', (_, each, expected) => {
  expect(isPodReady(each)).toBe(expected);
});

it('readyCondition returns the first condition of type Ready', () => {
  expect(readyCondition(pod(['A', 'True'], ['Ready', 'Unknown'], ['Ready', 'True']))).toEqual({ type: 'Ready', status: 'Unknown' });
  expect(readyCondition(pod(['A', 'True']))).toBeUndefined();
  expect(readyCondition({})).toBeUndefined();
});
