import { describe, expect, test } from 'vitest';
import { applyJsonPatch, maxCopiedBytes, maxOperations } from '../../src/patch/json-patch.ts';
import { catchApiError } from './refusal.ts';

const applyOperations = (object: Record<string, unknown>, ...operations: unknown[]) => applyJsonPatch(object, operations).value;

describe('applyJsonPatch', () => {
  test.each([
    ['add to an object', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['add without a value', {}, [{ op: 'add', path: '/b' }], { b: null }],
    ['add into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [
      'add at the end',
      { a: [1] },
      [
        { op: 'add', path: '/a/-', value: 2 },
        { op: 'add', path: '/a/-1', value: 3 },
      ],
      { a: [1, 2, 3] },
    ],
    [
      'remove',
      { a: [1, 2], b: 1 },
      [
        { op: 'remove', path: '/a/-1' },
        { op: 'remove', path: '/b' },
      ],
      { a: [1] },
    ],
    ['replace', { a: [1] }, [{ op: 'replace', path: '/a/0', value: 5 }], { a: [5] }],
    ['replace of a missing key', {}, [{ op: 'replace', path: '/a', value: 5 }], { a: 5 }],
    ['replace of the root', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    ['move', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    [
      'copy',
      { a: [1] },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/-', value: 2 },
      ],
      { a: [1], b: [1, 2] },
    ],
    ['copy of a missing key', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
    ['test', { a: { b: [1, { c: 2 }] } }, [{ op: 'test', path: '/a', value: { b: [1, { c: 2 }] } }], { a: { b: [1, { c: 2 }] } }],
    ['test of a missing key', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['test of the root', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
    ['escaped paths', { 'a/b': { '~1': 1 } }, [{ op: 'replace', path: '/a~1b/~01', value: 2 }], { 'a/b': { '~1': 2 } }],
    ['an empty patch', { a: 1 }, [], { a: 1 }],
  ])('executes %s', (_, object, operations, expected) => {
    expect(applyJsonPatch(object, operations).value).toEqual(expected);
  });

  test('treats __proto__ as an ordinary key', () => {
    const value = applyOperations({}, { op: 'add', path: '/__proto__', value: { a: 1 } });
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}');
    expect(catchApiError(() => applyOperations({}, { op: 'remove', path: '/__proto__' })).code).toBe(422);
    expect(catchApiError(() => applyOperations({}, { op: 'add', path: '/constructor/prototype/a', value: 1 })).code).toBe(422);
  });

  test('modifies neither the object nor the patch', () => {
    const object = { a: { b: [1] } };
    const patch = [
      { op: 'add', path: '/c', value: { d: [] } },
      { op: 'add', path: '/c/d/-', value: 1 },
      { op: 'remove', path: '/a/b/0' },
    ];
    const before = JSON.stringify([object, patch]);
    applyJsonPatch(object, patch);
    expect(JSON.stringify([object, patch])).toBe(before);
  });
});

describe('an operation that does not apply is refused with 422', () => {
  test.each([
    [{ op: 'remove', path: '/b' }],
    [{ op: 'remove', path: '/list/2' }],
    [{ op: 'remove', path: '/list/x' }],
    [{ op: 'remove', path: '' }],
    [{ op: 'add', path: '/b/c', value: 1 }],
    [{ op: 'add', path: '/list/3', value: 1 }],
    [{ op: 'add', path: '/text/c', value: 1 }],
    [{ op: 'add', path: 'noslash', value: 1 }],
    [{ op: 'replace', path: '/list/2', value: 1 }],
    [{ op: 'replace', path: '', value: 1 }],
    [{ op: 'move', from: '/b', path: '/c' }],
    [{ op: 'move', from: '/list', path: '/list/0' }],
    [{ op: 'copy', path: '/c' }],
    [{ op: 'test', path: '/text', value: 'other' }],
    [{ op: 'frob', path: '/text' }],
    [{ path: '/text' }],
    [{ op: 'remove' }],
    [null],
  ])('%j', (operation) => {
    expect(catchApiError(() => applyOperations({ list: [1, 2], text: 'x' }, operation))).toEqual({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
  });
});

describe('an invalid JSON Patch is refused with 400', () => {
  test.each([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [[5], 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [[{ op: 5 }], 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
  ])('%j', (patch, message) => {
    expect(catchApiError(() => applyJsonPatch({}, patch))).toEqual({ code: 400, reason: 'BadRequest', message });
  });

  test('has a different message with fieldValidation Ignore', () => {
    expect(catchApiError(() => applyJsonPatch({}, {}, 'Ignore')).message).toBe(
      'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    );
    expect(catchApiError(() => applyJsonPatch({}, [5], 'Ignore')).message).toBe(
      'json: cannot unmarshal number into Go value of type jsonpatch.Operation',
    );
  });
});

test('applyJsonPatch reports unknown fields of operations unless ignored', () => {
  const patch = [
    { op: 'add', path: '/a', value: 1 },
    { op: 'test', path: '/a', value: 1, extra: 1 },
  ];
  expect(applyJsonPatch({}, patch).strictErrors).toEqual(['json patch unknown field "[1].extra"']);
  expect(applyJsonPatch({}, patch, 'Ignore').strictErrors).toEqual([]);
});

describe('applyJsonPatch limits', () => {
  test('the number of operations', () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'add', path: '/a', value: 1 }));
    expect(applyJsonPatch({}, operations(maxOperations)).value).toEqual({ a: 1 });
    expect(catchApiError(() => applyJsonPatch({}, operations(maxOperations + 1)))).toEqual({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test('the growth by repeated copies', () => {
    const operations = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(catchApiError(() => applyJsonPatch({ a: ['x'.repeat(1000)] }, operations)).code).toBe(422);
  });

  test('the total bytes of all copies', () => {
    const text = 'x'.repeat(maxCopiedBytes / 3);
    const copies = (count: number) => Array.from({ length: count }, (_, i) => ({ op: 'copy', from: '/a', path: `/copy${i}` }));
    expect(Object.keys(applyJsonPatch({ a: text }, copies(2)).value as object)).toEqual(['a', 'copy0', 'copy1']);
    expect(catchApiError(() => applyJsonPatch({ a: text }, copies(3)))).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  test('the depth during operations', () => {
    const nest = [
      { op: 'add', path: '/b', value: {} },
      { op: 'move', from: '/a', path: '/b/a' },
      { op: 'move', from: '/b', path: '/a' },
    ];
    const operations = Array.from({ length: 3000 }, () => nest).flat();
    expect(catchApiError(() => applyJsonPatch({ a: {} }, operations)).message).toBe('exceeded max depth');
  });
});

test('applyJsonPatch sorts the keys of objects on its paths', () => {
  const object = { z: { y: 1, x: { d: 1, c: 1 } }, b: { d: 1, c: 1 } };
  const value = applyOperations(object, { op: 'add', path: '/z/a', value: { q: 1, p: 1 } }, { op: 'test', path: '/z/y', value: 1 });
  expect(JSON.stringify(value)).toBe('{"b":{"d":1,"c":1},"z":{"a":{"q":1,"p":1},"x":{"d":1,"c":1},"y":1}}');
});

test('applyJsonPatch limits the depth of the result', () => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  const operations = Array.from({ length: 3 }, (_, i) => ({ op: 'add', path: `/a${'/0'.repeat(i * 600)}`, value: deep(600) }));
  expect(catchApiError(() => applyJsonPatch({}, operations)).message).toBe('exceeded max depth');
});
