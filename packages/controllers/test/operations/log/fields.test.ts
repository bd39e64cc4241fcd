import { ApiError } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { errorFields, partsOf, seconds } from '../../../src/operations/log/entries.ts';

const conflict = new ApiError({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the object has been modified',
  reason: 'Conflict',
  code: 409,
});

describe('an error in a line', () => {
  test.each<[unknown, object]>([
    [undefined, {}],
    ['text', { error: 'text' }],
    [new Error('words'), { error: 'words' }],
    [Object.create(null), { error: '{}' }],
    [{ code: 7, message: 'https://a:b@c failed' }, { error: 'https://…@c failed' }],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), { error: 'ECONNREFUSED', code: 'ECONNREFUSED' }],
    [conflict, { error: 'the object has been modified', reason: 'Conflict', code: 409 }],
    [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), { error: 'refused', code: 'ECONNREFUSED' }],
    [Object.assign(new Error(''), { code: 12 }), { error: 'Error' }],
  ])('%s', (error, fields) => {
    expect(errorFields(error)).toEqual(fields);
  });
});

test('a key in its parts, and a time as metrics have it', () => {
  expect(partsOf('shop/web')).toEqual({ namespace: 'shop', name: 'web' });
  expect(partsOf('n1')).toEqual({ namespace: '', name: 'n1' });
  expect(seconds(12.34567)).toBe(0.012346);
});
