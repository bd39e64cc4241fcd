import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/api-types/codec/decode.ts';
import { findType, kindType, type StructType } from '../../src/api-types/index.ts';
import { encodeProtobuf, readProtobuf } from '../../src/protobuf/index.ts';

interface Golden {
  readonly protobuf: string;
  readonly json: { readonly apiVersion: string; readonly kind: string };
}

/** Objects of all kinds encoded by Kubernetes' own code, with every field set and with none. */
const golden = readFileSync(join(import.meta.dirname, 'objects.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden);
const named = golden.map(
  (each, i) => [`${each.json.apiVersion} ${each.json.kind} with ${i < golden.length / 2 ? 'every' : 'no'} field`, each] as const,
);

const noKind = { apiVersion: '', kind: '' };
const bytesOf = ({ protobuf }: Golden): Uint8Array => new Uint8Array(Buffer.from(protobuf, 'base64'));
const goldenOf = (kind: string): Golden => golden.find(({ json }) => json.kind === kind) as Golden;
const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function readValue(bytes: Uint8Array): Record<string, unknown> {
  const body = readProtobuf(bytes, noKind);
  if ('problem' in body || body.contentProblem !== undefined) throw new Error(JSON.stringify(body));
  return body.value;
}

const prefix = (): number[] => [0x6b, 0x38, 0x73, 0];
const text = (value: string): number[] => [...Buffer.from(value)];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

const tag = (number: number, wire: number): number[] => varint(number * 8 + wire);
const field = (number: number, content: readonly number[]): number[] => [...tag(number, 2), ...varint(content.length), ...content];

const bodyOf = (kind: string, content: readonly number[], apiVersion = 'v1'): Uint8Array =>
  Uint8Array.from([...prefix(), ...field(1, [...field(1, text(apiVersion)), ...field(2, text(kind))]), ...field(2, content)]);

/** Decodes a body as the server does: zero values count as absent. */
function decodeBody(body: unknown, { apiVersion, kind }: Golden['json']): unknown {
  const type = (kindType(apiVersion, kind) ?? findType(`meta.${kind}`)) as StructType;
  const { value, unknown, problem } = decode(type, body);
  return { value, unknown, problem };
}

describe.each(named)('%s', (_, each) => {
  test('is decoded like its JSON', () => {
    expect(decodeBody(readValue(bytesOf(each)), each.json)).toStrictEqual(decodeBody(each.json, each.json));
    expect(decodeBody(readValue(bytesOf(each)), each.json)).toMatchObject({ unknown: [], problem: undefined });
  });

  test("is encoded like by Kubernetes' own code", () => {
    expect(toBase64(encodeProtobuf(each.json))).toBe(each.protobuf);
    expect(toBase64(encodeProtobuf(readValue(bytesOf(each))))).toBe(each.protobuf);
  });
});

test('map keys such as __proto__ are data', () => {
  const { data } = readValue(bytesOf(goldenOf('ConfigMap'))) as { readonly data: object };
  expect(Object.keys(data)).toContain('__proto__');
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
});

describe('integers', () => {
  const encode = (terminationGracePeriodSeconds: unknown): Uint8Array =>
    encodeProtobuf({ apiVersion: 'v1', kind: 'Pod', ...{ spec: { terminationGracePeriodSeconds } } });
  const graceOf = (bytes: Uint8Array): unknown => (readValue(bytes)['spec'] as Record<string, unknown>)['terminationGracePeriodSeconds'];

  test.each([0, 1, 127, 128, 2 ** 31, 2 ** 53 - 1, -1, -(2 ** 31), -(2 ** 53) + 1])('%d is read as it was written', (value) => {
    expect(graceOf(encode(value))).toBe(value);
  });

  test.each([
    [2n ** 63n - 1n, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    [-(2n ** 63n), [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]],
    [2n ** 53n + 1n, [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]],
  ])('the BigInt %s is written exactly', (value, varint) => {
    expect(Buffer.from(encode(value)).includes(Buffer.from([0x20, ...varint]))).toBe(true);
  });

  test('are read if they are packed into one value', () => {
    const securityContext = field(14, field(4, [1, 0x80, 1]));
    expect(readValue(bodyOf('Pod', field(2, securityContext)))).toMatchObject({
      spec: { securityContext: { supplementalGroups: [1, 128] } },
    });
  });
});

describe('a body', () => {
  test('gets the default kind and apiVersion if it has none, or an apiVersion that cannot be parsed', () => {
    const defaultKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const content = field(2, field(1, field(1, text('web'))));
    const expected = { value: { metadata: { name: 'web' }, ...defaultKind } };
    expect(readProtobuf(Uint8Array.from([...prefix(), ...content]), defaultKind)).toStrictEqual(expected);
    expect(readProtobuf(Uint8Array.from([...prefix(), ...field(1, field(1, text('a/b/c'))), ...content]), defaultKind)).toStrictEqual(
      expected,
    );
  });

  test('of an unknown kind is not read', () => {
    expect(readProtobuf(bodyOf('None', [0xff]), noKind)).toStrictEqual({ value: { apiVersion: 'v1', kind: 'None' } });
  });

  test('may contain unknown fields', () => {
    const unknownFields = [...field(1000, [1]), ...tag(1001, 0), 5, ...tag(1002, 3), ...tag(1, 0), 7, ...tag(1002, 4)];
    expect(readValue(bodyOf('ConfigMap', [...unknownFields, ...field(1, field(1, text('web')))]))).toStrictEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web' },
    });
  });

  test.each([
    [[], 'empty data'],
    [text('{}'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    [prefix(), 'empty body'],
    [[...prefix(), 0x0a, 0x10, 0x0a], 'unexpected EOF'],
    [[...prefix(), 0x08, 1], 'proto: wrong wireType = 0 for field TypeMeta'],
    [[...prefix(), ...field(1, [0x10, 1])], 'proto: wrong wireType = 0 for field Kind'],
  ])('%j is refused: %s', (bytes, problem) => {
    expect(readProtobuf(Uint8Array.from(bytes), noKind)).toStrictEqual({ problem });
  });

  test.each([
    [[0x0a, 5, 0x0a], 'unexpected EOF'],
    [[0x0a, 0x80], 'unexpected EOF'],
    [[0x08, 5], 'proto: wrong wireType = 0 for field ObjectMeta'],
    [[...field(1, [0x28, 1])], 'proto: wrong wireType = 0 for field UID'],
    [[0x0c], 'proto: ConfigMap: wiretype end group for non-group'],
    [[0x02, 0], 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
    [[0xa7, 1], 'proto: illegal wireType 7'],
    [[0xa3, 1], 'unexpected EOF'],
    [Array(11).fill(0xff), 'proto: integer overflow'],
    [[0x0a, ...Array(9).fill(0xff), 1], 'proto: negative length found during unmarshaling'],
    [[...field(1, field(8, field(1, [1])))], 'proto: wrong wireType = 2 for field Seconds'],
    [[...field(1, field(17, field(7, field(1, text('{"a"}')))))], "invalid character '}' after object key"],
  ])('with the content %j is refused: %s', (content, contentProblem) => {
    expect(readProtobuf(bodyOf('ConfigMap', content), noKind)).toStrictEqual({
      value: { apiVersion: 'v1', kind: 'ConfigMap' },
      contentProblem,
    });
  });

  test('is refused if its messages are nested too deeply', () => {
    let schema: number[] = [];
    for (let depth = 0; depth < 2000; depth++) schema = field(28, schema);
    const versions = field(7, field(4, field(1, schema)));
    const body = bodyOf('CustomResourceDefinition', field(2, versions), 'apiextensions.k8s.io/v1');
    expect(readProtobuf(body, noKind)).toMatchObject({ contentProblem: 'exceeded max depth' });
  });

  test('is either read or refused if some of its bytes are random', () => {
    // A Lehmer generator, so that every run has the same bytes.
    let state = 1;
    const draw = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
    for (let round = 0; round < 5000; round++) {
      const bytes = bytesOf(golden[draw() % golden.length] as Golden);
      for (let change = 0; change < 3; change++) bytes[4 + (draw() % (bytes.length - 4))] = draw() % 256;
      expect(Object.keys(readProtobuf(bytes, noKind))).toContainEqual(expect.stringMatching(/value|problem/));
    }
  });
});
