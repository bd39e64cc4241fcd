import { beforeEach, expect, test } from 'vitest';
import { type Answer, configMap, createFixture, type Fixture } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
  await fixture.send('POST', configMapsUrl, { body: configMap('a', { data: { x: '1' } }) });
});

const patch = (type: string, body: unknown, query = '', name = 'a'): Promise<Answer> =>
  fixture.send('PATCH', `${configMapsUrl}/${name}${query}`, { headers: { 'content-type': `application/${type}` }, body });

test.each([
  ['merge-patch+json', '', { data: { y: '2' } }, { x: '1', y: '2' }],
  ['merge-patch+json; charset=utf-8', '', { data: { x: null } }, undefined],
  ['strategic-merge-patch+json', '', { data: { $patch: 'replace', y: '2' } }, { y: '2' }],
  ['json-patch+json', '', [{ op: 'add', path: '/data/y', value: '2' }], { x: '1', y: '2' }],
  ['apply-patch+yaml', '?fieldManager=me', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {"y": "2"}\n', { x: '1', y: '2' }],
  ['apply-patch+yaml', '?fieldManager=me', configMap('a', { data: { y: '2' } }), { x: '1', y: '2' }],
])('a patch of the type %s is applied', async (type, query, body, data) => {
  const { code, json } = await patch(type, body, query);
  expect([code, json.data]).toEqual([200, data]);
});

test('an apply of a missing object creates it and answers 201', async () => {
  const { code, json } = await patch('apply-patch+yaml', configMap('new'), '?fieldManager=me', 'new');
  expect([code, json.metadata.name]).toEqual([201, 'new']);
  expect((await patch('apply-patch+yaml', configMap('new', { data: { a: '1' } }), '?fieldManager=me', 'new')).code).toBe(200);
});

test.each([
  ['json', '{}'],
  ['apply-patch+cbor', '{}'],
  ['MERGE-patch+json', '{}'],
])('a patch of the type %s is refused with 415', async (type, body) => {
  const { code, json } = await patch(type, body);
  expect([code, json.message, json.reason]).toEqual([415, '415: Unsupported Media Type', 'UnsupportedMediaType']);
});

test('a strategic merge patch of a custom resource is refused', async () => {
  const widgetUrl = '/apis/example.io/v1/namespaces/shop/widgets/w';
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  const { code, json } = await fixture.send('PATCH', widgetUrl, { headers, body: {} });
  expect(code).toBe(415);
  expect(json.message).toBe(
    'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  );
});

const goType = 'Go value of type map[string]interface {}';
test.each([
  ['merge-patch+json', '', '{', 'error decoding patch: unexpected end of JSON input'],
  ['merge-patch+json', '', '', 'error decoding patch: unexpected end of JSON input'],
  ['merge-patch+json', '', '[]', `error decoding patch: json: cannot unmarshal array into ${goType}`],
  ['merge-patch+json', '?fieldValidation=Ignore', '{', 'Invalid JSON Patch'],
  ['json-patch+json', '', '[', 'error decoding patch: unexpected end of JSON input'],
  ['json-patch+json', '?fieldValidation=Ignore', '{', 'unexpected end of JSON input'],
  ['strategic-merge-patch+json', '', '{', 'unexpected end of JSON input'],
  ['strategic-merge-patch+json', '', '[]', `json: cannot unmarshal array into ${goType}`],
  [
    'apply-patch+yaml',
    '?fieldManager=m',
    'a: b: c',
    'error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
  ],
  [
    'apply-patch+yaml',
    '?fieldManager=m',
    '[]',
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into ${goType}`,
  ],
  ['apply-patch+yaml', '?fieldManager=m', '', 'invalid object type: /, Kind='],
  ['apply-patch+yaml', '?fieldManager=m', 'apiVersion: v1\nkind: Secret\n', 'invalid object type: /v1, Kind=Secret'],
  ['apply-patch+yaml', '?fieldManager=m', configMap('b'), 'the name of the object (b) does not match the name on the URL (a)'],
])('a patch of the type %s%s with %j is refused', async (type, query, body, message) => {
  const { code, json } = await patch(type, body, query);
  expect([code, json.message]).toEqual([400, message]);
});

test('a patch of a missing object is answered with 404 before its body is read', async () => {
  expect((await patch('merge-patch+json', '{', '', 'nope')).json).toMatchObject({ code: 404, reason: 'NotFound' });
});

test('duplicate keys in an apply are refused under Strict and cause a warning otherwise', async () => {
  const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {c: "1", c: "2"}\n';
  const strictAnswer = await patch('apply-patch+yaml', body, '?fieldManager=m&fieldValidation=Strict');
  expect([strictAnswer.code, strictAnswer.json.message]).toEqual([
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 4: key "c" already set in map',
  ]);
  const answerWithWarning = await patch('apply-patch+yaml', body, '?fieldManager=m');
  expect([answerWithWarning.code, answerWithWarning.headers['Warning']]).toEqual([
    200,
    [String.raw`299 - "line 4: key \"c\" already set in map"`],
  ]);
});

test('duplicate and unknown fields in a patch cause warnings', async () => {
  const mergeAnswer = await patch('merge-patch+json', '{"data":{"a":"1","a":"2"},"foo":1}');
  expect(mergeAnswer.headers['Warning']).toEqual([
    String.raw`299 - "duplicate field \"data.a\""`,
    String.raw`299 - "unknown field \"foo\""`,
  ]);
  const jsonPatchAnswer = await patch('json-patch+json', '[{"op":"add","op":"add","path":"/data/b","value":"1","x":1}]');
  expect(jsonPatchAnswer.headers['Warning']).toEqual([
    String.raw`299 - "json patch duplicate field \"[0].op\""`,
    String.raw`299 - "json patch unknown field \"[0].x\""`,
  ]);
});

test('duplicate fields in a patch are refused under Strict if the object exists', async () => {
  const { code, json } = await patch('merge-patch+json', '{"data":{"a":"1","a":"2"}}', '?fieldValidation=Strict');
  expect([code, json.details.causes[0].field]).toEqual([422, 'patch']);
  expect(json.message).toContain('strict decoding error: duplicate field "data.a"');
  expect((await patch('merge-patch+json', '{"data":{"a":"1","a":"2"}}', '?fieldValidation=Strict', 'nope')).code).toBe(404);
});

test('options of a patch are validated before the object is read', async () => {
  expect((await patch('merge-patch+json', '{}', '?force=true', 'nope')).json.details.causes[0].field).toBe('force');
});

test('updates and patches of scale are written to the object', async () => {
  const widgetsUrl = '/apis/example.io/v1/namespaces/shop/widgets';
  const scaleUrl = `${widgetsUrl}/w/scale`;
  await fixture.send('POST', widgetsUrl, {
    body: { kind: 'Widget', apiVersion: 'example.io/v1', metadata: { name: 'w' }, spec: { replicas: 1, size: 2 } },
  });
  const body = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'w' }, spec: { replicas: 3 } };
  expect((await fixture.send('PUT', scaleUrl, { body })).json).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
  expect((await fixture.send('GET', `${widgetsUrl}/w`)).json.spec).toEqual({ replicas: 3, size: 2 });
  for (const [type, change, replicas] of [
    ['merge-patch+json', { spec: { replicas: 5 } }, 5],
    ['json-patch+json', [{ op: 'replace', path: '/spec/replicas', value: 7 }], 7],
    ['apply-patch+yaml', { ...body, spec: { replicas: 8 } }, 8],
  ] as const) {
    const query = type === 'apply-patch+yaml' ? '?fieldManager=m' : '';
    const answer = await fixture.send('PATCH', `${scaleUrl}${query}`, { headers: { 'content-type': `application/${type}` }, body: change });
    expect([answer.code, answer.json.spec.replicas]).toEqual([200, replicas]);
  }
  expect((await fixture.send('PUT', scaleUrl, { body: { ...body, metadata: { name: 'v' } } })).json.message).toBe(
    'the name of the object (v) does not match the name on the URL (w)',
  );
  const staleScale = { ...body, metadata: { name: 'w', resourceVersion: '1' } };
  expect((await fixture.send('PUT', scaleUrl, { body: staleScale })).json).toMatchObject({ code: 409, reason: 'Conflict' });
  expect((await fixture.send('PUT', `${widgetsUrl}/nope/scale`, { body: { ...body, metadata: { name: 'nope' } } })).code).toBe(404);
});
