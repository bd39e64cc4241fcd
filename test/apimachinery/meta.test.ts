import { expect, it } from 'vitest';
import {
  compareByName,
  metaNamespaceKey,
  nameOf,
  namespacedName,
  namespaceOf,
  objectKey,
  splitMetaNamespaceKey,
} from '../../src/apimachinery/index.ts';

const web = { metadata: { namespace: 'shop', name: 'web' } };

it('nameOf and namespaceOf return an empty string if the field is absent', () => {
  expect([nameOf(web), namespaceOf(web)]).toStrictEqual(['web', 'shop']);
  for (const object of [{}, { metadata: null }, { metadata: { name: null } }]) {
    expect([nameOf(object), namespaceOf(object)]).toStrictEqual(['', '']);
  }
});

it('objectKey joins namespace and name, even if either is empty', () => {
  expect([objectKey(web), objectKey({ metadata: { name: 'a' } }), objectKey({})]).toStrictEqual(['shop/web', '/a', '/']);
  expect(namespacedName(undefined, null)).toBe('/');
});

it('metaNamespaceKey omits an empty namespace', () => {
  expect([web.metadata, { name: 'node' }, { namespace: '', name: 'node' }, {}].map(metaNamespaceKey)).toStrictEqual([
    'shop/web',
    'node',
    'node',
    '',
  ]);
});

it('splitMetaNamespaceKey splits a key', () => {
  expect(splitMetaNamespaceKey('shop/web')).toStrictEqual({ namespace: 'shop', name: 'web' });
  expect(splitMetaNamespaceKey('n1')).toStrictEqual({ namespace: '', name: 'n1' });
});

it('compareByName sorts by namespace, then by name', () => {
  const keys = ['b/a', 'a/b', 'a/a', 'a-b/a'].map((key) => {
    const [namespace, name] = key.split('/');
    return { metadata: { namespace, name } };
  });
  expect(keys.toSorted(compareByName).map(objectKey)).toStrictEqual(['a/a', 'a/b', 'a-b/a', 'b/a']);
});
