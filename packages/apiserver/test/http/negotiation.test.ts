import { expect, test } from 'vitest';
import { matchesMediaType, negotiateOutput, parseAccept, wantsIndentation } from '../../src/http/negotiation.ts';

const json = { format: 'json', pretty: false };
const yaml = { format: 'yaml', pretty: false };
const protobuf = { format: 'protobuf', pretty: false };
const table = { ...json, transform: { kind: 'Table', version: 'v1' } };

const metadata = { ...protobuf, transform: { kind: 'PartialObjectMetadata', version: 'v1' } };

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
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', { ...json, transform: { kind: 'Table', version: 'v1beta1' } }],
  ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
  ['application/json;as=Table', undefined],
  ['application/json;as=Other;v=v1;g=meta.k8s.io,application/json', json],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json', table],
  ['application/vnd.kubernetes.protobuf, application/json', protobuf],
  ['application/json, application/vnd.kubernetes.protobuf', json],
  ['application/vnd.kubernetes.protobuf;q=0.4, application/*;q=0.5', json],
  ['application/vnd.kubernetes.protobuf', protobuf],
  ['application/vnd.kubernetes.protobuf;stream=watch', protobuf],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io', undefined],
  ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', metadata],
  ['application/cbor, application/json;q=0.1', json],
  ['application/cbor', undefined],
])('the header Accept: %s selects %j', (header, output) => {
  expect(negotiateOutput(header).output).toEqual(output);
});

test.each([
  ['application/vnd.kubernetes.protobuf, application/json', json],
  ['application/vnd.kubernetes.protobuf, application/yaml', yaml],
  ['application/vnd.kubernetes.protobuf', undefined],
  ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', metadata],
])('the header Accept: %s selects %j for a custom resource', (header, output) => {
  expect(negotiateOutput(header).customOutput).toEqual(output);
});

test.each([
  ['application/*', false],
  ['text/plain', false],
  ['APPLICATION/JSON', false],
  ['application/json;as=Other', true],
  ['application/vnd.kubernetes.protobuf', true],
  ['application/cbor', false],
])('isKnown for the header %s is %s', (header, isKnown) => {
  expect(negotiateOutput(header).isKnown).toBe(isKnown);
});

test('errors are written in the accepted format, but never converted to another kind', () => {
  expect(negotiateOutput('application/yaml').errorOutput).toEqual(yaml);
  expect(negotiateOutput('application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml').errorOutput).toEqual(yaml);
  expect(negotiateOutput('application/vnd.kubernetes.protobuf').errorOutput).toEqual(protobuf);
  expect(negotiateOutput('text/plain').errorOutput).toEqual({ ...json, pretty: true });
});

test.each([
  ['*/*, application/*, text/html;q=0.5, application/json', ['application/json', 'text/html', 'application/*', '*/*']],
  ['a/b;q=0.1, c/d;q=nonsense, e/f;q=0.9', ['e/f', 'a/b', 'c/d']],
  ['*/*;q=0.5, a/b;q=0.4', ['a/b', '*/*']],
  ['a/b;q=0.4, */*;q=0.5', ['*/*', 'a/b']],
  ['a/b, c/d, e/f', ['a/b', 'c/d', 'e/f']],
])('the clauses of %s are sorted like by kube-apiserver: %j', (header, types) => {
  expect(parseAccept(header).map(({ type }) => type)).toEqual(types);
});

test('a media type matches itself and its wildcards', () => {
  const json = 'application/json';
  expect(parseAccept('application/json, application/*, */*').every((clause) => matchesMediaType(clause, json))).toBe(true);
  expect(parseAccept('text/*, application/jsonp, */json').some((clause) => matchesMediaType(clause, json))).toBe(false);
});

test('answers are indented for curl and browsers; the query parameter pretty overrides this', () => {
  const emptyQuery = new URLSearchParams();
  expect(wantsIndentation(emptyQuery, 'curl/8.5.0')).toBe(true);
  expect(wantsIndentation(emptyQuery, 'Mozilla/5.0 (X11)')).toBe(true);
  expect(wantsIndentation(emptyQuery, 'kubectl/v1.36.3')).toBe(false);
  expect(wantsIndentation(new URLSearchParams('pretty=true'), undefined)).toBe(true);
  expect(wantsIndentation(new URLSearchParams('pretty=0'), 'curl/8.5.0')).toBe(false);
  expect(wantsIndentation(new URLSearchParams('pretty=yes'), 'curl/8.5.0')).toBe(false);
});
