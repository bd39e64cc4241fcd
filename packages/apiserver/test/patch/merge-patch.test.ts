import { expect, test } from 'vitest';
import { applyMergePatch } from '../../src/patch/merge-patch.ts';
import { catchApiError } from './refusal.ts';

test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ a: 'foo' }, { a: { b: { c: null } } }, { a: { b: {} } }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
  [{ a: { x: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
])('applyMergePatch to %j with %j returns %j', (object, patch, expected) => {
  expect(applyMergePatch(object, patch)).toEqual({ value: expected, strictErrors: [] });
});

test('applyMergePatch treats __proto__ as an ordinary key', () => {
  const { value } = applyMergePatch({}, JSON.parse('{"a": {"__proto__": {"b": 1}}}'));
  expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"b":1}}}');
  expect(({} as Record<string, unknown>)['b']).toBeUndefined();
});

test('applyMergePatch sorts the keys of objects on its paths and of its values', () => {
  const object = { z: { y: 1, x: { d: 1, c: 1 } }, b: { d: 1, c: 1 } };
  const { value } = applyMergePatch(object, { z: { a: { q: 1, p: [{ n: 1, m: 1 }] } } });
  expect(JSON.stringify(value)).toBe('{"b":{"d":1,"c":1},"z":{"a":{"p":[{"m":1,"n":1}],"q":1},"x":{"d":1,"c":1},"y":1}}');
});

test('applyMergePatch refuses a patch that is not an object', () => {
  expect(catchApiError(() => applyMergePatch({}, null))).toEqual({ code: 400, reason: 'BadRequest', message: 'Invalid JSON Patch' });
  expect(catchApiError(() => applyMergePatch({}, 5, 'Ignore')).message).toBe('Invalid JSON Patch');
  expect(catchApiError(() => applyMergePatch({}, [])).message).toBe(
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  );
});

test('applyMergePatch accepts a list if unknown fields are ignored', () => {
  expect(applyMergePatch({ a: 1 }, [{ b: null }, 1], 'Ignore').value).toEqual([{}, 1]);
});
