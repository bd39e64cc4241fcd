import { expect, test } from 'vitest';
import { problemsOfLabelKey, problemsOfLabelValue } from '../../src/apimachinery/index.ts';

const rule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or " +
  "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomainRule =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

test.each(['app', 'example.com/app', 'a', 'A_b.c-1', 'a'.repeat(63), `${'a.'.repeat(126)}a/x`])(
  'problemsOfLabelKey returns nothing for %s',
  (key) => expect(problemsOfLabelKey(key)).toEqual([]),
);

test.each([
  ['', ['name part must be non-empty', `name part ${rule}`]],
  ['-a', [`name part ${rule}`]],
  ['a'.repeat(64), ['name part must be no more than 63 bytes']],
  ['ü'.repeat(32), ['name part must be no more than 63 bytes', `name part ${rule}`]],
  ['/a', ['prefix part must be non-empty']],
  ['A/a', [subdomainRule]],
  [`${'a'.repeat(254)}/a`, ['prefix part must be no more than 253 bytes']],
  ['a/b/c', [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]],
])('problemsOfLabelKey explains why %j is invalid', (key, problems) => expect(problemsOfLabelKey(key)).toEqual(problems));

test('problemsOfLabelValue accepts valid values and explains invalid ones', () => {
  expect(['', 'a', 'a-b_c.d', 'a'.repeat(63)].flatMap(problemsOfLabelValue)).toEqual([]);
  expect(problemsOfLabelValue('a'.repeat(64))).toEqual(['must be no more than 63 bytes']);
  expect(problemsOfLabelValue('-a')).toEqual([
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
      "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ]);
});
