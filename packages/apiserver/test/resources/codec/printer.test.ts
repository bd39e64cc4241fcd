import { describe, expect, it } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { decode } from '../../../src/resources/codec/decode.ts';
import { encode } from '../../../src/resources/codec/encode.ts';
import { createFastPrinter } from '../../../src/resources/codec/printer.ts';
import { structType } from '../../../src/resources/schema/index.ts';
import { jsonOf } from './arbitrary.ts';

const types = ['core.Service', 'core.Pod', 'core.Event', 'discovery.EndpointSlice'].map(structType);

describe('createFastPrinter', () => {
  it.each(types.map((type) => [type.go, type] as const))('prints as the plain printer does: %s', (_name, type) => {
    const print = createFastPrinter(type);
    fc.assert(
      fc.property(jsonOf(type), (body) => {
        const { value } = decode(type, body);
        const before = structuredClone(value);
        expect(JSON.stringify(print(value))).toBe(JSON.stringify(encode(type, value)));
        expect(value).toEqual(before);
      }),
    );
  });

  it('puts what was added out of order in its place', () => {
    const service = { spec: { type: 'ClusterIP', ports: [{ port: 80, name: 'http' }] }, kind: 'Service' };
    expect(JSON.stringify(createFastPrinter(structType('core.Service'))(service))).toBe(
      JSON.stringify(encode(structType('core.Service'), service)),
    );
  });

  it('shares what is printed as it stands, but not the object itself', () => {
    const print = createFastPrinter(structType('core.ConfigMap'));
    const value = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', labels: { a: 'b' } }, data: { a: '1' } };
    const printed = print(value) as typeof value;
    expect(printed).toEqual(value);
    expect(printed).not.toBe(value);
    expect([printed.data, printed.metadata.labels]).toEqual([value.data, value.metadata.labels]);
    expect(printed.data).toBe(value.data);
  });

  it('leaves out what is undefined', () => {
    const print = createFastPrinter(structType('core.ConfigMap'));
    expect(Object.keys(print({ kind: 'ConfigMap', immutable: undefined, data: {} }))).not.toContain('immutable');
  });
});
