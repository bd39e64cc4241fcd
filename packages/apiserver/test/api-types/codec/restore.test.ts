import { expect, test } from 'vitest';
import { findConversionProblem } from '../../../src/api-types/codec/restore.ts';
import { structType } from '../../../src/api-types/index.ts';

const service = structType('core.Service');
const configMap = structType('core.ConfigMap');
const node = structType('core.Node');

test.each([
  [configMap, { data: { a: 5 } }, 'cannot convert int64 to string'],
  [configMap, { data: { a: 5.5 } }, 'unrecognized type: string'],
  [configMap, { data: { b: true, a: {} } }, 'unrecognized type: string'],
  [configMap, { data: [1] }, 'cannot restore map from slice'],
  [configMap, { immutable: 'yes' }, 'unrecognized type: bool'],
  [configMap, { binaryData: { a: '!!' } }, 'error decoding from json: illegal base64 data at input byte 0'],
  [configMap, { binaryData: { a: 1 } }, 'cannot restore slice from int64'],
  [configMap, { metadata: 1.5 }, 'cannot restore struct from: float64'],
  [configMap, { metadata: { generation: 'x' } }, 'unrecognized type: int64'],
  [configMap, { metadata: { generation: 1.5 } }, 'cannot convert float64 to int64'],
  [configMap, { metadata: { finalizers: ['a', 5] } }, 'cannot convert int64 to string'],
  [configMap, { metadata: { creationTimestamp: 5 } }, 'json: cannot unmarshal number into Go value of type string'],
  [service, { spec: true }, 'cannot restore struct from: bool'],
  [service, { spec: { ports: [{ port: '81' }] } }, 'unrecognized type: int32'],
  [service, { spec: { ports: [{ protocol: 5 }] } }, 'cannot convert int64 to v1.Protocol'],
  [service, { spec: { ports: [{ targetPort: true }] } }, 'json: cannot unmarshal bool into Go value of type int32'],
  [service, { spec: { clusterIPs: 'x' } }, 'cannot restore slice from string'],
  [service, { spec: { sessionAffinityConfig: [] } }, 'cannot restore struct from: slice'],
  [
    node,
    { status: { capacity: { cpu: 'many' } } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
])('findRestoreProblem returns the error of Kubernetes, case %#', (type, value, problem) =>
  expect(findConversionProblem(type, value)).toBe(problem),
);

test('findRestoreProblem accepts fitting values, null and unknown fields', () => {
  const value = { spec: { ports: [{ port: 80, targetPort: 'web', name: null }], type: undefined, other: 1 }, status: null };
  expect(findConversionProblem(service, value)).toBeUndefined();
  expect(findConversionProblem(configMap, { binaryData: { a: 'AQ==', b: [1] }, metadata: { labels: {} } })).toBeUndefined();
});
