import { type ClientPort, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { type ControllersOptions, createSetup } from '../../src/controllers/options.ts';

const setup = (options: Partial<ControllersOptions> = {}) => createSetup({ port: {} as ClientPort, ...options });

test('omitted options have defaults', () => {
  expect(setup()).toMatchObject({
    controllers: ['endpoints', 'endpointslices', 'endpointslicemirroring'],
    mirroring: { workers: 5, maxEndpointsPerSubset: 1000, batchPeriod: 0 },
    workers: 5,
    maxEndpointsPerSlice: 100,
    batchPeriod: 0,
    maxRetries: 15,
    dryRun: false,
    withPods: true,
  });
  expect(setup({ version: '1.20' }).controllers).toEqual(['endpoints']);
});

test.each<[Partial<ControllersOptions>, RegExp]>([
  [{ workers: 0 }, /workers is 0/],
  [{ workers: 1.5 }, /workers/],
  [{ batchPeriod: -1 }, /batchPeriod is -1/],
  [{ batchPeriod: 100, version: '1.15.12' }, /batchPeriod is 100: .* 1\.15\.12 .* give 0/],
  [{ minIndexedPods: -1 }, /minIndexedPods is -1/],
  [{ maxRetries: Number.NaN }, /maxRetries is NaN/],
  [{ maxEndpointsPerSlice: 1001 }, /maxEndpointsPerSlice/],
  [{ version: '1.8' }, /1\.8/],
  [{ controllers: [] }, /controllers is \[\]/],
  [{ controllers: ['mirroring' as 'endpoints'] }, /mirroring/],
  [{ controllers: ['endpointslices'], version: '1.20' }, /1\.20.* alone/],
  [{ controllers: ['endpoints', 'endpointslicemirroring'], version: '1.20' }, /1\.20.* alone/],
  [{ mirroring: { workers: 0 } }, /mirroring\.workers is 0/],
  [{ mirroring: { maxEndpointsPerSubset: 1001 } }, /mirroring\.maxEndpointsPerSubset: 1001/],
  [{ mirroring: { batchPeriod: -1 } }, /mirroring\.batchPeriod is -1/],
  [{ workloads: { resource: resources.pods, toPod: () => undefined, withPods: true } }, /workloads\.withPods is true/],
])('createSetup rejects %o', (options, message) => {
  expect(() => setup(options)).toThrow(message);
  expect(() => setup(options)).toThrow(RangeError);
});
