import { type Cluster, createCluster, type StartApplication } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createNodes, rest } from './objects.ts';

interface Job extends ApiObject {
  readonly status: Readonly<Record<string, unknown>> & { readonly conditions: readonly { readonly type: string }[] };
}

const createJob = (spec: object): ApiObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum', namespace: 'default' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sum:1' }] } }, ...spec },
});

/** Runs a Job whose processes end after 5 s, each with the next exit code; the last one is repeated. */
function runJob(spec: object, exitCodes: readonly number[] = [0]): Cluster {
  let started = 0;
  const startApplication =
    (clock: Cluster['clock']): StartApplication =>
    (_, { onExit }) => {
      const exitCode = exitCodes[Math.min(started, exitCodes.length - 1)] ?? 0;
      started += 1;
      const timer = clock.at(clock.now() + 5000, () => onExit(exitCode));
      const stop = (): void => timer.cancel();
      return { terminate: () => onExit(143), kill: stop, answers: () => true };
    };
  const cluster = createCluster({ objects: [...createNodes(2), createJob(spec)], startApplication });
  rest(cluster);
  return cluster;
}

const jobOf = (cluster: Cluster): Job | undefined => cluster.get<Job>('Job', 'default', 'sum');
const conditionsOf = (cluster: Cluster): (string | undefined)[] => (jobOf(cluster)?.status.conditions ?? []).map(({ type }) => type);
const creationTimes = ({ timeline }: Cluster): number[] =>
  timeline.filter((entry) => entry.type === 'create' && entry.object.kind === 'Pod').map(({ at }) => at);

describe('a Job in the cluster', () => {
  it('runs one pod after another until all completions are reached', () => {
    const cluster = runJob({ completions: 3, parallelism: 1 });
    expect(jobOf(cluster)?.status).toMatchObject({ succeeded: 3, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(conditionsOf(cluster)).toStrictEqual(['SuccessCriteriaMet', 'Complete']);
    const [first = 0, second = 0] = creationTimes(cluster);
    expect(second - first).toBeGreaterThan(5000);
    expect(cluster.list('Pod').flatMap(({ metadata }) => metadata.finalizers ?? [])).toStrictEqual([]);
  });

  it('replaces a failed pod after the back-off', () => {
    const cluster = runJob({ completions: 1 }, [1, 0]);
    expect(jobOf(cluster)?.status).toMatchObject({ succeeded: 1, failed: 1 });
    const [first = 0, second = 0] = creationTimes(cluster);
    expect(second - first).toBeGreaterThan(15_000);
  });

  it('fails after its last attempt', () => {
    const cluster = runJob({ backoffLimit: 1 }, [1]);
    expect(jobOf(cluster)?.status).toMatchObject({ failed: 2 });
    expect(conditionsOf(cluster)).toStrictEqual(['FailureTarget', 'Failed']);
  });

  it('is deleted with its pods, whose finalizers are removed first', () => {
    const cluster = runJob({ completions: 2, parallelism: 2, suspend: true });
    expect(cluster.list('Pod')).toStrictEqual([]);
    const suspended = jobOf(cluster) as Job;
    cluster.apply({ ...suspended, spec: { ...(suspended['spec'] as object), suspend: false } } as Job);
    cluster.runUntil(cluster.clock.now() + 3000);
    expect(cluster.list('Pod').map(({ metadata }) => metadata.finalizers)).toStrictEqual([
      ['batch.kubernetes.io/job-tracking'],
      ['batch.kubernetes.io/job-tracking'],
    ]);
    cluster.delete('Job', 'default', 'sum', { propagationPolicy: 'Background' });
    rest(cluster);
    expect([cluster.list('Job'), cluster.list('Pod')]).toStrictEqual([[], []]);
  });

  it('goes on in a cluster that continues: with running pods and with ended ones, nothing is written', () => {
    const jobs = [createJob({ completions: 2 }), { ...createJob({ parallelism: 2 }), metadata: { name: 'serve', namespace: 'default' } }];
    const startApplication =
      (clock: Cluster['clock']): StartApplication =>
      ({ pod }, { onExit, isRunning }) => {
        if (pod.startsWith('default/sum') && !isRunning) clock.at(clock.now() + 5000, () => onExit(0));
        return { terminate: () => onExit(143), kill: () => undefined, answers: () => true };
      };
    const before = createCluster({ objects: [...createNodes(2), ...jobs], startApplication });
    rest(before);
    expect(before.list<Job>('Job').map(({ status }) => ({ active: status['active'], succeeded: status['succeeded'] }))).toStrictEqual([
      { active: 2, succeeded: undefined },
      { active: undefined, succeeded: 2 },
    ]);
    const cluster = createCluster({ objects: before.objects(), start: before.clock.now(), startApplication });
    const from = cluster.timeline.length;
    cluster.runUntil(cluster.clock.now() + 300_000);
    expect(cluster.timeline.slice(from).filter((entry) => 'object' in entry && entry.type !== 'event')).toStrictEqual([]);
    cluster.delete('Pod', 'default', cluster.list('Pod')[0]?.metadata.name as string);
    rest(cluster);
    expect(cluster.list<Job>('Job')[0]?.status).toMatchObject({ active: 2, ready: 2, failed: 1 });
  });

  it('keeps what a given status says it has done', () => {
    const job = { ...createJob({ completions: 3 }), status: { succeeded: 2 } };
    const cluster = createCluster({ objects: [...createNodes(1), job] });
    rest(cluster);
    expect(cluster.list('Pod')).toHaveLength(1);
    expect(jobOf(cluster)?.status).toMatchObject({ active: 1, succeeded: 2 });
  });

  it('keeps its generated fields when it is applied as its author wrote it', () => {
    const cluster = runJob({ suspend: true });
    const before = jobOf(cluster) as Job;
    expect(cluster.apply(createJob({ suspend: true }))['spec']).toStrictEqual(before['spec']);
    expect(cluster.apply(createJob({ suspend: true, parallelism: 3 }))['spec']).toStrictEqual({
      ...(before['spec'] as object),
      parallelism: 3,
    });
  });
});
