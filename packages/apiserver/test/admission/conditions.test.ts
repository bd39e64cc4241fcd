import { expect, test } from 'vitest';
import { meetsConditions } from '../../src/admission/conditions.ts';
import { convertSubject, createAdmissionCompilers, createAuthorizerValue } from '../../src/cel/admission-expressions.ts';

const authorizer = { authorize: () => ({ isAllowed: true, reason: '' }) };
const request = { requestResource: { group: '', resource: 'configmaps' } };
const authorizerValue = createAuthorizerValue({ authorizer, user: { username: 'a', groups: [] } }, request);
const values = convertSubject({ object: { kind: 'ConfigMap' }, oldObject: null, request });
const createCompiler = createAdmissionCompilers();

/** Returns whether the conditions match, or the message of the error. */
function evaluate(sources: readonly string[], hasVariables: boolean, ignoresFailure: boolean): boolean | string {
  const compiler = createCompiler({ hasParams: false, hasVariables });
  const conditions = sources.map((source) => compiler.compile(source, ['bool']));
  try {
    return meetsConditions({ conditions, compiler, ignoresFailure }, values, authorizerValue);
  } catch (error) {
    return (error as Error).message;
  }
}

const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
/** A condition that exceeds the limit of one expression, 1,000,000. The limit of all conditions is 2,500,000. */
const costly = [...'abcdef'].reduce((inner, name) => `${digits}.all(${name}, ${inner})`, 'a + b + c + d + e + f >= 0');
const costlyProblem = `expression '${costly}' resulted in error: operation cancelled: actual cost limit exceeded`;
const failing = 'object.nothing == 1';
const failingProblem = `expression '${failing}' resulted in error: no such key: nothing`;
const other = 'object.other == 1';
const budgetProblem = 'validation failed due to running out of cost budget, no further validation rules will be run';

// The results are those of kube-apiserver 1.36.3.
const cases: readonly { readonly name: string; readonly conditions: readonly string[]; readonly result: boolean | string }[] = [
  { name: 'no conditions', conditions: [], result: true },
  { name: 'a true condition', conditions: ['true'], result: true },
  { name: 'a false condition', conditions: ['true', 'false'], result: false },
  { name: 'an error and then a false condition', conditions: [failing, 'false'], result: false },
  { name: 'an invalid and a false condition', conditions: ['"a"', 'false'], result: false },
  { name: 'an invalid condition', conditions: ['"a"'], result: 'compilation error: must evaluate to bool but got string' },
  { name: 'an error', conditions: ['true', failing], result: failingProblem },
  { name: 'the same error twice', conditions: [failing, failing], result: failingProblem },
  {
    name: 'two errors',
    conditions: [failing, other],
    result: `[${failingProblem}, expression '${other}' resulted in error: no such key: other]`,
  },
  { name: 'a condition beyond its limit', conditions: [costly], result: costlyProblem },
  { name: 'a condition beyond its limit and then a false condition', conditions: [costly, 'false'], result: false },
  { name: 'several beyond the common limit', conditions: [costly, costly, costly], result: budgetProblem },
  {
    name: 'an error, and then several beyond the common limit',
    conditions: [failing, costly, costly, costly, costly],
    result: budgetProblem,
  },
  {
    name: 'a false condition, and then several beyond the common limit',
    conditions: ['false', costly, costly, costly],
    result: budgetProblem,
  },
];

test.each(
  cases.flatMap((each) => [
    { ...each, hasVariables: false },
    { ...each, hasVariables: true },
  ]),
)('match conditions with $name; with variables: $hasVariables', ({ conditions, result, hasVariables }) => {
  expect(evaluate(conditions, hasVariables, false)).toBe(result);
  expect(evaluate(conditions, hasVariables, true)).toBe(result === true);
});
