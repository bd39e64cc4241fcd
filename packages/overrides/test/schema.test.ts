import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readTextFile } from '../../../test/support/repository.ts';
import { createOverrides, overridesSchema, RulesError } from '../src/index.ts';

const validate = new Ajv2020({ allErrors: true }).compile(overridesSchema);
const rulesWith = (rule: object): unknown => ({ rules: [{ name: 'a', action: { keepIn: {} }, ...rule }] });

test('the published schema equals overridesSchema', () => {
  expect(JSON.parse(readTextFile('docs/endpoint-overrides.schema.json'))).toEqual(overridesSchema);
});

describe('createOverrides and the schema accept', () => {
  test.each<[string, unknown]>([
    ['a minimal rule', rulesWith({})],
    [
      'all fields of an object match',
      rulesWith({ match: { namespaces: ['a*'], services: ['web'], labels: 'a=b', serviceLabels: '!c', kinds: ['Endpoints'] } }),
    ],
    [
      'operations, windows, percentages, CEL',
      rulesWith({ match: { operations: ['CREATE'], window: { days: ['Mon'] }, percentage: 12.5, expression: 'true' } }),
    ],
    [
      'all fields of an address match',
      rulesWith({ addresses: { ranges: ['10.0.0.0/8'], pods: ['a'], nodes: ['n'], zones: ['z'], podLabels: 'a', percentage: 0 } }),
    ],
    ['keepReady with a percentage', rulesWith({ action: { keepReady: { atLeast: '50%' } } })],
    ['keepReady with a number', rulesWith({ action: { keepReady: { atLeast: 2 } } })],
    ['a hold', rulesWith({ action: { hold: { afterReady: 1.5 } } })],
    ['ranges', rulesWith({ action: { refuse: { allowed: ['::/0'], presets: ['loopback', 'pods-of-other-namespaces'] } } })],
    [
      'apiVersion, kind and evaluation',
      { apiVersion: 'kube-endpoints/v1', kind: 'EndpointOverrides', evaluation: 'first', ...(rulesWith({}) as object) },
    ],
  ])('%s', (_, value) => {
    expect(validate(value)).toBe(true);
    expect(createOverrides(value as never).rules).toEqual(['a']);
  });
});

describe('createOverrides and the schema refuse', () => {
  test.each<[string, unknown, string]>([
    ['null', null, ''],
    ['a list', [], ''],
    ['text', 'rules', ''],
    ['no rules', {}, 'rules'],
    ['an empty list of rules', { rules: [] }, 'rules'],
    ['another kind', { kind: 'Endpoints', ...(rulesWith({}) as object) }, 'kind'],
    ['an unknown field at the top', { rule: 1, ...(rulesWith({}) as object) }, 'rule'],
    ['an unknown field of a rule', rulesWith({ when: {} }), 'rules[0].when'],
    ['an unknown nested field', rulesWith({ match: { window: { form: 'x' } } }), 'rules[0].match.window.form'],
    [
      'a key named __proto__',
      JSON.parse('{"rules":[{"name":"a","action":{"keepIn":{"__proto__":{}}}}]}'),
      'rules[0].action.keepIn.__proto__',
    ],
    ['a key named constructor', rulesWith({ match: { constructor: 1 } }), 'rules[0].match.constructor'],
    ['two actions', rulesWith({ action: { keepIn: {}, freeze: {} } }), 'rules[0].action'],
    ['no action', rulesWith({ action: {} }), 'rules[0].action'],
    ['an action with an unknown field', rulesWith({ action: { keepIn: { yes: true } } }), 'rules[0].action.keepIn.yes'],
    ['an invalid name', rulesWith({ name: 'A b' }), 'rules[0].name'],
    ['no name', { rules: [{ action: { keepIn: {} } }] }, 'rules[0].name'],
    ['a percentage above 100', rulesWith({ match: { percentage: 101 } }), 'rules[0].match.percentage'],
    ['a negative percentage', rulesWith({ addresses: { percentage: -1 } }), 'rules[0].addresses.percentage'],
    ['a percentage as text', rulesWith({ addresses: { percentage: '50' } }), 'rules[0].addresses.percentage'],
    ['keepReady with more than 100%', rulesWith({ action: { keepReady: { atLeast: '101%' } } }), 'rules[0].action.keepReady.atLeast'],
    ['keepReady with 0%', rulesWith({ action: { keepReady: { atLeast: '0%' } } }), 'rules[0].action.keepReady.atLeast'],
    ['keepReady with a fraction', rulesWith({ action: { keepReady: { atLeast: 1.5 } } }), 'rules[0].action.keepReady.atLeast'],
    ['move without a target list', rulesWith({ action: { move: {} } }), 'rules[0].action.move.to'],
    ['move to an unknown list', rulesWith({ action: { move: { to: 'away' } } }), 'rules[0].action.move.to'],
    ['an empty hold', rulesWith({ action: { hold: {} } }), 'rules[0].action.hold'],
    ['empty ranges', rulesWith({ action: { drop: {} } }), 'rules[0].action.drop'],
    ['an unknown preset', rulesWith({ action: { drop: { presets: ['private'] } } }), 'rules[0].action.drop.presets[0]'],
    ['an empty list of names', rulesWith({ match: { services: [] } }), 'rules[0].match.services'],
    ['an invalid day', rulesWith({ match: { window: { days: ['Monday'] } } }), 'rules[0].match.window.days[0]'],
    ['a day twice', rulesWith({ match: { window: { days: ['Mon', 'Mon'] } } }), 'rules[0].match.window.days[1]'],
    ['an invalid time of day', rulesWith({ match: { window: { start: '24:00', end: '01:00' } } }), 'rules[0].match.window.start'],
    ['an empty window', rulesWith({ match: { window: {} } }), 'rules[0].match.window'],
  ])('%s', (_, value, path) => {
    expect(validate(value)).toBe(false);
    expect(problemsOf(value).map((problem) => problem.path)).toContain(path);
  });
});

function problemsOf(value: unknown): RulesError['problems'] {
  try {
    createOverrides(value as never);
  } catch (error) {
    if (error instanceof RulesError) return error.problems;
    throw error;
  }
  return [];
}

describe('only createOverrides refuses', () => {
  test.each<[string, object, string]>([
    ['an invalid CIDR', { addresses: { ranges: ['10.0.0.0/33'] } }, 'rules[0].addresses.ranges[0]'],
    ['a CIDR with bits behind its prefix', { action: { drop: { forbidden: ['10.0.0.1/8'] } } }, 'rules[0].action.drop.forbidden[0]'],
    ['an invalid IP', { action: { refuse: { allowed: ['10.0.0.256'] } } }, 'rules[0].action.refuse.allowed[0]'],
    [
      'a range that is allowed and forbidden',
      { action: { drop: { allowed: ['::/0'], forbidden: ['::/0'] } } },
      'rules[0].action.drop.allowed[0]',
    ],
    ['an invalid selector', { match: { labels: 'a in (b' } }, 'rules[0].match.labels'],
    ['a selector with an invalid value', { addresses: { podLabels: 'a=-' } }, 'rules[0].addresses.podLabels'],
    ['CEL that does not parse', { match: { expression: '1 +' } }, 'rules[0].match.expression'],
    ['CEL of another type', { match: { expression: '"x"' } }, 'rules[0].match.expression'],
    ['CEL with an unknown variable', { match: { expression: 'address.ready' } }, 'rules[0].match.expression'],
    ['CEL with an invalid pattern', { match: { expression: 'object.metadata.name.matches("(")' } }, 'rules[0].match.expression'],
    ['an invalid time', { match: { window: { from: '2026-02-30T00:00:00Z' } } }, 'rules[0].match.window.from'],
    [
      'a window that ends before it begins',
      { match: { window: { from: '2026-02-03T00:00:00Z', to: '2026-02-02T00:00:00Z' } } },
      'rules[0].match.window.to',
    ],
    ['a start without an end', { match: { window: { start: '10:00' } } }, 'rules[0].match.window.start'],
    ['a window that ends when it starts', { match: { window: { start: '10:00', end: '10:00' } } }, 'rules[0].match.window.end'],
    ['an invalid time zone', { match: { window: { days: ['Mon'], timeZone: 'Mars/Base' } } }, 'rules[0].match.window.timeZone'],
    [
      'a time zone without days or times',
      { match: { window: { to: '2026-02-02T00:00:00Z', timeZone: 'UTC' } } },
      'rules[0].match.window.timeZone',
    ],
    ['a hold of 0 seconds', { action: { hold: { afterReady: 0 } } }, 'rules[0].action.hold'],
    ['freezing some addresses', { addresses: { pods: ['a'] }, action: { freeze: {} } }, 'rules[0].addresses'],
    ['keepIn for addresses that are ready already', { addresses: { state: 'ready' } }, 'rules[0].addresses.state'],
    ['a hold for one state', { addresses: { state: 'ready' }, action: { hold: { afterReady: 3 } } }, 'rules[0].addresses.state'],
  ])('%s', (_, rule, path) => {
    expect(problemsOf(rulesWith(rule))).toEqual([
      expect.objectContaining({ path, message: expect.any(String), fix: expect.stringMatching(/\w/) }),
    ]);
  });

  test.each<[string, object, string]>([
    [
      'two rules with the same name',
      {
        rules: [
          { name: 'a', action: { keepIn: {} } },
          { name: 'a', action: { freeze: {} } },
        ],
      },
      'rules[1].name',
    ],
    [
      'rules with opposite actions',
      {
        rules: [
          { name: 'a', action: { keepIn: {} } },
          { name: 'b', action: { keepOut: {} } },
        ],
      },
      'rules[1].action',
    ],
    [
      'a freeze after other rules',
      {
        rules: [
          { name: 'a', action: { keepIn: {} } },
          { name: 'b', action: { freeze: {} } },
        ],
      },
      'rules[1].action',
    ],
    [
      'a rule that is never reached',
      {
        evaluation: 'first',
        rules: [
          { name: 'a', action: { keepIn: {} } },
          { name: 'b', action: { freeze: {} } },
        ],
      },
      'rules[1]',
    ],
  ])('%s', (_, set, path) => {
    expect(problemsOf(set).map((problem) => problem.path)).toEqual([path]);
  });

  test('rules with several problems, and reports all of them', () => {
    const set = { rules: [{ name: 'a', action: { keepin: {} } }, { name: 'b', match: { labels: ',' }, action: { freeze: {} } }, 7] };
    expect(problemsOf(set).map(({ path }) => path)).toEqual(['rules[0].action.keepin', 'rules[2]', 'rules[1].match.labels']);
  });
});

test('createOverrides copies the rules, so that later changes of them have no effect', () => {
  const set = { rules: [{ name: 'a', match: { kinds: ['Endpoints' as const] }, action: { keepIn: {} } }] };
  const overrides = createOverrides(set);
  (set.rules[0] as { name: string }).name = 'b';
  expect(overrides.rules).toEqual(['a']);
});
