import { beforeEach, describe, expect, test } from 'vitest';
import { configMap, createFixture, type Fixture } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';
const jsonHeaders = { 'content-type': 'application/json' };
const yamlHeaders = { 'content-type': 'application/yaml' };

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

const formatUnrecognized = (problem: string, summary: string): string =>
  `the object provided is unrecognized (must be of type ConfigMap): ${problem} (${summary})`;
const formatCannotHandle = (kind: string, version: string, problem: string): string =>
  `${kind} in version "${version}" cannot be handled as a ConfigMap: ${problem}`;
const formatNotRegistered = (kind: string, version: string): string =>
  `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
const parseError = "couldn't get version/kind; json parse error: ";
const goRootType = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

test.each([
  ['', formatUnrecognized(`${parseError}unexpected end of JSON input`, '<empty>')],
  ['{', formatUnrecognized(`${parseError}unexpected end of JSON input`, '{')],
  ['[]', formatUnrecognized(`${parseError}json: cannot unmarshal array into Go value of type ${goRootType}`, '5b5d')],
  ['"x"', formatUnrecognized(`${parseError}json: cannot unmarshal string into Go value of type ${goRootType}`, '227822')],
  ['{"kind":5}', formatUnrecognized(`${parseError}json: cannot unmarshal number into Go struct field .kind of type string`, '{"kind":5}')],
  [
    '{"apiVersion":"a/b/c","kind":"ConfigMap"}',
    formatUnrecognized('unexpected GroupVersion string: a/b/c', '{"apiVersion":"a/b/c","kind":" ...'),
  ],
  ['{"kind":"Secret"}', formatCannotHandle('Secret', 'v1', 'converting (v1.Secret) to (core.ConfigMap): unknown conversion')],
  [
    '{"kind":"ConfigMapList","apiVersion":"v1"}',
    formatCannotHandle('ConfigMapList', 'v1', 'converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion'),
  ],
  ['{"kind":"ConfigMap","apiVersion":"v2"}', formatCannotHandle('ConfigMap', 'v2', formatNotRegistered('ConfigMap', 'v2'))],
  ['{"kind":"Nope","apiVersion":"foo/v1"}', formatCannotHandle('Nope', 'v1', formatNotRegistered('Nope', 'foo/v1'))],
  ['{"KIND":"Nope"}', formatCannotHandle('Nope', 'v1', formatNotRegistered('Nope', 'v1'))],
  [
    '{"data":{"a":1}}',
    formatCannotHandle('ConfigMap', 'v1', 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'),
  ],
  [
    '{"metadata":{"name":"a","namespace":"other"}}',
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
])('the body %s is refused', async (body, message) => {
  const answer = await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body });
  expect([answer.code, answer.json.reason, answer.json.message]).toEqual([400, 'BadRequest', message]);
  expect((await fixture.send('GET', configMapsUrl)).json.items).toEqual([]);
});

test('kind and apiVersion may be omitted for built-in resources', async () => {
  expect((await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body: '{"metadata":{"name":"a"}}' })).code).toBe(201);
  const { code, json: status } = await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body: 'null' });
  expect([code, status.details.causes[0].field]).toEqual([422, 'metadata.name']);
});

test.each([
  ['/apis/events.k8s.io/v1/namespaces/shop/events', 'v1', 'events.k8s.io/v1'],
  ['/api/v1/namespaces/shop/events', 'events.k8s.io/v1', 'v1'],
])('an Event of a different API version is refused at %s', async (path, apiVersion, expected) => {
  const { code, json: status } = await fixture.send('POST', path, {
    headers: jsonHeaders,
    body: { kind: 'Event', apiVersion, metadata: { name: 'e' } },
  });
  expect(code).toBe(400);
  expect(status.message).toBe(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
});

test.each([
  ['text/plain', 415],
  ['application/cbor', 415],
  ['*/*', 415],
  ['toString', 415],
  ['application/json; charset=utf-8', 201],
  ['APPLICATION/JSON', 201],
])('a body of the type %s is answered with %i', async (type, code) => {
  const answer = await fixture.send('POST', configMapsUrl, { headers: { 'content-type': type }, body: configMap('a') });
  expect(answer.code).toBe(code);
  if (code === 415) {
    expect(answer.json).toMatchObject({
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
  }
});

describe('a protobuf body', () => {
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
  const field = (number: number, bytes: readonly number[]): number[] => [number * 8 + 2, bytes.length, ...bytes];
  const envelope = (kind: string, raw: readonly number[]): Uint8Array =>
    Uint8Array.from([0x6b, 0x38, 0x73, 0, ...field(1, [0x0a, ...text('v1'), 0x12, ...text(kind)]), ...field(2, raw)]);
  // metadata.name and an entry of data
  const raw = [...field(1, [0x0a, ...text('proto')]), ...field(2, [0x0a, ...text('a'), 0x12, ...text('1')])];

  test('is decoded and answered in JSON', async () => {
    const { code, json: object } = await fixture.send('POST', configMapsUrl, { headers, body: envelope('ConfigMap', raw) });
    expect(code).toBe(201);
    expect(object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'proto' }, data: { a: '1' } });
  });

  test('is refused if it has a different kind or is not protobuf', async () => {
    const rejectedAnswer = await fixture.send('POST', configMapsUrl, { headers, body: envelope('Secret', raw) });
    expect(rejectedAnswer.json).toMatchObject({ code: 400, reason: 'BadRequest' });
    const { json: status } = await fixture.send('POST', configMapsUrl, { headers, body: configMap('a') });
    expect(status).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(status.message).toMatch(
      /^the object provided is unrecognized \(must be of type ConfigMap\): provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]/,
    );
  });
});

test('an object of an API version that is no longer served is refused', async () => {
  const path = '/apis/coordination.k8s.io/v1/namespaces/shop/leases';
  const oldLease = { apiVersion: 'coordination.k8s.io/v1beta1', kind: 'Lease', metadata: { name: 'l' } };
  expect((await fixture.send('POST', path, { headers: jsonHeaders, body: oldLease })).json).toMatchObject({
    code: 400,
    message: 'the API version in the data (coordination.k8s.io/v1beta1) does not match the expected API version (coordination.k8s.io/v1)',
  });
});

test('a body without Content-Type is read as JSON', async () => {
  expect((await fixture.send('POST', configMapsUrl, { body: configMap('a') })).code).toBe(201);
});

test('a YAML body is parsed, and its errors are reported', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: "1"}\n';
  expect((await fixture.send('POST', configMapsUrl, { headers: yamlHeaders, body: text })).json.data).toEqual({ a: '1' });
  const rejectedAnswer = await fixture.send('POST', configMapsUrl, { headers: yamlHeaders, body: 'a: b: c' });
  expect(rejectedAnswer.json.message).toBe(formatUnrecognized('yaml: mapping values are not allowed in this context', '613a20623a2063'));
});

const bodyWithDuplicates = '{"metadata":{"name":"z","lables":{}},"x":1,"x":2,"data":{"a":"1","a":"2"},"data":{"b":"3"}}';

test('unknown and duplicate fields cause warnings, unknown ones first', async () => {
  const { code, headers, json: object } = await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body: bodyWithDuplicates });
  expect(code).toBe(201);
  expect(headers['Warning']).toEqual([
    String.raw`299 - "unknown field \"metadata.lables\""`,
    String.raw`299 - "unknown field \"x\""`,
    String.raw`299 - "duplicate field \"data.a\""`,
    String.raw`299 - "duplicate field \"data\""`,
  ]);
  expect(object.data).toEqual({ a: '2', b: '3' });
});

test('duplicate fields are refused under Strict and ignored under Ignore', async () => {
  const strictAnswer = await fixture.send('POST', `${configMapsUrl}?fieldValidation=Strict`, {
    headers: jsonHeaders,
    body: bodyWithDuplicates,
  });
  expect(strictAnswer.json.message).toBe(
    formatCannotHandle(
      'ConfigMap',
      'v1',
      'strict decoding error: unknown field "metadata.lables", unknown field "x", duplicate field "data.a", duplicate field "data"',
    ),
  );
  const lenientAnswer = await fixture.send('POST', `${configMapsUrl}?fieldValidation=Ignore`, {
    headers: jsonHeaders,
    body: bodyWithDuplicates,
  });
  expect([lenientAnswer.code, lenientAnswer.headers['Warning']]).toEqual([201, undefined]);
});

test('duplicate keys in YAML are reported with their line', async () => {
  const text = 'metadata: {name: z}\ndata: {a: "1", a: "2"}\nfoo: 1\n';
  const strictAnswer = await fixture.send('POST', `${configMapsUrl}?fieldValidation=Strict`, { headers: yamlHeaders, body: text });
  expect(strictAnswer.json.message).toBe(
    formatCannotHandle(
      'ConfigMap',
      'v1',
      'strict decoding error: yaml: unmarshal errors:\n  line 2: key "a" already set in map, unknown field "foo"',
    ),
  );
  const answerWithWarning = await fixture.send('POST', configMapsUrl, { headers: yamlHeaders, body: text });
  expect(answerWithWarning.headers['Warning']).toEqual([
    String.raw`299 - "line 2: key \"a\" already set in map"`,
    String.raw`299 - "unknown field \"foo\""`,
  ]);
});

test('a body that is nested too deeply is refused', async () => {
  const body = `{"kind":"ConfigMap","metadata":{"name":"a"},"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const { code, json: status } = await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body });
  expect(code).toBe(400);
  expect(status.message).toBe(
    formatUnrecognized(`${parseError}invalid character '[' exceeded max depth`, '{"kind":"ConfigMap","metadata" ...'),
  );
});

test('a body over the size limit is refused with 413', async () => {
  const fixtureWithLimit = await createFixture({ maxBodyBytes: 100 });
  const { code, json: status } = await fixtureWithLimit.send('POST', configMapsUrl, {
    headers: jsonHeaders,
    body: configMap('a', { data: { a: 'x'.repeat(100) } }),
  });
  expect([code, status.reason, status.message]).toEqual([413, 'RequestEntityTooLarge', 'Request entity too large: limit is 100']);
});

test('__proto__ in a body is data', async () => {
  const body = '{"metadata":{"name":"a"},"__proto__":{"polluted":1},"data":{"__proto__":"x"}}';
  const answer = await fixture.send('POST', configMapsUrl, { headers: jsonHeaders, body });
  expect(answer.headers['Warning']).toEqual([String.raw`299 - "unknown field \"__proto__\""`]);
  expect(answer.text).toContain('"data":{"__proto__":"x"}');
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';

test.each([
  ['{}', 400, "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{}' ({})"],
  ['{"kind":"Widget"}', 400, 'the API version in the data () does not match the expected API version (example.io/v1)'],
  ['{"kind":"Widget","apiVersion":"v1"}', 400, 'the API version in the data (v1) does not match the expected API version (example.io/v1)'],
  [
    '{"kind":"Other","apiVersion":"example.io/v1","metadata":{"name":"x"}}',
    422,
    'Other.example.io "x" is invalid: kind: Invalid value: "Other": must be Widget',
  ],
])('the body %s is refused for a custom resource', async (body, code, message) => {
  const answer = await fixture.send('POST', widgetsUrl, { headers: jsonHeaders, body });
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});
