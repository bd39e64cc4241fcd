import { describe, expect, it } from 'vitest';
import { clause, counted, enumerate, fill, item, note } from '../../src/trace/reasons.ts';

describe('note', () => {
  it('fills in the values, and adds a remedy if the reason has one', () => {
    expect(note('AddressGiven', { address: '10.0.0.1' })).toEqual({
      code: 'AddressGiven',
      message: '10.0.0.1 is an address: no name has to be resolved.',
    });
    expect(note('ServiceElsewhere', { service: 'web', namespaces: 'shop', name: 'web.shop' }, 'service.metadata.namespace')).toEqual({
      code: 'ServiceElsewhere',
      message: 'There is a Service web in shop.',
      path: 'service.metadata.namespace',
      remedy: 'Use web.shop.',
    });
  });

  it("keeps placeholders without a value, including names of Object's own members", () => {
    expect(fill('{a} {toString} {b}', { a: '{b}' })).toBe('{b} {toString} {b}');
  });
});

it('item has no notes by default', () => {
  expect(item('pod/shop/web-1', 'web-1')).toEqual({ id: 'pod/shop/web-1', label: 'web-1', notes: [] });
});

it('enumerate, counted and clause format parts of sentences', () => {
  expect([enumerate([]), enumerate(['a', 'b']), enumerate(['a', 'b', 'c'], 2)]).toEqual(['', 'a, b', 'a, b and 1 more']);
  expect([counted(0, 'pod'), counted(1, 'pod'), counted(2, 'pod')]).toEqual(['0 pods', '1 pod', '2 pods']);
  expect([clause('It is so.'), clause('so')]).toEqual(['It is so', 'so']);
});
