import { describe, expect, test } from 'vitest';
import { RulesError, readRules } from '../src/index.ts';
import { describeProblem } from '../src/overrides.ts';

function problemsOf(text: string): readonly string[] {
  try {
    readRules(text, 'rules.yaml');
    return [];
  } catch (error) {
    if (error instanceof RulesError) return error.problems.map((problem) => describeProblem(problem, 'rules.yaml').split(';')[0] as string);
    throw error;
  }
}

const validRules = 'rules:\n- name: a\n  action: {keepIn: {}}\n';

test('readRules reads YAML, JSON, and several documents as one', () => {
  expect(readRules(validRules).rules).toEqual(['a']);
  expect(readRules('{"rules": [{"name": "j", "action": {"freeze": {}}}]}').rules).toEqual(['j']);
  expect(readRules(`${validRules}---\n---\n${validRules.replace('name: a', 'name: b')}`).rules).toEqual(['a', 'b']);
});

describe('readRules reports the line and column of', () => {
  test.each<[string, string, string]>([
    ['an unknown field', `${validRules}  mod: audit\n`, 'rules.yaml:4:3: rules[0].mod: the field is unknown'],
    ['an invalid value', `${validRules}  match:\n    percentage: 120\n`, 'rules.yaml:5:17: rules[0].match.percentage: 120 is out of range'],
    ['a missing field, at its parent', 'rules:\n- name: a\n', 'rules.yaml:2:3: rules[0].action: the field is missing'],
    [
      'an invalid range',
      `${validRules}  addresses:\n    ranges:\n    - 10.0.0.0/8\n    - nowhere\n`,
      'rules.yaml:7:7: rules[0].addresses.ranges[1]: "nowhere" is neither a CIDR nor an IP address',
    ],
    ['a key that occurs twice', 'rules:\n- name: a\n  name: b\n  action: {keepIn: {}}\n', 'rules.yaml:3:3: the key "name" occurs twice'],
    [
      'a second document',
      `${validRules}---\nrules:\n- name: B\n  action: {freeze: {}}\n`,
      'rules.yaml:6:9: documents[1].rules[0].name: "B" does not have the required form',
    ],
    ['a name in two documents', `${validRules}---\n${validRules}`, 'rules.yaml:6:9: documents[1].rules[0].name: another rule is named "a"'],
    [
      'documents that do not agree',
      `${validRules}---\nevaluation: first\n${validRules.replace('name: a', 'name: b')}`,
      'rules.yaml:1:1: documents[0].evaluation: the documents do not agree on how rules are evaluated',
    ],
  ])('%s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});

describe('readRules refuses', () => {
  const exponentialAliases = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
  ].join('\n');
  test.each<[string, string, RegExp]>([
    ['an empty text', '', /there are no rules in it/],
    ['only comments', '# rules\n', /there are no rules in it/],
    ['text that is not YAML', 'rules: [\n', /it is not valid YAML/],
    ['a list instead of an object', '- a\n', /a list is not of type object/],
    ['aliases that expand exponentially', exponentialAliases, /its aliases cannot be used/],
    ['unlimited nesting', `${'['.repeat(5000)}`, /nested more than 64 levels/],
    ['too much text', `# ${'x'.repeat(1024 * 1024)}`, /are more than/],
    [
      'the key __proto__',
      'rules:\n- name: a\n  action: {keepIn: {}}\n  __proto__: {mode: audit}\n',
      /rules\[0\]\.__proto__: the field is unknown/,
    ],
    ['merge keys', 'x: &x {name: a}\nrules:\n- <<: *x\n  action: {keepIn: {}}\n', /the field is unknown/],
  ])('%s', (_, text, message) => {
    expect(problemsOf(text).join('\n')).toMatch(message);
  });
});
