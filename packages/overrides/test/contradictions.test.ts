import { describe, expect, test } from 'vitest';
import { createOverrides, type EndpointOverrides, RulesError } from '../src/index.ts';

const problemsOf = (rules: EndpointOverrides): readonly string[] => {
  try {
    createOverrides(rules);
    return [];
  } catch (error) {
    if (error instanceof RulesError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
};

const refuseRule = (refuse: object): EndpointOverrides => ({ rules: [{ name: 'a', action: { refuse } }] });
const windowRule = (window: object): EndpointOverrides => ({ rules: [{ name: 'a', match: { window }, action: { keepIn: {} } }] });

describe('createOverrides with ranges', () => {
  test.each<[object, string]>([
    [
      { allowed: ['10.1.0.0/16'], forbidden: ['10.0.0.0/8'] },
      'nothing of "10.1.0.0/16" is allowed: forbidden "10.0.0.0/8" covers all of it',
    ],
    [{ allowed: ['fd00::/8'], forbidden: ['FD00:0::/8'] }, 'nothing of "fd00::/8" is allowed: forbidden "FD00:0::/8" covers all of it'],
    [{ allowed: ['127.0.0.0/8'], presets: ['loopback'] }, 'nothing of "127.0.0.0/8" is allowed: preset loopback covers all of it'],
  ])('refuses %j, which allows nothing', (ranges, problem) => {
    expect(problemsOf(refuseRule(ranges))).toEqual([`rules[0].action.refuse.allowed[0]: ${problem}`]);
  });

  test.each<object>([
    { allowed: ['10.0.0.0/8'], forbidden: ['10.1.0.0/16', 'fd00::/8'] },
    { allowed: ['10.0.0.0/8', 'fd00::/8'], presets: ['loopback', 'pods-of-other-namespaces'] },
  ])('accepts %j, which allows some addresses', (ranges) => {
    expect(problemsOf(refuseRule(ranges))).toEqual([]);
  });
});

describe('createOverrides with time windows', () => {
  const [monday, tuesday] = ['2026-02-02T00:00:00Z', '2026-02-03T00:00:00Z'];
  test.each<object>([
    { from: monday, to: tuesday, days: ['Sat'] },
    { from: monday, to: tuesday, days: ['Tue'], start: '09:00', end: '17:00' },
    { from: monday, to: '2026-02-02T08:00:00Z', start: '09:00', end: '17:00' },
  ])('refuses %j, which never opens', (window) => {
    expect(problemsOf(windowRule(window))).toEqual(['rules[0].match.window.to: the window never opens between "from" and "to"']);
  });

  test.each<object>([
    { from: monday, to: tuesday, days: ['Sun'], start: '22:00', end: '02:00' },
    { from: monday, to: tuesday, days: ['Tue'], timeZone: 'Pacific/Auckland' },
    { from: monday, to: '2026-02-02T09:00:01Z', start: '09:00', end: '17:00' },
    { from: monday, to: tuesday, start: '09:00', end: '09:01' },
    { from: monday, days: ['Sat'] },
  ])('accepts %j, which opens', (window) => {
    expect(problemsOf(windowRule(window))).toEqual([]);
  });
});

describe('createOverrides with opposite rules', () => {
  const createRulePair = (first: object, second: object, evaluation?: 'first'): EndpointOverrides => ({
    ...(evaluation && { evaluation }),
    rules: [
      { name: 'a', match: first, action: { keepIn: {} } },
      { name: 'b', match: second, action: { keepOut: {} } },
    ],
  });

  test.each<[object, object]>([
    [{ services: ['a', 'b'] }, { services: ['b', 'a'] }],
    [{ services: ['a'], namespaces: ['shop', '*'] }, { services: ['a'] }],
  ])('refuses the equal matches %j and %j', (first, second) => {
    expect(problemsOf(createRulePair(first, second))).toEqual([
      'rules[1].action: it makes the same addresses not ready that "a" makes ready',
    ]);
  });

  test.each<[object, object]>([
    [{ services: ['*'] }, {}],
    [{ services: ['a'] }, { services: ['a', 'b'] }],
  ])('accepts the matches %j and %j, because a slice can have no Service', (first, second) => {
    expect(problemsOf(createRulePair(first, second))).toEqual([]);
    expect(problemsOf(createRulePair(first, second, 'first'))).toEqual([]);
  });

  test('accepts opposite rules for all addresses and for addresses of pods', () => {
    const allAddresses = { name: 'a', action: { keepIn: {} } };
    const podsOnly = { name: 'b', addresses: { pods: ['*'] }, action: { keepOut: {} } };
    expect(problemsOf({ rules: [allAddresses, podsOnly] })).toEqual([]);
  });

  test('refuses a rule that is never reached with evaluation "first"', () => {
    const problems = problemsOf(createRulePair({ services: ['a'] }, { services: ['a'] }, 'first'));
    expect(problems).toContain('rules[1].match: it never acts: the earlier rule "a" matches the same objects');
    expect(problemsOf(createRulePair({ services: ['a'] }, { services: ['b'] }, 'first'))).toEqual([]);
  });
});

test.each<[object, string]>([
  [{ operation: 'UPDATE', object: {} }, 'now is not a valid date: give a Date'],
  [{ operation: 'UPDATE', object: {}, now: '2026-01-01T00:00:00Z' }, 'now is not a valid date: give a Date'],
  [{ operation: 'DELETE', object: {}, now: new Date(0) }, 'operation is DELETE: give "CREATE" or "UPDATE"'],
  [{ operation: 'CREATE', now: new Date(0) }, 'object is missing: give Endpoints or an EndpointSlice'],
])('apply refuses an invalid request: %j', (request, message) => {
  const overrides = createOverrides({ rules: [{ name: 'a', action: { keepIn: {} } }] });
  expect(() => overrides.apply(request as Parameters<typeof overrides.apply>[0])).toThrow(new TypeError(message));
});
