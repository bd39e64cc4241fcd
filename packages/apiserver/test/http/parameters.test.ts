import { expect, test } from 'vitest';
import { parseBool, parseInteger, parseListQuery, parsePatchQuery, parseWriteQuery } from '../../src/http/parameters.ts';
import { statusOf } from '../store/support.ts';

const query = (text: string): URLSearchParams => new URLSearchParams(text);

test.each([
  ['0', false],
  ['false', false],
  ['FALSE', false],
  ['', true],
  ['no', true],
  ['1', true],
])('the boolean parameter %j is read as %s', (text, value) => {
  expect(parseBool(text)).toBe(value);
});

test('integers are parsed as in Go', () => {
  expect(parseInteger('+5')).toBe(5);
  expect(parseInteger('-1')).toBe(-1);
  expect(statusOf(() => parseInteger('abc'))).toMatchObject({ code: 400, message: 'strconv.ParseInt: parsing "abc": invalid syntax' });
  expect(statusOf(() => parseInteger(''))).toMatchObject({ message: 'strconv.ParseInt: parsing "": invalid syntax' });
  expect(statusOf(() => parseInteger('99999999999999999999'))).toMatchObject({
    message: 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  });
});

test('list options take the first value of each parameter and ignore unknown parameters', () => {
  expect(parseListQuery(query('limit=1&limit=x&other=1&watch=0&sendInitialEvents=false&labelSelector=a%3Db&continue='))).toEqual({
    labelSelector: 'a=b',
    watch: false,
    limit: 1,
    continue: '',
    sendInitialEvents: false,
  });
  expect(parseListQuery(query(''))).toEqual({});
});

test('write options are read from the query', () => {
  expect(parseWriteQuery(query('dryRun=All&fieldManager=me&fieldValidation=Strict'), 'CreateOptions')).toEqual({
    dryRun: true,
    fieldManager: 'me',
    fieldValidation: 'Strict',
  });
  expect(parseWriteQuery(query('dryRun=All&dryRun=All'), 'CreateOptions')).toEqual({ dryRun: true });
  expect(parsePatchQuery(query('fieldManager=me&force=x'), true)).toEqual({ fieldManager: 'me', force: true });
});

test.each([
  ['dryRun=x', 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"'],
  ['dryRun=', 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"'],
  [
    'fieldValidation=x',
    'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
  ],
  [`fieldManager=${'x'.repeat(129)}`, 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes'],
  [
    'fieldManager=a%0ab',
    'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  ],
  [
    'fieldManager=%C3%A9%E2%80%8Bb',
    'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "é\\u200bb": invalid character U+200B (at position 2)',
  ],
])('the write option %s is refused', (text, message) => {
  expect(statusOf(() => parseWriteQuery(query(text), 'CreateOptions'))).toMatchObject({ code: 422, reason: 'Invalid', message });
});

test('all invalid options are reported together', () => {
  const status = statusOf(() => parseWriteQuery(query('dryRun=x&fieldManager=%00&fieldValidation=y'), 'UpdateOptions'));
  expect(status.details).toMatchObject({ group: 'meta.k8s.io', kind: 'UpdateOptions' });
  expect(status.details?.causes?.map(({ field }) => field)).toEqual(['fieldManager', 'dryRun', 'fieldValidation']);
});

test('an apply requires fieldManager, and only an apply may set force', () => {
  expect(statusOf(() => parsePatchQuery(query(''), true))).toMatchObject({
    message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  });
  expect(statusOf(() => parsePatchQuery(query('force=false'), false))).toMatchObject({
    message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  });
});
