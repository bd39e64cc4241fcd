import { expect, test } from 'vitest';
import { aggregatedFormat, matches, plainFormat, readAccept, wantsPretty, written } from '../../../src/apiserver/discovery/accept.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

test('clauses come by quality, and what has no asterisk before what has', () => {
  const types = (header: string): readonly string[] => readAccept(header).map(({ type }) => type);
  expect(types('*/*, application/*, text/html;q=0.5, application/json')).toEqual(['application/json', 'application/*', '*/*', 'text/html']);
  expect(types('a/b;q=0.1, c/d;q=nonsense, e/f;q=0.9')).toEqual(['e/f', 'a/b', 'c/d']);
});

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

test('media types match themselves and what stands for them', () => {
  const json = 'application/json';
  expect(readAccept('application/json, application/*, */*').every((clause) => matches(clause, json))).toBe(true);
  expect(readAccept('text/*, application/jsonp, */json').some((clause) => matches(clause, json))).toBe(false);
});

test('people get indented answers, and whoever asks', () => {
  const none = new URLSearchParams();
  expect(wantsPretty(none, 'curl/8.5.0')).toBe(true);
  expect(wantsPretty(none, 'Mozilla/5.0 (X11)')).toBe(true);
  expect(wantsPretty(none, 'kubectl/v1.36.3')).toBe(false);
  expect(wantsPretty(new URLSearchParams('pretty=true'), undefined)).toBe(true);
  expect(wantsPretty(new URLSearchParams('pretty=0'), 'curl/8.5.0')).toBe(false);
  expect(wantsPretty(new URLSearchParams('pretty=yes'), 'curl/8.5.0')).toBe(false);
});

test('texts are written as the format says', async () => {
  const json = '{"b":1,"a":["x"]}';
  expect(await written(json, { name: 'json', pretty: false, parameters: '' })).toBe('{"b":1,"a":["x"]}\n');
  expect(await written(json, { name: 'json', pretty: true, parameters: '' })).toBe('{\n  "b": 1,\n  "a": [\n    "x"\n  ]\n}');
  expect(await written(json, { name: 'yaml', pretty: true, parameters: '' })).toMatch(/^a:\n *- x\nb: 1\n$/);
});
