import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { validateSchema } from '../../../src/custom-resources/definition/validate/schema.ts';
import { compileRules, evaluateRules } from '../../../src/custom-resources/rules/index.ts';
import { collectCauses, type FieldCause } from '../../../src/resources/field/causes.ts';
import { type RuleCase, ruleCases } from './cases.ts';

interface Problem {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}
interface Answer {
  readonly id: string;
  readonly definition?: readonly Problem[];
  readonly objects?: readonly { readonly problems: readonly Problem[]; readonly warnings?: readonly string[] }[];
}

const recordedLines = gunzipSync(readFileSync(join(import.meta.dirname, 'answers.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
const answers = new Map(recordedLines.map((line) => JSON.parse(line) as Answer).map((answer) => [answer.id, answer]));

const sortByField = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
const toProblems = (causes: readonly FieldCause[]): readonly Problem[] =>
  sortByField(causes.map(({ reason, field, message }) => ({ type: reason, field, message })));

describe('CEL rules have the results of kube-apiserver 1.36.3', () => {
  test('recorded answers cover every case', () => {
    expect(ruleCases.map(({ id }) => id)).toEqual([...answers.keys()]);
  });

  test.each(ruleCases.map((each) => [each.id, each] as const))('%s', (id, each) => {
    const answer = answers.get(id) as Answer;
    expect(findDefinitionProblems(each).map(normalize)).toEqual((answer.definition ?? []).map(normalize));
    // kube-apiserver iterates over the fields of an object in random order.
    const expected = (answer.objects ?? []).map((object) => ({
      ...object,
      ...(object.warnings && { warnings: object.warnings.toSorted() }),
    }));
    if (!answer.definition) expect(each.objects.map((testObject) => evaluateObject(each, testObject))).toEqual(expected);
  });
});

function findDefinitionProblems({ schema }: RuleCase): readonly Problem[] {
  const causes = collectCauses();
  validateSchema({ openAPIV3Schema: schema }, { hasStatus: false, old: undefined }, 'spec.validation', causes);
  return toProblems(causes.list);
}

/**
 * Replaces texts that differ from kube-apiserver: generated names of object types, and messages for syntax errors and invalid patterns.
 * Keeps the first of several errors.
 */
const normalize = ({ type, field, message }: Problem): Problem => ({
  type,
  field,
  message: message
    .replaceAll(/selfType\d+[\w.@]*|object\d+/g, 'OBJECT')
    .replace(/\nERROR: .*$/s, '')
    .replace(/(: ERROR: <input>:\d+:\d+: )(Syntax error|Unexpected token|Unterminated string).*$/s, '$1cannot be parsed')
    .replace(/(compilation|program instantiation) failed: .*(invalid matches argument|error parsing regexp: ).*$/s, 'wrong pattern'),
});

function evaluateObject({ schema }: RuleCase, { object, old }: RuleCase['objects'][number]): unknown {
  const rules = compileRules(schema);
  const { causes, warnings } = rules ? evaluateRules(rules, object, old) : { causes: [], warnings: [] };
  return { problems: toProblems(causes), ...(warnings.length > 0 && { warnings: warnings.toSorted() }) };
}
