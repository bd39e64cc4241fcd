import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/api-types/codec/decode.ts';
import { kindType, structType } from '../../src/api-types/index.ts';
import { createProtobufReader } from '../../src/protobuf/index.ts';

interface Golden {
  readonly protobuf: string;
  readonly json: { readonly apiVersion: string; readonly kind: string };
}

/** Objects encoded by Kubernetes' own code, with every field set and with none. */
const golden = readFileSync(join(import.meta.dirname, 'objects.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden);

const read: (bytes: Uint8Array) => Promise<{ value?: Record<string, unknown>; problem?: string }> = createProtobufReader();
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** Decodes a body as the server does: zero values count as absent. */
function decodeBody(body: unknown, { apiVersion, kind }: Golden['json']): unknown {
  const type = kindType(apiVersion, kind) ?? structType(`meta.${kind}`);
  const { value, unknown, problem } = decode(type, body);
  return { value, unknown, problem };
}

describe("objects encoded by Kubernetes' clients", () => {
  test.each(golden.map((each, i) => [`${each.json.kind} with ${i < golden.length / 2 ? 'every' : 'no'} field`, each] as const))(
    'the body of a %s is decoded',
    async (_, each) => {
      const result = await read(bytesOf(each.protobuf));
      expect(result.problem).toBeUndefined();
      expect(decodeBody(result.value, each.json)).toEqual(decodeBody(each.json, each.json));
      expect(decodeBody(result.value, each.json)).toMatchObject({ unknown: [], problem: undefined });
    },
  );

  test('map keys such as __proto__ are data', async () => {
    const { value } = await read(bytesOf(golden.find(({ json }) => json.kind === 'ConfigMap')?.protobuf ?? ''));
    expect(Object.keys(value?.['data'] as object)).toContain('__proto__');
    expect(Object.getPrototypeOf(value?.['data'])).toBe(Object.prototype);
  });
});

describe('an unreadable body', () => {
  const configMap = bytesOf(golden.find(({ json }) => json.kind === 'ConfigMap')?.protobuf ?? '');

  test('is refused without the protobuf prefix', async () => {
    expect(await read(new TextEncoder().encode('{"kind": "Pod"}'))).toEqual({
      problem: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    });
    expect((await read(new Uint8Array())).problem).toMatch(/expected prefix/);
  });

  test('is refused for an unknown kind', async () => {
    const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x0a, 0x0a, 0x0a, 2, 0x76, 0x31, 0x12, 4, 0x4e, 0x6f, 0x6e, 0x65]);
    expect(await read(bytes)).toEqual({ problem: 'no kind "None" is registered for version "v1"' });
  });

  test('is refused if truncated', async () => {
    for (let end = 40; end < configMap.length - 8; end += 7) {
      expect((await read(configMap.subarray(0, end))).problem).toMatch(/^proto: /);
    }
  });

  test('yields either a value or a problem for random bytes', async () => {
    // A Lehmer generator, so that every run has the same bytes.
    let state = 1;
    const draw = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
    for (let round = 0; round < 2000; round++) {
      const bytes = Uint8Array.from(configMap);
      for (let change = 0; change < 3; change++) bytes[4 + (draw() % (bytes.length - 4))] = draw() % 256;
      const { problem, value } = await read(bytes);
      expect(problem === undefined).toBe(value !== undefined);
    }
  });
});
