import { expect, test } from 'vitest';
import { listNamedBy, take, withoutDirectives, withoutNulls } from '../../../src/patch/strategic/directives.ts';
import { refusal } from '../refusal.ts';

test('directives name their list', () => {
  expect(listNamedBy('$setElementOrder/a/b', '$setElementOrder')).toBe('a/b');
  expect(refusal(() => listNamedBy('$setElementOrder', '$setElementOrder')).message).toBe('invalid patch format of setElementOrder list');
  expect(refusal(() => listNamedBy('$deleteFromPrimitiveListX/a', '$deleteFromPrimitiveList')).message).toBe(
    'invalid patch format of primitive list',
  );
});

test('objects that are directives are taken out', () => {
  expect(withoutDirectives({ a: [{ $patch: 'delete' }, { b: { $patch: 'replace' }, c: null }], d: 1 })).toEqual({ a: [{ c: null }], d: 1 });
  expect(withoutDirectives({ $patch: 'delete' })).toBeUndefined();
  const target: Record<string, unknown> = { a: 1, b: 1 };
  take(target, 'a', { $patch: 'delete' });
  take(target, 'b', { c: 1 });
  expect(target).toEqual({ b: { c: 1 } });
});

test('nulls are taken out of objects, not out of lists', () => {
  expect(withoutNulls({ a: null, b: [null, { c: null }], d: { e: null } })).toEqual({ b: [null, {}], d: {} });
});
