import { expect, test } from 'vitest';
import { encode } from '../../../src/resources/codec/encode.ts';
import { structType } from '../../../src/resources/schema/index.ts';

test('prints the zeros that Go does not leave out, in its order', () => {
  const event = encode(structType('core.Event'), { type: 'Normal', metadata: { name: 'a' } });
  expect(JSON.stringify(event)).toBe(
    '{"metadata":{"name":"a"},"involvedObject":{},"source":{},"firstTimestamp":null,"lastTimestamp":null,"type":"Normal",' +
      '"eventTime":null,"reportingComponent":"","reportingInstance":""}',
  );
});

test('prints lists that are needed and not there as null', () => {
  const slice = encode(structType('discovery.EndpointSlice'), { endpoints: [{ addresses: ['10.0.0.1'] }] });
  expect(slice).toEqual({ metadata: {}, addressType: '', endpoints: [{ addresses: ['10.0.0.1'], conditions: {} }], ports: null });
});

test('prints what is within maps and behind pointers', () => {
  const pod = encode(structType('core.Pod'), {
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }], securityContext: {} },
  });
  expect(pod).toEqual({
    metadata: {},
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }], securityContext: {} },
    status: {},
  });
});
