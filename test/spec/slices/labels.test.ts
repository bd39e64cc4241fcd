import { expect, it } from 'vitest';
import { managedByLabel, mirroringController, serviceNameLabel, sliceController } from '../../../src/spec/slices/metadata.ts';

it('label names and values are those of the API', () => {
  expect([serviceNameLabel, managedByLabel, sliceController, mirroringController]).toEqual([
    'kubernetes.io/service-name',
    'endpointslice.kubernetes.io/managed-by',
    'endpointslice-controller.k8s.io',
    'endpointslicemirroring-controller.k8s.io',
  ]);
});
