import { expect, test } from 'vitest';
import type { Document } from '../../src/openapi/document.ts';
import { joined, partOf, versionTwoProtobuf } from '../../src/openapi/version-2-protobuf.ts';

/** The bytes of the fields of a message, by field number. */
function fieldsOf(message: Uint8Array): ReadonlyMap<number, readonly Uint8Array[]> {
  const found = new Map<number, Uint8Array[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] as number;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key & 7;
    const length = wire === 2 ? varint() : wire === 1 ? 8 : 0;
    const start = at;
    if (wire === 0) varint();
    else at += length;
    found.set(key >>> 3, [...(found.get(key >>> 3) ?? []), message.subarray(start, at)]);
  }
  return found;
}

/** The string in the only field at a path of field numbers. */
function textAt(message: Uint8Array, ...way: readonly number[]): string {
  let current = message;
  for (const number of way) {
    const [only, ...others] = fieldsOf(current).get(number) ?? [];
    if (!only || others.length > 0) throw new Error(`not one field ${number}, but ${only ? others.length + 1 : 0}`);
    current = only;
  }
  return Buffer.from(current).toString();
}

const operation = {
  tags: ['core_v1'],
  operationId: 'patchCoreV1NamespacedService',
  consumes: ['application/json-patch+json'],
  produces: ['application/json'],
  schemes: ['https'],
  parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Patch' } }],
  responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/Service' } } },
  'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Service' },
};

const encode = (parts: object): Uint8Array =>
  versionTwoProtobuf({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' }, paths: {}, definitions: {}, ...parts });

test('a document is encoded with version, info and security', () => {
  const document = encode({ security: [{ BearerToken: [] }] });
  expect(textAt(document, 1)).toBe('2.0');
  expect(textAt(document, 2, 1)).toBe('Kubernetes');
  expect(textAt(document, 2, 2)).toBe('1.36');
  expect(textAt(document, 12, 1, 1)).toBe('BearerToken');
});

test('an operation is encoded with its body and responses', () => {
  const document = encode({ paths: { '/api/v1/services/{name}': { patch: operation } } });
  expect(textAt(document, 8, 2, 1)).toBe('/api/v1/services/{name}');
  const patch = [8, 2, 2, 8] as const;
  expect(textAt(document, ...patch, 1)).toBe('core_v1');
  expect(textAt(document, ...patch, 5)).toBe('patchCoreV1NamespacedService');
  expect(textAt(document, ...patch, 6)).toBe('application/json');
  expect(textAt(document, ...patch, 7)).toBe('application/json-patch+json');
  expect(textAt(document, ...patch, 10)).toBe('https');
  expect(textAt(document, ...patch, 8, 1, 1, 2)).toBe('body');
  expect(textAt(document, ...patch, 8, 1, 1, 5, 1)).toBe('#/definitions/Patch');
  expect(textAt(document, ...patch, 9, 1, 1)).toBe('200');
  expect(textAt(document, ...patch, 9, 1, 2, 1, 2, 1, 1)).toBe('#/definitions/Service');
  expect(textAt(document, ...patch, 13, 1)).toBe('x-kubernetes-group-version-kind');
  expect(textAt(document, ...patch, 13, 2, 2)).toBe('{"group":"","version":"v1","kind":"Service"}');
});

test('query and path parameters are encoded in their own fields', () => {
  const inQuery = encode({
    paths: { '/x': { parameters: [{ name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true }] } },
  });
  expect(textAt(inQuery, 8, 2, 2, 9, 1, 2, 3, 4)).toBe('fieldValidation');
  expect(textAt(inQuery, 8, 2, 2, 9, 1, 2, 3, 6)).toBe('string');
  const inPath = encode({ paths: { '/x': { parameters: [{ name: 'name', in: 'path', required: true, type: 'string' }] } } });
  expect(textAt(inPath, 8, 2, 2, 9, 1, 2, 4, 4)).toBe('name');
  expect(textAt(inPath, 8, 2, 2, 9, 1, 2, 4, 5)).toBe('string');
});

test('a definition is encoded with its properties', () => {
  const document = encode({
    definitions: {
      Part: {
        description: 'A part.',
        type: 'object',
        required: ['ids'],
        properties: { ids: { type: 'array', items: { type: 'string', enum: ['a'] }, 'x-kubernetes-list-type': 'set' } },
        additionalProperties: { type: 'integer', format: 'int32' },
      },
    },
  });
  expect(textAt(document, 9, 1, 1)).toBe('Part');
  const part = [9, 1, 2] as const;
  expect(textAt(document, ...part, 4)).toBe('A part.');
  expect(textAt(document, ...part, 22, 1)).toBe('object');
  expect(textAt(document, ...part, 19)).toBe('ids');
  expect(textAt(document, ...part, 21, 1, 2)).toBe('int32');
  const ids = [...part, 25, 1] as const;
  expect(textAt(document, ...ids, 1)).toBe('ids');
  expect(textAt(document, ...ids, 2, 23, 1, 22, 1)).toBe('string');
  expect(textAt(document, ...ids, 2, 23, 1, 20, 2)).toBe('"a"');
  expect(textAt(document, ...ids, 2, 31, 1)).toBe('x-kubernetes-list-type');
});

test('a boolean additionalProperties is encoded as a flag', () => {
  const document = encode({ definitions: { Free: { type: 'object', additionalProperties: true } } });
  expect(textAt(document, 9, 1, 2, 21, 2)).toBe('\u0001');
});

test('parts are joined to one document, with shared definitions once', () => {
  const documentOf = (group: string): Document => ({
    paths: { [`/apis/${group}/v1/things`]: { parameters: [] } },
    schemas: { [`${group}.Thing`]: { type: 'object' }, 'io.k8s.Meta': { type: 'object', description: 'Everybody has it.' } },
  });
  const document = joined(['a', 'b'].map((group) => partOf(documentOf(group))));
  expect(textAt(document, 1)).toBe('2.0');
  const fields = fieldsOf(document);
  expect(fields.get(8)?.map((paths) => textAt(paths, 2, 1))).toEqual(['/apis/a/v1/things', '/apis/b/v1/things']);
  const names = (fields.get(9) ?? []).flatMap((definitions) => (fieldsOf(definitions).get(1) ?? []).map((entry) => textAt(entry, 1)));
  expect(names).toEqual(['a.Thing', 'b.Thing', 'io.k8s.Meta']);
});
