import { describe, expect, it, test } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { decode } from '../../../src/api-types/codec/decode.ts';
import { createFastPrinter, encode } from '../../../src/api-types/codec/printer.ts';
import { structType } from '../../../src/api-types/index.ts';
import { jsonOf } from './arbitrary.ts';

const types = ['core.Service', 'core.Pod', 'core.Event', 'discovery.EndpointSlice'].map(structType);

describe('createFastPrinter', () => {
  it.each(types.map((type) => [type.go, type] as const))('prints %s like encode', (_name, type) => {
    const print = createFastPrinter(type);
    fc.assert(
      fc.property(jsonOf(type), (body) => {
        const { value } = decode(type, body);
        const originalValue = structuredClone(value);
        expect(JSON.stringify(print(value))).toBe(JSON.stringify(encode(type, value)));
        expect(value).toEqual(originalValue);
      }),
    );
  });

  it('restores the order of fields', () => {
    const service = { spec: { type: 'ClusterIP', ports: [{ port: 80, name: 'http' }] }, kind: 'Service' };
    expect(JSON.stringify(createFastPrinter(structType('core.Service'))(service))).toBe(
      JSON.stringify(encode(structType('core.Service'), service)),
    );
  });

  it('shares unchanged parts, but not the object itself', () => {
    const print = createFastPrinter(structType('core.ConfigMap'));
    const value = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', labels: { a: 'b' } }, data: { a: '1' } };
    const printed = print(value) as typeof value;
    expect(printed).toEqual(value);
    expect(printed).not.toBe(value);
    expect([printed.data, printed.metadata.labels]).toEqual([value.data, value.metadata.labels]);
    expect(printed.data).toBe(value.data);
  });

  it('omits undefined fields', () => {
    const print = createFastPrinter(structType('core.ConfigMap'));
    expect(Object.keys(print({ kind: 'ConfigMap', immutable: undefined, data: {} }))).not.toContain('immutable');
  });
});

test('encode prints zero values without omitempty in the order of Go', () => {
  const event = encode(structType('core.Event'), { type: 'Normal', metadata: { name: 'a' } });
  expect(JSON.stringify(event)).toBe(
    '{"metadata":{"name":"a"},"involvedObject":{},"source":{},"firstTimestamp":null,"lastTimestamp":null,"type":"Normal",' +
      '"eventTime":null,"reportingComponent":"","reportingInstance":""}',
  );
});

test('encode prints absent required lists as null', () => {
  const slice = encode(structType('discovery.EndpointSlice'), { endpoints: [{ addresses: ['10.0.0.1'] }] });
  expect(slice).toEqual({ metadata: {}, addressType: '', endpoints: [{ addresses: ['10.0.0.1'], conditions: {} }], ports: null });
});

test('encode prints values in maps and behind pointers', () => {
  const pod = encode(structType('core.Pod'), {
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }], securityContext: {} },
  });
  expect(pod).toEqual({
    metadata: {},
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }], securityContext: {} },
    status: {},
  });
});
