import { type Cluster, createCluster, createRandomChoice } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createDeployment, createNodes, createService, readyAddresses, rest, type ScheduledPod } from './objects.ts';

interface Workload extends ApiObject {
  readonly spec: { readonly replicas: number; readonly selector: { readonly matchLabels: { readonly app: string } } };
  readonly status: { readonly observedGeneration: number; readonly replicas?: number; readonly availableReplicas?: number };
}

/** A number below `bound` that depends on the seed. */
const createDraw = (seed: number): ((bound: number) => number) => {
  const choose = createRandomChoice(seed);
  return (bound) => choose({ name: 'sync', actor: 'test' }, { min: 0, max: bound - 1 });
};

/** A cluster at rest after a few random changes, each of which may happen while an earlier one goes on. */
function runWorld(seed: number): Cluster {
  const draw = createDraw(seed);
  const names = ['web', 'api'].slice(0, 1 + draw(2));
  const cluster = createCluster({ objects: [...createNodes(1 + draw(3)), ...names.map(createService)], seed });
  for (let i = 0; i < 4; i += 1) {
    const name = names[draw(names.length)] as string;
    const sleep = draw(2) * 3;
    const lifecycle = sleep > 0 ? { lifecycle: { preStop: { sleep: { seconds: sleep } } } } : {};
    cluster.apply(createDeployment(name, { replicas: draw(5), image: `web:${draw(3)}`, container: lifecycle, spec: strategyOf(draw(3)) }));
    cluster.runUntil(cluster.clock.now() + draw(40_000));
    const pods = cluster.list('Pod');
    if (draw(3) === 0 && pods.length > 0) cluster.evict('default', pods[draw(pods.length)]?.metadata.name as string);
  }
  rest(cluster);
  return cluster;
}

/** Without Recreate: after a new size in mid-rollout, two ReplicaSets stay active, because `scale` (1.36, deployment/sync.go) changes neither. */
const strategyOf = (choice: number): object => [{ strategy: { rollingUpdate: {} } }, { minReadySeconds: 3 }, {}][choice] as object;

it('reaches a state in which all controllers have done their work, with any seed', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const cluster = runWorld(seed);
    const [deployments, sets] = [cluster.list<Workload>('Deployment'), cluster.list<Workload>('ReplicaSet')];
    for (const { metadata, spec, status } of [...deployments, ...sets]) {
      const counts = { generation: metadata.generation, replicas: status.replicas ?? 0, available: status.availableReplicas ?? 0 };
      expect({ seed, ...counts }).toStrictEqual({
        seed,
        generation: status.observedGeneration,
        replicas: spec.replicas,
        available: spec.replicas,
      });
    }
    const owners = new Set(sets.map(({ metadata }) => metadata.uid));
    const pods = cluster.list<ScheduledPod>('Pod');
    expect(
      pods.filter(({ metadata }) => !owners.has(metadata.ownerReferences?.[0]?.['uid'] as string) || metadata.deletionTimestamp),
    ).toStrictEqual([]);
    for (const { metadata, spec } of deployments) expect(readyAddresses(cluster, metadata.name as string)).toHaveLength(spec.replicas);
    expect(sets.reduce((sum, { spec }) => sum + spec.replicas, 0)).toBe(deployments.reduce((sum, { spec }) => sum + spec.replicas, 0));
  }
}, 120_000);

it('writes nothing when it continues from a cluster at rest, with any seed', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const before = runWorld(seed);
    const after = createCluster({ objects: before.objects(), start: before.clock.now(), seed });
    const start = after.timeline.length;
    after.runUntil(after.clock.now() + 300_000);
    const writes = after.timeline.slice(start).filter((entry) => 'object' in entry && entry.type !== 'event');
    expect({ seed, writes }).toStrictEqual({ seed, writes: [] });
    const pods = after.list<ScheduledPod>('Pod');
    const contentOf = ({ metadata: { resourceVersion: _, ...metadata }, ...rest }: ScheduledPod): object => ({ ...rest, metadata });
    expect(pods.map(contentOf)).toStrictEqual(before.list<ScheduledPod>('Pod').map(contentOf));
  }
}, 120_000);
