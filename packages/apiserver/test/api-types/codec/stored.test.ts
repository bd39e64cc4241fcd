import { describe, expect, it } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { decode } from '../../../src/api-types/codec/decode.ts';
import { encode } from '../../../src/api-types/codec/printer.ts';
import { createStoredReader } from '../../../src/api-types/codec/stored.ts';
import { structType } from '../../../src/api-types/index.ts';
import { jsonOf } from './arbitrary.ts';

const types = ['core.Service', 'core.Pod', 'core.Secret', 'core.Event', 'discovery.EndpointSlice'].map(structType);

describe('createStoredReader', () => {
  it.each(types.map((type) => [type.go, type] as const))('reads encoded objects like decode: %s', (_name, type) => {
    const read = createStoredReader(type);
    fc.assert(
      fc.property(jsonOf(type), (body) => {
        const stored = encode(type, decode(type, body).value);
        const before = JSON.stringify(stored);
        expect(JSON.stringify(read(stored))).toBe(JSON.stringify(decode(type, stored).value));
        expect(JSON.stringify(stored)).toBe(before);
      }),
    );
  });

  it('shares parts without zero values', () => {
    const stored = {
      kind: 'Service',
      metadata: { name: 'a', creationTimestamp: null, labels: { a: '' } },
      spec: {
        ports: [
          { port: 80, targetPort: 0 },
          { port: 81, targetPort: 8081 },
        ],
      },
      status: { loadBalancer: {} },
    };
    const read = createStoredReader(structType('core.Service'))(stored) as typeof stored;
    expect(read).toEqual({
      kind: 'Service',
      metadata: { name: 'a', labels: { a: '' } },
      spec: { ports: [{ port: 80 }, { port: 81, targetPort: 8081 }] },
    });
    expect(read.metadata.labels).toBe(stored.metadata.labels);
    expect(read.spec.ports[1]).toBe(stored.spec.ports[1]);
  });
});
