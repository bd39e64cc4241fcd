import { describe, expect, it } from 'vitest';
import { createItem, createNote, enumerate, fill, formatCount, removeFullStop } from '../../src/trace/reasons.ts';

describe('createNote and fill', () => {
  it('fills in the values, and adds a remedy if the reason has one', () => {
    expect(createNote('TargetIsAddress', { address: '10.0.0.1' })).toEqual({
      code: 'TargetIsAddress',
      message: '10.0.0.1 is an address: no name has to be resolved.',
    });
    expect(
      createNote('ServiceInOtherNamespace', { service: 'web', namespaces: 'shop', name: 'web.shop' }, 'service.metadata.namespace'),
    ).toEqual({
      code: 'ServiceInOtherNamespace',
      message: 'There is a Service web in shop.',
      path: 'service.metadata.namespace',
      remedy: 'Use web.shop.',
    });
  });

  it('keeps placeholders without a value, even if Object.prototype has a property of that name', () => {
    expect(fill('{a} {toString} {b}', { a: '{b}' })).toBe('{b} {toString} {b}');
  });
});

it('createItem adds no notes by default', () => {
  expect(createItem('pod/shop/web-1', 'web-1')).toEqual({ id: 'pod/shop/web-1', label: 'web-1', notes: [] });
});

it('enumerate, formatCount and removeFullStop format parts of sentences', () => {
  expect([enumerate([]), enumerate(['a', 'b']), enumerate(['a', 'b', 'c'], 2)]).toEqual(['', 'a, b', 'a, b and 1 more']);
  expect([formatCount(0, 'pod'), formatCount(1, 'pod'), formatCount(2, 'pod')]).toEqual(['0 pods', '1 pod', '2 pods']);
  expect([removeFullStop('It is so.'), removeFullStop('so')]).toEqual(['It is so', 'so']);
});
