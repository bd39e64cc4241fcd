import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createProtobufEncoder, encodeProtobuf, encodeWatchEvent, readProtobuf } from '../../src/protobuf/index.ts';

const configMap = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion: '7' } });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Encoded by Kubernetes' own code (apimachinery 0.36.3). */
const [list, emptyList, partialList, partial, event] = [
  '6b3873000a130a027631120d436f6e6669674d61704c69737412390a0b0a00120234321a0163200312140a120a016112001a0022002a003201373800420012140a120a016212001a0022002a00320137380042001a002200',
  '6b3873000a130a027631120d436f6e6669674d61704c697374120a0a080a00120234321a001a002200',
  '6b3873000a2b0a0e6d6574612e6b38732e696f2f763112195061727469616c4f626a6563744d657461646174614c69737412360a080a00120234321a0012140a120a016112001a0022002a003201373800420012140a120a016212001a0022002a00320137380042001a002200',
  '6b3873000a270a0e6d6574612e6b38732e696f2f763112155061727469616c4f626a6563744d6574616461746112140a120a016112001a0022002a00320137380042001a002200',
  '0000003a0a05414444454412310a2f6b3873000a0f0a0276311209436f6e6669674d617012140a120a016112001a0022002a00320137380042001a002200',
];

const encoder = createProtobufEncoder();
const listKind = { apiVersion: 'v1', kind: 'ConfigMapList' };
const partialListKind = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList' };
const items = [configMap('a'), configMap('b')];

describe('the bytes are those of Kubernetes for', () => {
  test.each([
    ['a list', encoder.encodeList(listKind, { resourceVersion: '42', continue: 'c', remainingItemCount: 3 }, items), list],
    ['an empty list', encoder.encodeList(listKind, { resourceVersion: '42' }, []), emptyList],
    ['a list of metadata', encoder.encodeList(partialListKind, { resourceVersion: '42' }, items), partialList],
    ['the metadata of an object', encoder.encodePartialObject(configMap('a'), 'meta.k8s.io/v1'), partial],
    ['an event', encoder.encodeEvent({ type: 'ADDED', object: configMap('a') }), event],
    ['an event with an encoded object', encodeWatchEvent('ADDED', encodeProtobuf(configMap('a'))), event],
  ])('%s', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });
});

test('a list of metadata may have items of any kind', () => {
  const widgets = items.map((each) => ({ ...each, apiVersion: 'example.io/v1', kind: 'Widget', spec: {} }));
  expect(hex(encoder.encodeList(partialListKind, { resourceVersion: '42' }, widgets))).toBe(partialList);
});

test('a large object is encoded completely', () => {
  const data = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key-${i}`, `${i}`.repeat(5000)]));
  const object = { ...configMap('large'), data };
  expect(readProtobuf(encodeProtobuf(object), { apiVersion: 'v1', kind: 'ConfigMap' })).toEqual({ value: object });
  expect(hex(encodeProtobuf(configMap('a')))).toBe(hex(encodeProtobuf(configMap('a'))));
});

test('the bytes of a frozen object are encoded once', () => {
  let readCount = 0;
  const metadata = Object.freeze({ name: 'a' });
  const object = Object.freeze({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    get data() {
      readCount += 1;
      return {};
    },
  }) as ApiObject;
  const addedEvent = Object.freeze({ type: 'ADDED', object }) as WatchEvent;
  expect(encoder.encodeEvent(addedEvent)).toBe(encoder.encodeEvent(addedEvent));
  for (let round = 0; round < 3; round++) encoder.encodeList(listKind, {}, [object]);
  encoder.encodeObject(object);
  expect(readCount).toBe(1);
});

test('changes of an object that is not frozen are encoded', () => {
  const object = { ...configMap('a'), metadata: { name: 'a', resourceVersion: '6' } };
  encoder.encodeObject(object);
  object.metadata.resourceVersion = '7';
  expect(hex(encoder.encodeObject(object))).toBe(hex(encoder.encodeObject(configMap('a'))));
});

test('an object of a kind without protobuf form is refused', () => {
  expect(() => encoder.encodeObject({ apiVersion: 'example.io/v1', kind: 'Widget' })).toThrow(
    new TypeError('example.io/v1 Widget has no protobuf form'),
  );
});
