import { expect, test } from 'vitest';
import { acceptedBy } from '../../src/http/negotiation.ts';

const json = { format: 'json', pretty: false };
const yaml = { format: 'yaml', pretty: false };
const table = { ...json, as: { kind: 'Table', version: 'v1' } };

test.each([
  [undefined, json],
  ['', json],
  ['application/json', json],
  ['*/*', json],
  ['application/*', json],
  ['application/yaml', yaml],
  ['text/plain, application/json', json],
  ['application/json;q=0.1,application/yaml;q=0.9', yaml],
  ['*/*, application/yaml', yaml],
  ['application/json;pretty=1', { ...json, pretty: true }],
  ['application/json;stream=watch', json],
  ['application/json;stream=other', undefined],
  ['application/yaml;stream=watch', undefined],
  ['application/json;sv=v2', undefined],
  ['application/json;other=1', json],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', table],
  ['application/json ; as=Table ; v=v1; g=meta.k8s.io', table],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', { ...json, as: { kind: 'Table', version: 'v1beta1' } }],
  ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
  ['application/json;as=Table', undefined],
  ['application/json;as=Other;v=v1;g=meta.k8s.io,application/json', json],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json', table],
  ['application/vnd.kubernetes.protobuf, application/json', json],
  ['application/vnd.kubernetes.protobuf', undefined],
])('Accept: %s', (header, output) => {
  expect(acceptedBy(header).output).toEqual(output);
});

test.each([
  ['application/*', false],
  ['text/plain', false],
  ['APPLICATION/JSON', false],
  ['application/json;as=Other', true],
  ['application/vnd.kubernetes.protobuf', true],
])('whether %s names anything known: %s', (header, known) => {
  expect(acceptedBy(header).known).toBe(known);
});

test('errors are written in the same format, but never as something else', () => {
  expect(acceptedBy('application/yaml').forErrors).toEqual(yaml);
  expect(acceptedBy('application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml').forErrors).toEqual(yaml);
  expect(acceptedBy('text/plain').forErrors).toEqual({ ...json, pretty: true });
});
