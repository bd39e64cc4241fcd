import { type Cluster, createCluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createNodes, createPodTemplate, rest, type ScheduledPod } from './objects.ts';

const createDaemonSet = (podSpec: object = {}): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: createPodTemplate('agent', { podSpec }) },
});

const createPod = (name: string, spec: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
});

const nodesOf = (cluster: Cluster): string[] =>
  cluster
    .list<ScheduledPod>('Pod')
    .map(({ spec }) => spec.nodeName)
    .sort();

const changeNode = (cluster: Cluster, name: string, spec: object): void => {
  const node = cluster.get('Node', '', name) as ApiObject;
  cluster.apply({ ...node, spec: { ...(node['spec'] as object), ...spec } });
};

describe('pods of DaemonSets', () => {
  it('run on every node, also on a cordoned node', () => {
    const [first, ...others] = createNodes(3) as [ApiObject, ApiObject, ApiObject];
    const cluster = createCluster({ objects: [{ ...first, spec: { unschedulable: true } }, ...others, createDaemonSet()] });
    rest(cluster);
    expect(nodesOf(cluster)).toStrictEqual(['n0', 'n1', 'n2']);
    expect(cluster.get<ApiObject & { status: object }>('DaemonSet', 'default', 'agent')?.status).toMatchObject({
      desiredNumberScheduled: 3,
      numberReady: 3,
    });
  });

  it('run on the nodes of their nodeSelector only', () => {
    const nodes = createNodes(3).map((node, i) => ({ ...node, metadata: { ...node.metadata, labels: { disk: i === 1 ? 'ssd' : 'hdd' } } }));
    const cluster = createCluster({ objects: [...nodes, createDaemonSet({ nodeSelector: { disk: 'ssd' } })] });
    rest(cluster);
    expect(nodesOf(cluster)).toStrictEqual(['n1']);
  });

  it('are replaced on all nodes by a rolling update', () => {
    const cluster = createCluster({ objects: [...createNodes(2), createDaemonSet()] });
    rest(cluster);
    cluster.apply(createDaemonSet({ containers: [{ name: 'web', image: 'web:2' }] }));
    rest(cluster);
    const images = cluster
      .list<ApiObject & { spec: { containers: { image: string }[] } }>('Pod')
      .map(({ spec }) => spec.containers[0]?.image);
    expect(images).toStrictEqual(['web:2', 'web:2']);
    expect(nodesOf(cluster)).toStrictEqual(['n0', 'n1']);
  });
});

describe('the scheduler', () => {
  it('places a pod behind one that fits on no node, and that one after a change of the node', () => {
    const cluster = createCluster({ objects: createNodes(1) });
    changeNode(cluster, 'n0', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] });
    cluster.runUntil(cluster.clock.now() + 1000);
    cluster.apply(createPod('a'));
    cluster.apply(createPod('b', { tolerations: [{ key: 'dedicated', operator: 'Exists' }] }));
    rest(cluster);
    const nodeOf = (name: string): string | undefined => cluster.get<ScheduledPod>('Pod', 'default', name)?.spec.nodeName;
    expect([nodeOf('a'), nodeOf('b')]).toStrictEqual([undefined, 'n0']);
    changeNode(cluster, 'n0', { taints: [] });
    rest(cluster);
    expect(nodeOf('a')).toBe('n0');
  });
});

describe('a NoExecute taint', () => {
  it('evicts pods that do not tolerate it at once, and others after their time', () => {
    const key = 'maintenance';
    const tolerations = [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }];
    const cluster = createCluster({ objects: [...createNodes(1), createPod('a'), createPod('b', { tolerations })] });
    rest(cluster);
    const since = cluster.clock.now();
    changeNode(cluster, 'n0', { taints: [{ key, effect: 'NoExecute' }] });
    rest(cluster);
    const deletions = cluster.timeline.filter((entry) => entry.at >= since && entry.type === 'update' && entry.object.kind === 'Pod');
    const deletedAt = (name: string): number | undefined =>
      deletions.find((entry) => 'object' in entry && entry.object.metadata.name === name && entry.object.metadata.deletionTimestamp)?.at;
    expect(cluster.list('Pod')).toStrictEqual([]);
    expect((deletedAt('a') as number) - since).toBeLessThan(1000);
    expect((deletedAt('b') as number) - since).toBeGreaterThanOrEqual(60_000);
  });
});
