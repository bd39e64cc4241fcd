import { expect, it } from 'vitest';
import type { FaultRule } from '../../src/faults/index.ts';
import { checkInteger, checkRule, propertiesByKind } from '../../src/faults/rule.ts';

it('the default verbs and required fields of each fault are among its verbs and fields', () => {
  for (const { verbs, defaultVerbs = [], fields, required = [] } of Object.values(propertiesByKind)) {
    expect(verbs).toEqual(expect.arrayContaining([...defaultVerbs]));
    expect(Object.keys(fields)).toEqual(expect.arrayContaining([...required]));
  }
});

it('the faults of category "answer" are those that replace the result of a call', () => {
  const answers = Object.entries(propertiesByKind).filter(([, { category }]) => category === 'answer');
  expect(answers.map(([name]) => name)).toEqual([
    'expired',
    'conflict',
    'tooManyRequests',
    'internalError',
    'unavailable',
    'timeout',
    'crash',
  ]);
});

it.each<FaultRule>([
  { fault: 'dropWatch' },
  { fault: 'dropWatch', afterEvents: [0, 3], afterMilliseconds: 5.5, broken: true, verbs: ['watch'], when: 'always' },
  { fault: 'stallWatch', forMilliseconds: 5, resources: ['pods', { group: 'apps', plural: 'deployments' }], namespaces: ['shop'] },
  { fault: 'conflict', when: { nth: 2, times: 3 } },
  { fault: 'tooManyRequests', retryAfterSeconds: 5, when: { chance: 0.5, times: 2 } },
  { fault: 'latency', milliseconds: 0, verbs: ['get', 'list'] },
  { fault: 'crash', at: 'before', verbs: ['get'], downMilliseconds: [1, 2] },
  { fault: 'dropWatches', watches: { resources: ['pods'] } },
  { fault: 'compact', when: 'once' },
])('accepts %j', (rule) => {
  expect(() => checkRule(rule, 'rules[0]')).not.toThrow();
});

it.each([
  [undefined, 'faults: rules[0] must be a rule'],
  [[], 'faults: rules[0] must be a rule'],
  [{}, 'faults: rules[0].fault undefined is not one of dropWatch, stallWatch, expired, '],
  [{ fault: 'toString' }, 'faults: rules[0].fault "toString" is not one of dropWatch, '],
  [{ fault: 'conflict', message: 'x' }, 'faults: rules[0].message is not a field of the fault conflict'],
  [{ fault: 'conflict', constructor: 'x' }, 'faults: rules[0].constructor is not a field of the fault conflict'],
  [{ fault: 'latency' }, 'faults: rules[0].milliseconds is required'],
  [
    { fault: 'latency', milliseconds: -1 },
    'faults: rules[0].milliseconds -1 is neither a non-negative number nor a range [lowest, highest]',
  ],
  [{ fault: 'latency', milliseconds: [2, 1] }, 'faults: rules[0].milliseconds [2,1] is neither a non-negative number'],
  [{ fault: 'latency', milliseconds: [2] }, 'faults: rules[0].milliseconds [2] is neither a non-negative number'],
  [{ fault: 'latency', milliseconds: Number.NaN }, 'faults: rules[0].milliseconds null is neither a non-negative number'],
  [{ fault: 'dropWatch', afterEvents: 1.5 }, 'faults: rules[0].afterEvents 1.5 is neither a non-negative integer'],
  [{ fault: 'dropWatch', broken: 'yes' }, 'faults: rules[0].broken "yes" is neither true nor false'],
  [{ fault: 'dropWatches', watches: { verbs: ['get'] } }, 'faults: rules[0].watches.verbs is neither resources nor namespaces'],
  [{ fault: 'dropWatches', watches: ['pods'] }, 'faults: rules[0].watches ["pods"] must be an object with resources or namespaces'],
  [{ fault: 'dropWatches', watches: { resources: [''] } }, 'faults: rules[0].watches.resources[0] "" is neither a plural'],
  [{ fault: 'tooManyRequests', retryAfterSeconds: 0 }, 'faults: rules[0].retryAfterSeconds 0 is not an integer of at least 1'],
  [{ fault: 'internalError', message: 1 }, 'faults: rules[0].message 1 is not a string'],
  [{ fault: 'crash', at: 'during' }, 'faults: rules[0].at "during" is neither "before" nor "after"'],
  [{ fault: 'conflict', verbs: ['create'] }, 'faults: rules[0].verbs conflict does not apply to create, only to delete, patch, update'],
  [{ fault: 'timeout', verbs: ['read'] }, 'faults: rules[0].verbs[0] "read" is not one of create, '],
  [{ fault: 'timeout', verbs: [] }, 'faults: rules[0].verbs [] is not a non-empty list'],
  [{ fault: 'timeout', resources: 'pods' }, 'faults: rules[0].resources "pods" is not a non-empty list'],
  [{ fault: 'timeout', namespaces: ['a', 1] }, 'faults: rules[0].namespaces[1] 1 is not a name'],
  [{ fault: 'timeout', when: 'never' }, 'faults: rules[0].when "never" is neither "once", "always" nor { nth, times, chance }'],
  [{ fault: 'timeout', when: {} }, 'faults: rules[0].when {} is neither'],
  [{ fault: 'timeout', when: { nth: 0 } }, 'faults: rules[0].when.nth 0 is not an integer of at least 1'],
  [{ fault: 'timeout', when: { times: 1.5 } }, 'faults: rules[0].when.times 1.5 is not an integer of at least 1'],
  [{ fault: 'timeout', when: { chance: 2 } }, 'faults: rules[0].when.chance 2 is not a number from 0 to 1'],
  [{ fault: 'timeout', when: { probability: 1 } }, 'faults: rules[0].when.probability is not one of nth, times, chance'],
])('refuses %j', (rule, message) => {
  expect(() => checkRule(rule as FaultRule, 'rules[0]')).toThrow(RangeError);
  expect(() => checkRule(rule as FaultRule, 'rules[0]')).toThrow(message);
});

it('checkInteger refuses values that are not integers of at least the minimum', () => {
  expect(() => checkInteger(0, 'seed', 0)).not.toThrow();
  for (const value of ['1', -1, 0.5, Number.POSITIVE_INFINITY, undefined]) expect(() => checkInteger(value, 'seed', 0)).toThrow(RangeError);
});
