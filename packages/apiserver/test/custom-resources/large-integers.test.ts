import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ApiServer, createApiServer, createFunctionAdmission, type Listening } from '../../src/index.ts';

const max = '9223372036854775807';
const schema = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, 'x-kubernetes-validations': [{ rule: 'self != 9223372036854775806', message: 'not this one' }] },
    small: { type: 'integer', format: 'int32' },
    even: { type: 'integer', multipleOf: 2 },
    ratio: { type: 'number', maximum: 1e19 },
    sizes: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        additionalPrinterColumns: [{ name: 'Count', type: 'integer', jsonPath: '.count' }],
      },
    ],
  },
} as unknown as ApiObject;

const path = '/apis/example.com/v1/namespaces/default/widgets';

async function start(options: Parameters<typeof createApiServer>[0] = {}): Promise<{ server: ApiServer; listening: Listening }> {
  const server = await createApiServer({ ...options, objects: [definition] });
  onTestFinished(() => server.close());
  await server.settle();
  return { server, listening: await server.listen({ tls: false }) };
}

/** Returns the code and the text of the answer, because parsing would round the numbers. */
async function send(
  { url, token = '' }: Listening,
  method: string,
  target: string,
  body?: string,
  headers = {},
): Promise<[number, string]> {
  const answer = await fetch(url + target, {
    method,
    ...(body !== undefined && { body }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  return [answer.status, await answer.text()];
}

const widget = (fields: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},${fields}}`;

describe('integers above 2^53 in custom resources', () => {
  test.each(['9007199254740993', '1152921504606846976', max, `-${max}`])('are preserved: %s', async (integer) => {
    const { listening } = await start();
    const [code, created] = await send(listening, 'POST', path, widget(`"free":{"n":${integer},"list":[1,${integer}]}`));
    expect([code, created]).toStrictEqual([201, expect.stringContaining(`"free":{"n":${integer},"list":[1,${integer}]}`) as string]);
    expect((await send(listening, 'GET', path))[1]).toContain(`"n":${integer}`);
    expect((await send(listening, 'GET', `${path}/a?pretty=true`))[1]).toContain(`"n": ${integer}`);
    expect((await send(listening, 'GET', `${path}/a`, undefined, { accept: 'application/yaml' }))[1]).toContain(`"n": ${integer}`);
  });

  test('are written by patches of all types, and kept by those of other fields', async () => {
    const { listening } = await start();
    await send(listening, 'POST', path, widget(`"count":${max}`));
    const patch = (type: string, body: string, query = ''): Promise<[number, string]> =>
      send(listening, 'PATCH', `${path}/a${query}`, body, { 'content-type': `application/${type}` });
    expect((await patch('merge-patch+json', '{"metadata":{"labels":{"a":"b"}}}'))[1]).toContain(`"count":${max}`);
    expect((await patch('merge-patch+json', '{"count":9007199254740993}'))[1]).toContain('"count":9007199254740993');
    expect(
      (
        await patch(
          'json-patch+json',
          `[{"op":"test","path":"/count","value":9007199254740993},{"op":"add","path":"/even","value":9007199254740994}]`,
        )
      )[1],
    ).toContain('"even":9007199254740994');
    const [code, applied] = await patch('apply-patch+yaml', widget(`"sizes":[1,${max}]`), '?fieldManager=me&force=true');
    expect([code, applied]).toStrictEqual([200, expect.stringContaining(`"sizes":[1,${max}]`) as string]);
    expect(applied).toContain(`"v:${max}":{}`);
  });

  test.each([
    ['"small":9007199254740993', 'Invalid value: "": Checked value must be of type integer with format int32 in small'],
    ['"count":-9007199254740993', 'count: Invalid value: -9007199254740993: count in body should be greater than or equal to 1'],
    ['"even":9007199254740993', 'even: Invalid value: 9007199254740993: even in body should be a multiple of 2'],
    ['"count":9223372036854775806', 'count: Invalid value: 9223372036854775806: not this one'],
    ['"free":9007199254740993', 'free: Invalid value: "integer": free in body must be of type object: "integer"'],
    [`"sizes":[${max},${max}]`, `sizes[1]: Duplicate value: ${max}`],
  ])('are validated exactly: %s', async (fields, message) => {
    const { listening } = await start();
    const [code, text] = await send(listening, 'POST', path, widget(fields));
    expect([code, (JSON.parse(text) as { message: string }).message]).toStrictEqual([422, expect.stringContaining(message) as string]);
  });

  test('are valid numbers and integers', async () => {
    const { listening } = await start();
    expect((await send(listening, 'POST', path, widget(`"count":${max},"even":9007199254740994,"ratio":${max}`)))[0]).toBe(201);
  });

  test('are shown in tables, sent by watches, and are BigInts in this process', async () => {
    const { server, listening } = await start();
    await send(listening, 'POST', path, widget(`"count":${max}`));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect((await send(listening, 'GET', path, undefined, { accept }))[1]).toContain(`"cells":["a",${max}]`);
    expect((await send(listening, 'GET', `${path}?watch=1&timeoutSeconds=1&resourceVersion=0`))[1]).toContain(`"count":${max}`);
    const widgets = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
    const key = { namespace: 'default', name: 'a' };
    const read = await server.client.get(widgets, key);
    expect(read['count']).toBe(BigInt(max));
    expect((await server.client.update(widgets, { ...read, count: 9_007_199_254_740_993n } as ApiObject))['count']).toBe(
      9_007_199_254_740_993n,
    );
  });

  test('pass through admission functions', async () => {
    const label = createFunctionAdmission([
      {
        operations: ['CREATE'],
        resources: ['widgets'],
        mutate: ({ object }) => ({ ...(object as ApiObject), metadata: { ...object?.metadata, labels: { seen: 'yes' } } }),
      },
    ]);
    const { listening } = await start({ admission: [label] });
    const [, created] = await send(listening, 'POST', path, widget(`"count":${max}`));
    expect(created).toContain('"seen":"yes"');
    expect(created).toContain(`"count":${max}`);
  });

  test('are saved in the folder', async () => {
    const data = mkdtempSync(join(tmpdir(), 'kube-endpoints-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const { server, listening } = await start({ data });
    await send(listening, 'POST', path, widget(`"count":${max}`));
    await server.close();
    const second = await start({ data });
    expect((await send(second.listening, 'GET', `${path}/a`))[1]).toContain(`"count":${max}`);
  });

  test('of built-in resources are not affected', async () => {
    const { listening } = await start();
    const body = `{"metadata":{"name":"web"},"spec":{"terminationGracePeriodSeconds":9007199254740993,"containers":[{"name":"a","image":"a:1"}]}}`;
    const [code] = await send(listening, 'POST', `/api/v1/namespaces/default/${resources.pods.plural}`, body);
    expect(code).toBe(201);
  });
});
