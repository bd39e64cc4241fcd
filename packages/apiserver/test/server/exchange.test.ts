import { expect, test } from 'vitest';
import { parseQuery } from '../../src/server/exchange.ts';

test.each<[string, Record<string, string>]>([
  ['', {}],
  ['?limit=5&watch=1', { limit: '5', watch: '1' }],
  ['?labelSelector=a%3Db%20c', { labelSelector: 'a=b c' }],
  ['?labelSelector=a%3D%zz&limit=5', { limit: '5' }],
  ['?limit=1;watch=1', {}],
  ['?limit=1;watch=1&pretty=true', { pretty: 'true' }],
  ['?a=%', {}],
  ['?a=%3B', { a: ';' }],
])('parseQuery parses %s as Go does', (search, expected) => {
  expect(Object.fromEntries(parseQuery(search))).toEqual(expected);
});
