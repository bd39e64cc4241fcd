import { expect, test } from 'vitest';
import { validateClientConfig } from '../../../src/resources/webhooks/client-config.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const check = (config: object): string[] =>
  reportedCauses((causes) => validateClientConfig(config as Record<string, unknown>, 'c', causes));

test.each([
  ['https://a.example.com:8443/b', 0],
  ['http://a', 1],
  ['https://u@a?q#f', 3],
  ['a', 2],
  [':', 1],
  ['https://a:b', 1],
  ['https://a/%zz', 1],
  ['a b:c', 1],
  ['https://a\u0001', 1],
])('for the URL %s, validateClientConfig reports %i errors', (url, errorCount) => expect(check({ url })).toHaveLength(errorCount));

test('a client config has either a URL or a Service', () => {
  expect(fieldsOf(check({}))).toEqual(['c']);
  expect(fieldsOf(check({ url: 'https://a', service: {} }))).toEqual(['c']);
  expect(fieldsOf(check({ service: {} }))).toEqual(['c.service.name', 'c.service.namespace', 'c.service.port']);
});

test.each([
  ['/a/b/', 0],
  ['', 0],
  ['//', 1],
  ['a', 2],
  ['/a//B', 2],
])('for the path %s, validateClientConfig reports %i errors', (path, errorCount) =>
  expect(check({ service: { name: 'a', namespace: 'b', port: 1, path } })).toHaveLength(errorCount),
);
