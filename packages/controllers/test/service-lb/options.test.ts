import type { ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createServiceLoadBalancer } from '../../src/service-lb/index.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createCloud } from './cloud.ts';

const port = { list() {}, watch() {} } as unknown as ClientPort;
const cloud = createCloud();

test('createSetup applies defaults for omitted options', () => {
  expect(createSetup({ port, cloud })).toMatchObject({
    clusterName: 'kubernetes',
    namespace: undefined,
    workers: 1,
    dryRun: false,
    cloudTimeout: 300_000,
    orphanSweep: 600_000,
    balancers: cloud.balancers,
  });
  expect(createSetup({ port, cloud, version: '1.20' }).planner.nodeSyncPeriod).toBe(100_000);
});

test.each<[string, object]>([
  ['cloud is missing: without it, Services of type LoadBalancer get no load balancer; give a CloudPort', { cloud: undefined }],
  ['cloud is "x", which has no load balancers: give another one', { cloud: { name: 'x', balancers: undefined } }],
  ['cloud is "x", whose balancers have no function update, delete: give', { cloud: { name: 'x', balancers: { get() {}, ensure() {} } } }],
  ['clusterName is empty', { clusterName: '' }],
  ['clusterName is 5: give a string', { clusterName: 5 }],
  ['namespace is 5: give', { namespace: 5 }],
  ['port is undefined: give', { port: undefined }],
  ['workers is 0: give a whole number of at least 1', { workers: 0 }],
  ['cloudTimeout is 1.5: give a whole number of at least 1', { cloudTimeout: 1.5 }],
  ['orphanSweep is -1: give a whole number of at least 1', { orphanSweep: -1 }],
  ['version', { version: '1.8' }],
])('createServiceLoadBalancer throws a RangeError: %s', (message, options) => {
  const createController = (): unknown => createServiceLoadBalancer({ port, cloud, ...options });
  expect(createController).toThrow(RangeError);
  expect(createController).toThrow(message);
});
