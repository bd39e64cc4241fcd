import { expect, test } from 'vitest';
import type { Document } from '../../src/openapi/document.ts';
import { encodePart, encodeVersionTwo, joinParts } from '../../src/openapi/version-2-protobuf.ts';

/** Decodes a message into the bytes of its fields, by field number. */
function fieldsOf(message: Uint8Array): ReadonlyMap<number, readonly Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  let offset = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[offset++] as number;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  while (offset < message.length) {
    const key = readVarint();
    const wireType = key & 7;
    const length = wireType === 2 ? readVarint() : wireType === 1 ? 8 : 0;
    const start = offset;
    if (wireType === 0) readVarint();
    else offset += length;
    fields.set(key >>> 3, [...(fields.get(key >>> 3) ?? []), message.subarray(start, offset)]);
  }
  return fields;
}

/** Returns the string in the only field at a path of field numbers, which are those of gnostic's OpenAPIv2.proto. */
function textAt(message: Uint8Array, ...path: readonly number[]): string {
  let currentMessage = message;
  for (const number of path) {
    const [field, ...others] = fieldsOf(currentMessage).get(number) ?? [];
    if (!field || others.length > 0) throw new Error(`not one field ${number}, but ${field ? others.length + 1 : 0}`);
    currentMessage = field;
  }
  return Buffer.from(currentMessage).toString();
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

const encode = (document: object): Uint8Array =>
  encodeVersionTwo({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' }, paths: {}, definitions: {}, ...document });

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
  const patchPath = [8, 2, 2, 8] as const;
  expect(textAt(document, ...patchPath, 1)).toBe('core_v1');
  expect(textAt(document, ...patchPath, 5)).toBe('patchCoreV1NamespacedService');
  expect(textAt(document, ...patchPath, 6)).toBe('application/json');
  expect(textAt(document, ...patchPath, 7)).toBe('application/json-patch+json');
  expect(textAt(document, ...patchPath, 10)).toBe('https');
  expect(textAt(document, ...patchPath, 8, 1, 1, 2)).toBe('body');
  expect(textAt(document, ...patchPath, 8, 1, 1, 5, 1)).toBe('#/definitions/Patch');
  expect(textAt(document, ...patchPath, 9, 1, 1)).toBe('200');
  expect(textAt(document, ...patchPath, 9, 1, 2, 1, 2, 1, 1)).toBe('#/definitions/Service');
  expect(textAt(document, ...patchPath, 13, 1)).toBe('x-kubernetes-group-version-kind');
  expect(textAt(document, ...patchPath, 13, 2, 2)).toBe('{"group":"","version":"v1","kind":"Service"}');
});

test('query and path parameters are encoded in their own fields', () => {
  const queryDocument = encode({
    paths: { '/x': { parameters: [{ name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true }] } },
  });
  expect(textAt(queryDocument, 8, 2, 2, 9, 1, 2, 3, 4)).toBe('fieldValidation');
  expect(textAt(queryDocument, 8, 2, 2, 9, 1, 2, 3, 6)).toBe('string');
  const pathDocument = encode({ paths: { '/x': { parameters: [{ name: 'name', in: 'path', required: true, type: 'string' }] } } });
  expect(textAt(pathDocument, 8, 2, 2, 9, 1, 2, 4, 4)).toBe('name');
  expect(textAt(pathDocument, 8, 2, 2, 9, 1, 2, 4, 5)).toBe('string');
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
  const partPath = [9, 1, 2] as const;
  expect(textAt(document, ...partPath, 4)).toBe('A part.');
  expect(textAt(document, ...partPath, 22, 1)).toBe('object');
  expect(textAt(document, ...partPath, 19)).toBe('ids');
  expect(textAt(document, ...partPath, 21, 1, 2)).toBe('int32');
  const idsPath = [...partPath, 25, 1] as const;
  expect(textAt(document, ...idsPath, 1)).toBe('ids');
  expect(textAt(document, ...idsPath, 2, 23, 1, 22, 1)).toBe('string');
  expect(textAt(document, ...idsPath, 2, 23, 1, 20, 2)).toBe('"a"');
  expect(textAt(document, ...idsPath, 2, 31, 1)).toBe('x-kubernetes-list-type');
});

test('a boolean additionalProperties is encoded as a flag', () => {
  const document = encode({ definitions: { Free: { type: 'object', additionalProperties: true } } });
  expect(textAt(document, 9, 1, 2, 21, 2)).toBe('\u0001');
});

test('parts are joined to one document, with shared definitions once', () => {
  const createThingDocument = (group: string): Document => ({
    paths: { [`/apis/${group}/v1/things`]: { parameters: [] } },
    schemas: { [`${group}.Thing`]: { type: 'object' }, 'io.k8s.Meta': { type: 'object', description: 'A shared type.' } },
  });
  const document = joinParts(['a', 'b'].map((group) => encodePart(createThingDocument(group))));
  expect(textAt(document, 1)).toBe('2.0');
  const fields = fieldsOf(document);
  expect(fields.get(8)?.map((paths) => textAt(paths, 2, 1))).toEqual(['/apis/a/v1/things', '/apis/b/v1/things']);
  const names = (fields.get(9) ?? []).flatMap((definitions) => (fieldsOf(definitions).get(1) ?? []).map((entry) => textAt(entry, 1)));
  expect(names).toEqual(['a.Thing', 'b.Thing', 'io.k8s.Meta']);
});
