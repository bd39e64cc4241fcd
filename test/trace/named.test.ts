import { expect, it } from 'vitest';
import { keyOf, nameOf, namespaceOf } from '../../src/trace/named.ts';

it('names of objects are empty where there are none', () => {
  const web = { metadata: { name: 'web', namespace: 'shop' } };
  expect([nameOf(web), namespaceOf(web), keyOf(web)]).toEqual(['web', 'shop', 'shop/web']);
  expect([nameOf({}), namespaceOf({ metadata: null }), keyOf({ metadata: { name: null } })]).toEqual(['', '', '/']);
});
