import { describe, expect, test } from 'vitest';
import { createAdmissionCompilers } from '../../src/cel/admission-expressions.ts';
import { rewriteMessageLiterals } from '../../src/cel/message-literals.ts';

const rewrite = (source: string): string => rewriteMessageLiterals(source).source;

describe('rewriteMessageLiterals', () => {
  test.each([
    ['Object{}', '__new_Object({})'],
    ['Object{ a : 1, b: x, }', '__new_Object({"a": dyn( 1),"b": dyn( x), })'],
    ['Object . spec {a: Object.spec{b: [1, {"c": 2}]}}', '__new_Object__spec({"a": dyn( __new_Object__spec({"b": dyn( [1, {"c": 2}])}))})'],
    ['Object{?a: x}', '__new_Object({"?a": dyn( x)})'],
    ['x ? Object{a: y ? 1 : 2} : z', 'x ? __new_Object({"a": dyn( y ? 1 : 2)}) : z'],
  ])('converts literals to calls: %s', (source, expected) => {
    expect(rewrite(source)).toBe(expected);
  });

  test.each([
    '{"a": 1}',
    'x in {"a": 1}',
    '"Object{a: 1}" + \'Object{\' + r"Object{" + """Object{" " """""',
    'x // Object{a: 1}',
    'f(a, {b: c})',
    '"unterminated Object{',
  ])('keeps everything else: %s', (source) => {
    expect(rewrite(source)).toBe(source);
  });

  test('returns the original offset of each offset', () => {
    const source = 'Object{spec: unknown}';
    const { source: rewritten, toOriginal } = rewriteMessageLiterals(source);
    expect(toOriginal(rewritten.indexOf('unknown'))).toBe(source.indexOf('unknown'));
    expect(toOriginal(0)).toBe(source.indexOf('{'));
  });
});

test.each([
  ['nested deeply', 'Object{a:'.repeat(100_000)],
  ['long', `Object{a: "${'x'.repeat(1_000_000)}", b: 1`],
  ['of many types', `[${Array.from({ length: 2000 }, (_, i) => `Object.a${i}{}`).join(',')}]`],
])('an expression that is %s does not compile', (_, source) => {
  const { compile } = createAdmissionCompilers()({ hasParams: false, hasVariables: false });
  expect(compile(source, ['Object'], { hasPatchTypes: true }).compiled.problem).toMatch(/^compilation failed: /);
});
