import { expect, test } from 'vitest';
import { computeInputSlices, createComputedSlicesHint } from '../../src/input/computed-slices.ts';
import { endpoints, inventoryOf, pod, service } from '../objects.ts';

const summarizeComputedSlices = (inventory: Parameters<typeof computeInputSlices>[0]) =>
  computeInputSlices(inventory, { version: '1.36' }).map(({ metadata, endpoints: sliceEndpoints }) => [
    `${metadata?.namespace}/${metadata?.name}`,
    metadata?.labels?.['kubernetes.io/service-name'],
    ...(sliceEndpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
  ]);

const web = service('web', { selector: { app: 'web' }, clusterIP: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] });
const manual = service('db', { selector: null, clusterIP: 'None', ports: [{ port: 5432 }] });

test('slices are computed from the pods of each Service, and have names', () => {
  const inventory = inventoryOf({ services: [web], pods: [pod('a', 'web', '10.0.0.1'), pod('b', 'other', '10.0.0.2')] });
  expect(summarizeComputedSlices(inventory)).toEqual([['shop/web-1', 'web', '10.0.0.1']]);
});

test('slices are mirrored from user-written Endpoints', () => {
  const inventory = inventoryOf({
    services: [manual],
    endpoints: [endpoints('db', [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ port: 5432, protocol: 'TCP' }] }])],
  });
  expect(summarizeComputedSlices(inventory)).toEqual([['shop/db-1', 'db', '10.9.0.1']]);
});

test('the hint about computed slices names the release', () => {
  expect(createComputedSlicesHint('1.36')).toContain('what Kubernetes 1.36 writes');
});
