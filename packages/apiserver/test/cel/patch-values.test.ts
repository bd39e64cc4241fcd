import { expect, test } from 'vitest';
import { convertSubject, createAdmissionCompilers, createEvaluator, EvaluationFailure } from '../../src/cel/admission-expressions.ts';
import { toConfiguration, toPatchValue } from '../../src/cel/patch-values.ts';

const createCompiler = createAdmissionCompilers();

function evaluate(source: string, type: 'Object' | 'list<JSONPatch>'): unknown {
  const compiler = createCompiler({ hasParams: false, hasVariables: true });
  const values = convertSubject({ object: { none: { nested: null }, big: 9007199254740993n }, oldObject: null, request: {} });
  const expression = compiler.compile(source, [type], { hasPatchTypes: true });
  const result = createEvaluator(compiler, values, undefined, 10_000_000).evaluate(expression);
  if (result.problem !== undefined) throw new Error(result.problem);
  return result.value;
}

const patchValueOf = (source: string): unknown => {
  const [operation] = evaluate(`[JSONPatch{op: "add", path: "/x", value: ${source}}]`, 'list<JSONPatch>') as readonly Map<
    string,
    unknown
  >[];
  return toPatchValue(operation?.get('value'));
};
const configurationOf = (source: string): unknown => toConfiguration(evaluate(`Object{x: ${source}}`, 'Object'));

// The values and messages below are those of kube-apiserver 1.36.3.

test.each([
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['18446744073709551615u', '18446744073709551615'],
  ['1u', 1],
  ['{"a": [9007199254740993]}', { a: ['9007199254740993'] }],
  ['object.big', '9007199254740993'],
  ['1e16', 10000000000000000n],
  ['b"ab\\xff"', 'YWL/'],
  ['timestamp("2026-01-02T03:04:05.120Z")', '2026-01-02T03:04:05.12Z'],
  ['duration("1h0.5s")', '3600.5s'],
  ['optional.of(1)', 1],
  ['null', null],
])('the value %s of a JSON patch', (source, value) => {
  expect(patchValueOf(source)).toStrictEqual(value);
});

test.each([
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740992n],
  ['1234567890123456789', 1234567890123456800n],
  ['9223372036854775807', 2 ** 63],
  ['9007199254740993u', 9007199254740992n],
  ['{"a": 9007199254740993}', { a: 9007199254740992n }],
  ['type(1)', 'int'],
  ['object.none', { nested: null }],
])('the field %s of an object in a JSON patch', (source, value) => {
  expect(patchValueOf(`Object.x{y: ${source}}`)).toStrictEqual({ y: value });
});

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['[-9223372036854775808]', [-9223372036854775808n]],
  ['Object.x{y: {"a": 9223372036854775807}}', { y: { a: 9223372036854775807n } }],
  ['1e16', 1e16],
  ['object', { none: { nested: null }, big: 9007199254740993n }],
])('the field %s of an apply configuration', (source, value) => {
  expect(configurationOf(source)).toStrictEqual({ x: value });
});

const patchProblem = (problem: string): string => `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${problem}`;
const typeProblem = (path: string, text: string): string =>
  `error applying patch: failed to convert patch object to typed object: ${path}: expected map, got &{${text}}`;

test.each([
  [patchValueOf, 'type(1)', patchProblem("type conversion not supported for 'type'")],
  [
    patchValueOf,
    'double("NaN")',
    patchProblem('json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid NaN value'),
  ],
  [
    patchValueOf,
    'Object.x{y: -double("Infinity")}',
    patchProblem(
      'json: error calling MarshalJSON for type *structpb.Struct: proto: google.protobuf.Value.number_value: invalid -Inf value',
    ),
  ],
  [patchValueOf, 'Object.x{y: null}', patchProblem('proto: invalid type: structpb.NullValue')],
  [patchValueOf, 'Object.x{y: [timestamp("2026-01-02T03:04:05Z")]}', patchProblem('proto: invalid type: time.Time')],
  [patchValueOf, 'Object.x{y: duration("90s")}', patchProblem('proto: invalid type: time.Duration')],
  [configurationOf, '1u', typeProblem('.x', '1')],
  [configurationOf, '[b"ab\\xff"]', typeProblem('.x[0]', '[97 98 255]')],
  [configurationOf, 'null', typeProblem('.x', 'NULL_VALUE')],
  [configurationOf, 'Object.x{y: timestamp("2026-01-02T03:04:05.120Z")}', typeProblem('.x.y', '2026-01-02 03:04:05.12 +0000 UTC')],
])('%o fails for %s', (convert, source, message) => {
  expect(() => convert(source)).toThrow(new EvaluationFailure(message));
});
