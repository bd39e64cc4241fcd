import { type Cluster, createCluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createDeployment, createNodes, createService, readyAddresses, rest, type ScheduledPod } from './objects.ts';

interface Node extends ApiObject {
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[] };
}

const start = (seed = 1): Cluster => {
  const cluster = createCluster({ objects: [...createNodes(3), createService('web'), createDeployment('web')], seed });
  rest(cluster);
  return cluster;
};

const advance = (cluster: Cluster, seconds: number): void => cluster.runUntil(cluster.clock.now() + seconds * 1000);

const readyOf = (cluster: Cluster, name: string): string | undefined =>
  cluster.get<Node>('Node', '', name)?.status.conditions.find(({ type }) => type === 'Ready')?.status;

const taintsOf = (cluster: Cluster, name: string): string[] =>
  (cluster.get<Node>('Node', '', name)?.spec.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);

const podsOn = (cluster: Cluster, name: string): ScheduledPod[] =>
  cluster.list<ScheduledPod>('Pod').filter(({ spec }) => spec.nodeName === name);

describe('a node without events', () => {
  it('stays ready, and its kubelet writes nothing', () => {
    const cluster = start();
    const { length } = cluster.timeline;
    advance(cluster, 600);
    expect(cluster.timeline.slice(length)).toStrictEqual([]);
    expect(['n0', 'n1', 'n2'].map((name) => readyOf(cluster, name))).toStrictEqual(['True', 'True', 'True']);
  });
});

describe('a lost node', () => {
  it('becomes unknown after the grace period, its pods unready, and after five minutes they are replaced', () => {
    for (const seed of [1, 2, 3]) {
      const cluster = start(seed);
      const [lost] = podsOn(cluster, 'n1') as [ScheduledPod];
      cluster.loseNode('n1');
      advance(cluster, 35);
      expect([readyOf(cluster, 'n1'), readyAddresses(cluster, 'web').length]).toStrictEqual(['True', 3]);
      advance(cluster, 32);
      expect([readyOf(cluster, 'n1'), readyAddresses(cluster, 'web').length]).toStrictEqual(['Unknown', 2]);
      advance(cluster, 15);
      // Two syncs write them, in any order.
      expect(taintsOf(cluster, 'n1').sort()).toStrictEqual(['unreachable:NoExecute', 'unreachable:NoSchedule']);
      expect(lost.metadata.deletionTimestamp).toBeUndefined();
      advance(cluster, 330);
      expect(cluster.get('Pod', 'default', lost.metadata.name as string)?.metadata.deletionTimestamp).toBeDefined();
      expect(readyAddresses(cluster, 'web')).toHaveLength(3);
    }
  });

  it('does nothing until it is restored', () => {
    const cluster = start();
    cluster.loseNode('n1');
    const { length } = cluster.timeline;
    advance(cluster, 1000);
    const actors = cluster.timeline.slice(length).flatMap((entry) => ('actor' in entry ? entry.actor : 'node' in entry ? entry.node : []));
    expect(actors.filter((actor) => actor === 'n1' || actor.endsWith('/n1'))).toStrictEqual([]);
  });
});

describe('a restored node', () => {
  it('is ready again without taints, and keeps its pods if it was away for a minute', () => {
    const cluster = start();
    const [pod] = podsOn(cluster, 'n1') as [ScheduledPod];
    cluster.loseNode('n1');
    advance(cluster, 80);
    cluster.restoreNode('n1');
    rest(cluster);
    expect([readyOf(cluster, 'n1'), taintsOf(cluster, 'n1')]).toStrictEqual(['True', []]);
    expect(podsOn(cluster, 'n1').map(({ metadata }) => metadata.uid)).toStrictEqual([pod.metadata.uid]);
    expect(readyAddresses(cluster, 'web')).toHaveLength(3);
  });

  it('ends pods that were deleted meanwhile', () => {
    const cluster = start();
    const [pod] = podsOn(cluster, 'n1') as [ScheduledPod];
    cluster.loseNode('n1');
    advance(cluster, 500);
    expect(cluster.get('Pod', 'default', pod.metadata.name as string)).toBeDefined();
    cluster.restoreNode('n1');
    rest(cluster);
    expect(cluster.get('Pod', 'default', pod.metadata.name as string)).toBeUndefined();
    expect(readyAddresses(cluster, 'web')).toHaveLength(3);
  });
});

describe('a node that shuts down', () => {
  it('is not ready, ends its pods within their periods, and is lost then', () => {
    const cluster = start();
    const [pod] = podsOn(cluster, 'n1') as [ScheduledPod];
    const since = cluster.clock.now();
    cluster.shutDownNode('n1');
    advance(cluster, 2);
    expect(readyOf(cluster, 'n1')).toBe('False');
    advance(cluster, 40);
    const ended = cluster.get<ApiObject & { status: Record<string, unknown> }>('Pod', 'default', pod.metadata.name as string);
    expect(ended?.status).toMatchObject({ reason: 'Terminated', message: 'Pod was terminated in response to imminent node shutdown.' });
    const off = cluster.timeline.find((entry) => entry.type === 'node' && entry.what === 'lost');
    expect((off?.at as number) - since).toBeLessThan(31_100);
    expect(podsOn(cluster, 'n0').length + podsOn(cluster, 'n2').length).toBe(3);
  });
});

describe('controls of nodes', () => {
  it('refuse nodes that do not exist, or have the wrong state', () => {
    const cluster = start();
    expect(() => cluster.loseNode('n9')).toThrow('there is no node "n9"');
    expect(() => cluster.restoreNode('n1')).toThrow('node "n1" is not lost');
    cluster.loseNode('n1');
    expect(() => cluster.loseNode('n1')).toThrow('node "n1" is already lost');
    expect(() => cluster.shutDownNode('n1')).toThrow('node "n1" is already lost');
  });
});
