import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import {
  endedStatus,
  type Fields,
  longName,
  randomJob,
  randomJobPod,
  randomLabels,
  randomParallelism,
  randomStatus,
  runningStatus,
} from './generate-job-objects.ts';
import { formatTime, type OwnerOptions, ownerReference, randomFailures, randomHold } from './generate-world.ts';

/** A history of one or two Jobs, whose pods run, succeed, fail and are deleted. */
export function generateJobs(random: Random, id: string): WorkloadCase {
  const jobs = ['web', 'b'].slice(0, random.pick([1, 1, 1, 2])).map((name) => randomJob(random, name));
  if (random.chance(0.05)) jobs.push(randomJob(random, longName));
  const pods = random.chance(0.5) ? randomPods(random, jobs) : [];
  const started = jobs.map((job) => (pods.length > 0 || random.chance(0.2) ? { ...job, status: randomStatus(random, pods) } : job));
  const isCalm = random.chance(0.7);
  let now = 0;
  const steps = Array.from({ length: 3 + random.int(isCalm ? 12 : 7) }, (_, i): WorkloadStep => {
    const advanceMs = random.pick([0, 100, 1000, 1000, 1500, 3000, 11_000, 11_000, 25_000, ...(isCalm ? [] : [61_000, 301_000, 700_000])]);
    const changes = i === 0 ? [] : [...randomJobChanges(random, now, isCalm), ...randomPodChanges(random, now, isCalm)];
    now += advanceMs;
    const failures = isCalm && random.chance(0.8) ? [] : randomFailures(random, writes);
    return { changes, failures, ...randomHold(random, ['Pod', 'Job']), advanceMs };
  });
  return { id, objects: [...started, ...pods], gracefulPods: random.chance(0.5), steps };
}

const writes = [
  ['create', 'Pod'],
  ['delete', 'Pod'],
  ['patch', 'Pod'],
  ['patch', 'Pod'],
  ['update', 'Job', 'status'],
  ['update', 'Job', 'status'],
] as const;

const randomPods = (random: Random, jobs: readonly ApiObject[]): ApiObject[] =>
  Array.from({ length: random.pick([1, 3, 5, 7, 9]) }, (_, i) => {
    const { metadata, spec } = random.pick(jobs) as ApiObject & { spec: { template: { metadata: { labels: Record<string, string> } } } };
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: metadata.name, uid: random.chance(0.95) ? metadata.uid : 'gone' };
    return randomJobPod(random, {
      name: `p${i}`,
      labels: random.chance(0.85) ? spec.template.metadata.labels : randomLabels(random),
      owner: random.maybe(0.85, () => owner as OwnerOptions),
    });
  });

/** What the kubelet and users do with pods. In a calm history, most pods run and then succeed or fail. */
function randomPodChanges(random: Random, now: number, isCalm: boolean): WorkloadChange[] {
  const count = random.pick(isCalm ? [1, 2, 4, 8] : [0, 1, 3, 6]);
  const failing = random.pick([0.05, 0.3, 0.6]);
  return Array.from({ length: count }, (): WorkloadChange => {
    const target = { kind: 'Pod', nth: random.int(12) };
    const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
    const kind = random.int(isCalm ? 14 : 20);
    if (kind < 5) return merge({ spec: { nodeName: random.pick(['n1', 'n2']) }, status: runningStatus(random, now) });
    if (kind < 11) return merge({ status: endedStatus(random, now, random.chance(failing) ? 'Failed' : 'Succeeded') });
    if (kind < 12) return { delete: target };
    if (kind < 13) return merge({ metadata: { deletionTimestamp: formatTime(now + 30_000), deletionGracePeriodSeconds: 30 } });
    if (kind < 15) return merge({ metadata: { deletionGracePeriodSeconds: 0 }, status: endedStatus(random, now, 'Failed') });
    if (kind < 16) return merge({ metadata: { labels: { tier: null, ...randomLabels(random) } } });
    if (kind < 17) return merge({ metadata: { ownerReferences: null } });
    if (kind < 18) return merge({ metadata: { ownerReferences: [ownerReference({ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' })] } });
    if (kind < 19) return merge({ metadata: { finalizers: random.pick([null, ['batch.kubernetes.io/job-tracking']]) } });
    return merge({ metadata: { ownerReferences: [ownerReference({ apiVersion: 'batch/v1', kind: 'Job', name: 'b', uid: 'job-b' })] } });
  });
}

/** What users do with Jobs. */
function randomJobChanges(random: Random, now: number, isCalm: boolean): WorkloadChange[] {
  return Array.from({ length: random.pick(isCalm ? [0, 0, 0, 1] : [0, 0, 1, 2]) }, (): WorkloadChange => {
    const target = { kind: 'Job', nth: random.int(2) };
    const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
    const kind = random.int(20);
    if (kind < 4) return merge({ spec: { parallelism: randomParallelism(random) } });
    if (kind < 9) return merge({ spec: { suspend: random.pick([true, false, null]) } });
    if (kind < 10) return merge({ spec: { backoffLimit: random.pick([0, 1, 6]) } });
    if (kind < 11) return merge({ spec: { completions: random.pick([1, 3, 5]) } });
    if (kind < 13) return merge({ spec: { activeDeadlineSeconds: random.pick([null, 1, 10, 60]) } });
    if (kind < 14) return merge({ metadata: { annotations: { a: random.pick(['b', 'c']) } } });
    if (kind < 15) return merge({ metadata: { deletionTimestamp: formatTime(now), finalizers: ['foregroundDeletion'] } });
    if (kind < 16) return merge({ metadata: { uid: `new-${random.int(100)}` } });
    if (kind < 18) return { delete: target };
    return { put: randomJob(random, random.pick(['web', 'late'])) };
  });
}
