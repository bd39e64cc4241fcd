import { expect, test } from 'vitest';
import { decode } from '../../../src/api-types/codec/decode.ts';
import { structType } from '../../../src/api-types/index.ts';

const pod = structType('core.Pod');
const service = structType('core.Service');

test('decode drops zero values, except of fields that are pointers in Go', () => {
  const body = {
    kind: 'Service',
    metadata: { name: '', labels: {}, deletionGracePeriodSeconds: 0 },
    spec: { ports: [], type: null },
    status: {},
  };
  expect(decode(service, body)).toEqual({ value: { kind: 'Service', metadata: { deletionGracePeriodSeconds: 0 } }, unknown: [] });
});

test('decode replaces null by the zero value in lists and maps', () => {
  const { value } = decode(service, { metadata: { labels: { a: null }, finalizers: [null] }, spec: { ports: [null, {}] } });
  expect(value).toEqual({ metadata: { labels: { a: '' }, finalizers: [''] }, spec: { ports: [{}, {}] } });
});

test('decode lists unknown fields with their paths', () => {
  const { unknown } = decode(service, {
    nonesuch: { deep: 1 },
    Spec: {},
    spec: { ports: [{ Port: 1 }] },
    metadata: { ownerReferences: [{ x: 1 }] },
  });
  expect(unknown).toEqual(['nonesuch', 'Spec', 'spec.ports[0].Port', 'metadata.ownerReferences[0].x']);
});

test.each([
  [{ spec: { ports: 'x' } }, 'json: cannot unmarshal string into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort'],
  [
    { spec: { ports: [{ port: 1.5 }] } },
    'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    { spec: { ports: [{ protocol: 1 }] } },
    'json: cannot unmarshal number into Go struct field ServicePort.spec.ports.protocol of type v1.Protocol',
  ],
  [
    { spec: { ports: [{ targetPort: true }] } },
    'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [{ metadata: [] }, 'json: cannot unmarshal array into Go struct field Service.metadata of type v1.ObjectMeta'],
  [{ metadata: { labels: { a: 1 } } }, 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string'],
  ['x', 'json: cannot unmarshal string into Go value of type v1.Service'],
])('decode refuses %j', (body, problem) => expect(decode(service, body).problem).toBe(problem));

test('decode errors name embedded structs, and an error of a custom unmarshaler precedes all others', () => {
  const volumes = [{ name: 'a', emptyDir: 'x' }];
  expect(decode(pod, { spec: { volumes } }).problem).toMatch(/field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDir/);
  const invalidQuantity = { spec: { hostname: 5, containers: [{ resources: { limits: { cpu: 'x' } } }] } };
  expect(decode(pod, invalidQuantity).problem).toMatch(/^quantities must match/);
});

test.each([
  ['QQ', 'illegal base64 data at input byte 0'],
  ['QQ=', 'illegal base64 data at input byte 3'],
  ['QUJD*', 'illegal base64 data at input byte 4'],
])('decode refuses %s as base64', (text, problem) => {
  expect(decode(structType('core.Secret'), { data: { a: text } }).problem).toBe(problem);
});

test('decode treats __proto__ and constructor as ordinary keys, and shares nothing', () => {
  const body = JSON.parse('{"metadata":{"labels":{"__proto__":"a","constructor":"b"}},"__proto__":{"x":1}}');
  const { value, unknown } = decode(service, body);
  expect(Object.entries((value['metadata'] as { labels: object }).labels)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(unknown).toEqual(['__proto__']);
  expect(({} as { x?: number }).x).toBeUndefined();
});
