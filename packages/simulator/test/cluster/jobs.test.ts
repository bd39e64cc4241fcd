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

  it('writes nothing in a cluster that continues from one at rest', () => {
    const before = runJob({ completions: 2 });
    const cluster = createCluster({ objects: before.objects(), start: before.clock.now() });
    const from = cluster.timeline.length;
    rest(cluster);
    expect(cluster.timeline.slice(from).filter((entry) => entry.type === 'update' && entry.actor === 'job-controller')).toStrictEqual([]);
  });
});
