import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createInternTable } from '../../src/cache/index.ts';
import { projectBalancedNode, projectBalancedService } from '../../src/service-lb/caches.ts';
import { loadBalancerService, makeNode } from './fixture.ts';

const table = createInternTable();
const project = (service: ApiObject): unknown =>
  projectBalancedService({ ...service, metadata: { ...service.metadata, uid: 'u', resourceVersion: '7' } }, table);

describe('the projection of a Service', () => {
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  test.each<[string, ApiObject]>([
    ['of type LoadBalancer', loadBalancerService('web')],
    ['of another loadBalancerClass', loadBalancerService('web', { loadBalancerClass: 'example.com/other' })],
    ['with the cleanup finalizer', loadBalancerService('web', { type: 'ClusterIP' }, { finalizers })],
    ['with an address in its status', { ...loadBalancerService('web', { type: 'ClusterIP' }), status }],
  ])('%s keeps everything except managedFields', (_, service) => {
    const serviceWithMetadata = { ...service, metadata: { ...service.metadata, annotations: { a: 'b' }, managedFields: [{}] } };
    const { managedFields, ...metadata } = { ...serviceWithMetadata.metadata, uid: 'u', resourceVersion: '7' };
    expect(managedFields).toHaveLength(1);
    expect(project(serviceWithMetadata)).toEqual({ metadata, spec: service['spec'], status: service['status'] });
  });

  test('without a load balancer keeps only metadata and type, and is marked as partial', () => {
    expect(project(loadBalancerService('web', { type: 'NodePort' }, { annotations: { a: 'b' } }))).toEqual({
      metadata: { namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '7' },
      spec: { type: 'NodePort' },
      partial: true,
    });
    expect(project({ metadata: { namespace: 'shop', name: 'web' } })).toMatchObject({ partial: true });
  });
});

test('the projection of a node keeps the fields that clouds and the planner read', () => {
  const node = makeNode('n1', { labels: { zone: 'a' }, spec: { providerID: 'p://1', taints: [{ key: 'k', effect: 'NoSchedule' }] } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    conditions: [
      { type: 'MemoryPressure', status: 'False', lastHeartbeatTime: '2026-01-01T00:00:00Z' },
      { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' },
    ],
    images: [{ names: ['web:1'] }],
  };
  expect(projectBalancedNode({ ...node, status }, table)).toEqual({
    metadata: { name: 'n1', labels: { zone: 'a' } },
    spec: { providerID: 'p://1', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  });
  expect(projectBalancedNode({ metadata: { name: 'n2' } }, table)).toEqual({ metadata: { name: 'n2' }, spec: {}, status: {} });
});
