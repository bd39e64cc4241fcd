import { createCluster } from '@kube-endpoints/simulator/internal';
import { describe, expect, it } from 'vitest';
import { createDeployment, createNodes, createService, readyAddresses, rest, type ScheduledPod, type WebDeployment } from './objects.ts';

const start = { objects: [...createNodes(3), createService('web'), createDeployment('web')] };

describe('a Deployment', () => {
  it('starts its replicas on all nodes and becomes available', () => {
    const cluster = createCluster(start);
    rest(cluster);
    expect(cluster.get<WebDeployment>('Deployment', 'default', 'web')?.status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
    expect(new Set(cluster.list<ScheduledPod>('Pod').map(({ spec }) => spec.nodeName)).size).toBe(3);
    expect(readyAddresses(cluster, 'web')).toHaveLength(3);
  });

  it('keeps all ready endpoints during a rollout with maxUnavailable 0', () => {
    const cluster = createCluster(start);
    rest(cluster);
    const before = cluster.timeline.length;
    cluster.apply(createDeployment('web', { image: 'web:2' }));
    rest(cluster);
    const slices = cluster.timeline
      .slice(before)
      .flatMap((entry) => ('object' in entry && entry.object.kind === 'EndpointSlice' ? [entry.object] : []));
    expect(slices.length).toBeGreaterThan(3);
    for (const { endpoints } of slices as unknown as { endpoints: { conditions: { ready: boolean } }[] }[])
      expect(endpoints.filter(({ conditions }) => conditions.ready).length).toBeGreaterThanOrEqual(3);
  });
});
