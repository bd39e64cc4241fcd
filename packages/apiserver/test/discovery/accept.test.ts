import { expect, test } from 'vitest';
import { aggregatedFormat, plainFormat, written } from '../../src/discovery/accept.ts';
import { readAccept } from '../../src/http/accept.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

test('no header means anything', () => {
  expect(plainFormat(readAccept(undefined))).toEqual({ name: 'json', pretty: false, parameters: '' });
  expect(plainFormat(readAccept(''))).toEqual({ name: 'json', pretty: false, parameters: '' });
});

test.each([
  ['application/vnd.kubernetes.protobuf, application/json', 'json'],
  ['application/vnd.kubernetes.protobuf,*/*', 'json'],
  ['application/yaml', 'yaml'],
  ['application/*', 'json'],
  ['application/json;as=Table;g=meta.k8s.io;v=v1, application/yaml;q=0.1', 'yaml'],
  ['application/json;stream=watch', 'json'],
])('%s is answered with %s', (header, name) => {
  expect(plainFormat(readAccept(header))?.name).toBe(name);
});

test.each(['text/html', 'application/json;as=Table;g=meta.k8s.io;v=v1', 'application/json;sv=1', aggregated, 'nonsense', ',,;'])(
  'plain discovery is nothing for %s',
  (header) => {
    expect(plainFormat(readAccept(header))).toBeUndefined();
  },
);

test.each([
  [`${aggregated},${beta},application/json`, 'json'],
  [`application/json, ${aggregated};q=0.1`, 'json'],
  ['*/*;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'json'],
  ['application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'yaml'],
  [`${aggregated};profile=nopeer`, 'json'],
])('%s asks for aggregated discovery in %s', (header, name) => {
  expect(aggregatedFormat(readAccept(header))?.name).toBe(name);
});

test.each([beta, 'application/json', 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'])(
  '%s does not',
  (header) => {
    expect(aggregatedFormat(readAccept(header))).toBeUndefined();
  },
);

test('texts are written as the format says', async () => {
  const json = '{"b":1,"a":["x"]}';
  expect(await written(json, { name: 'json', pretty: false, parameters: '' })).toBe('{"b":1,"a":["x"]}\n');
  expect(await written(json, { name: 'json', pretty: true, parameters: '' })).toBe('{\n  "b": 1,\n  "a": [\n    "x"\n  ]\n}');
  expect(await written(json, { name: 'yaml', pretty: true, parameters: '' })).toMatch(/^a:\n *- x\nb: 1\n$/);
});
