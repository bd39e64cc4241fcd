import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import { formatTime, namespace, ownerReference, type PodOptions } from './generate-world.ts';

export type Fields = Record<string, unknown>;

const finalizer = 'batch.kubernetes.io/job-tracking';
const annotation = (name: string): string => `batch.kubernetes.io/job-${name}`;

export const longName: string = `long-${'x'.repeat(53)}`;

export const randomParallelism = (random: Random): number => random.pick([0, 1, 1, 2, 3, 4]);

export const randomLabels = (random: Random): Record<string, string> => ({
  app: random.pick(['web', 'web', 'web', 'other']),
  ...random.maybe(0.2, () => ({ tier: random.pick(['a', 'b']) })),
});

const randomExitCodes = (random: Random): Fields => ({
  ...random.maybe(0.3, () => ({ containerName: random.pick(['c', 'd']) })),
  operator: random.pick(['In', 'NotIn']),
  values: random.pick([[1], [1, 2], [42], [137]]),
});

const randomRule = (random: Random): Fields => ({
  action: random.pick(['FailJob', 'FailIndex', 'Ignore', 'Ignore', 'Count']),
  ...(random.chance(0.6)
    ? { onExitCodes: randomExitCodes(random) }
    : {
        onPodConditions: [{ type: random.pick(['DisruptionTarget', 'DisruptionTarget', 'Ready']), status: random.pick(['True', 'False']) }],
      }),
});

const randomSuccessRule = (random: Random): Fields => ({
  ...random.maybe(0.7, () => ({ succeededIndexes: random.pick(['0', '0,2', '1-3', '0-1,3', '7-9', 'x']) })),
  ...random.maybe(0.5, () => ({ succeededCount: random.pick([1, 2, 3]) })),
});

const list = (random: Random, make: (random: Random) => Fields): Fields[] =>
  Array.from({ length: random.pick([1, 1, 2, 3]) }, () => make(random));

const randomIndexedSpec = (random: Random): Fields => ({
  completionMode: 'Indexed',
  completions: random.pick([1, 2, 3, 4, 5, 5]),
  ...random.maybe(0.5, () => ({
    backoffLimitPerIndex: random.pick([0, 1, 1, 2]),
    ...random.maybe(0.8, () => ({ backoffLimit: 2_147_483_647 })),
    ...random.maybe(0.5, () => ({ maxFailedIndexes: random.pick([0, 1, 2]) })),
  })),
  ...random.maybe(0.3, () => ({ successPolicy: { rules: list(random, randomSuccessRule) } })),
});

const randomPlainSpec = (random: Random): Fields => ({
  ...random.maybe(0.8, () => ({ completionMode: random.chance(0.02) ? 'Other' : 'NonIndexed' })),
  ...random.maybe(0.75, () => ({ completions: random.pick([0, 1, 1, 2, 3, 5, 8]) })),
});

const randomTemplate = (random: Random, labels: Record<string, string>): Fields => ({
  metadata: {
    labels,
    ...random.maybe(0.2, () => ({ annotations: { a: 'b' } })),
    ...random.maybe(0.1, () => ({ finalizers: random.pick([['example.com/f'], [finalizer], ['example.com/f', finalizer]]) })),
  },
  spec: {
    containers: [
      { name: 'c', image: 'i', ...random.maybe(0.3, () => ({ env: [{ name: random.pick(['A', 'JOB_COMPLETION_INDEX']), value: 'b' }] })) },
      ...(random.chance(0.3) ? [{ name: 'd', image: 'j' }] : []),
    ],
    ...random.maybe(0.2, () => ({
      initContainers: [{ name: 's', image: 'i', ...random.maybe(0.6, () => ({ restartPolicy: 'Always' })) }],
    })),
    restartPolicy: random.pick(['Never', 'Never', 'OnFailure']),
    ...random.maybe(0.1, () => ({ hostname: 'h' })),
  },
});

export function randomJob(random: Random, name: string): ApiObject {
  const labels = randomLabels(random);
  const { app = '' } = labels;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      uid: `job-${name}`,
      generation: 1 + random.int(3),
      creationTimestamp: formatTime(-100_000),
      ...random.maybe(0.03, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      parallelism: randomParallelism(random),
      backoffLimit: random.pick([0, 1, 2, 3, 6, 6, 2_147_483_647]),
      ...(random.chance(0.6) ? randomIndexedSpec(random) : randomPlainSpec(random)),
      ...random.maybe(0.15, () => ({ activeDeadlineSeconds: random.pick([1, 5, 30, 100]) })),
      ...random.maybe(0.25, () => ({ suspend: random.chance(0.4) })),
      ...random.maybe(0.06, () => ({ managedBy: random.pick(['kubernetes.io/job-controller', 'example.com/queue']) })),
      ...random.maybe(0.6, () => ({ podReplacementPolicy: random.pick(['TerminatingOrFailed', 'Failed']) })),
      ...random.maybe(0.35, () => ({ podFailurePolicy: { rules: list(random, randomRule) } })),
      selector: random.pick<Fields>([
        { matchLabels: { app } },
        { matchLabels: labels },
        { matchExpressions: [{ key: 'app', operator: 'In', values: [app, 'x'] }] },
        { matchLabels: { app }, matchExpressions: [{ key: 'tier', operator: labels['tier'] ? 'Exists' : 'DoesNotExist' }] },
      ]),
      template: randomTemplate(random, labels),
    },
  } as unknown as ApiObject;
}

/** Never a false FailureTarget: with one, the controller adds a true one in each sync. */
const randomCondition = (random: Random): Fields => ({
  ...random.pick([
    { type: 'Suspended', status: random.pick(['True', 'False']) },
    { type: 'SuccessCriteriaMet', status: random.pick(['True', 'True', 'False']) },
    { type: random.pick(['Complete', 'Failed']), status: random.pick(['True', 'False']) },
    { type: 'FailureTarget', status: 'True' },
  ]),
  lastProbeTime: formatTime(-40_000),
  lastTransitionTime: formatTime(-40_000),
  ...random.maybe(0.9, () => ({ reason: random.pick(['JobSuspended', 'PodFailurePolicy', 'CompletionsReached']) })),
  ...random.maybe(0.8, () => ({ message: random.pick(['Job suspended', 'text']) })),
});

/** A status as an earlier controller may have left it. */
export function randomStatus(random: Random, pods: readonly ApiObject[]): Fields {
  const uids = (share: number): string[] => pods.filter(() => random.chance(share)).map(({ metadata }) => metadata.uid as string);
  const counter = (name: string): Fields | undefined => random.maybe(0.4, () => ({ [name]: 1 + random.int(3) }));
  const [succeeded, failed] = [uids(0.15), uids(0.15)];
  return {
    ...random.maybe(0.3, () => ({ conditions: [randomCondition(random)] })),
    ...random.maybe(0.7, () => ({ startTime: formatTime(-random.pick([1, 4, 20, 90]) * 1000) })),
    ...counter('active'),
    ...counter('succeeded'),
    ...counter('failed'),
    ...random.maybe(0.6, () => ({ ready: random.int(3) })),
    ...random.maybe(0.6, () => ({ terminating: random.int(2) })),
    ...random.maybe(0.3, () => ({ completedIndexes: random.pick(['0', '1,3', '0-2', '0,1,4-7', '2-x,3', '9']) })),
    ...random.maybe(0.2, () => ({ failedIndexes: random.pick(['', '1', '0,2']) })),
    ...random.maybe(0.7, () => ({
      uncountedTerminatedPods: { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) },
    })),
  };
}

/** A pod of a Job, or an orphan. */
export const randomJobPod = (random: Random, { name, labels, owner }: PodOptions): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace,
    uid: `pod-${random.int(1000)}-${name}`,
    generation: 1,
    creationTimestamp: formatTime(-random.pick([10, 10, 60, 4000]) * 1000),
    labels,
    annotations: {
      a: 'b',
      ...random.maybe(0.8, () => ({
        [annotation('completion-index')]: random.pick(['0', '0', '1', '1', '2', '3', '4', '9', 'x', '-1', '+2']),
      })),
      ...random.maybe(0.5, () => ({ [annotation('index-failure-count')]: random.pick(['0', '0', '1', '2', '-1', 'x']) })),
      ...random.maybe(0.15, () => ({ [annotation('index-ignored-failure-count')]: random.pick(['1', '2']) })),
    },
    ...random.maybe(0.8, () => ({ finalizers: random.pick([[finalizer], [finalizer], ['example.com/f', finalizer], ['example.com/f']]) })),
    ...(owner && { ownerReferences: [ownerReference(owner)] }),
    ...random.maybe(0.1, () => ({ deletionTimestamp: formatTime(20_000), deletionGracePeriodSeconds: random.pick([30, 0]) })),
  },
  spec: {
    ...random.maybe(0.8, () => ({ nodeName: random.pick(['n1', 'n2', 'n3']) })),
    containers: [{ name: 'c', image: 'i' }],
    ...random.maybe(0.2, () => ({ initContainers: [{ name: 's', image: 'i', restartPolicy: random.pick(['Always', 'Never']) }] })),
  },
  status: random.chance(0.6) ? runningStatus(random, 0) : endedStatus(random, 0),
});

/** The status of a pod that has not ended. */
export function runningStatus(random: Random, now: number): Fields {
  const phase = random.pick(['Pending', 'Running', 'Running', 'Running', 'Unknown']);
  const ready = phase === 'Running' && random.chance(0.8);
  return {
    phase,
    ...random.maybe(0.9, () => ({ conditions: [readyCondition(random, now, ready)] })),
    ...random.maybe(0.7, () => ({ containerStatuses: [containerStatus('c', random.pick([0, 0, 0, 1, 2]), ready)] })),
    ...random.maybe(0.1, () => ({ initContainerStatuses: [containerStatus('s', random.pick([0, 1]), true)] })),
  };
}

/** The status of a pod that has succeeded or failed. */
export function endedStatus(random: Random, now: number, phase: string = random.pick(['Succeeded', 'Failed'])): Fields {
  const terminated = (): Fields => ({
    exitCode: phase === 'Succeeded' ? 0 : random.pick([1, 1, 2, 42, 137, 0]),
    ...random.maybe(0.9, () => ({ finishedAt: formatTime(now - random.pick([0, 0, 0, 1, 5, 50]) * 1000) })),
  });
  const ended = (name: string): Fields => ({
    ...containerStatus(name, 0, false),
    ...random.maybe(0.9, () => ({ state: { terminated: terminated() } })),
  });
  const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
  return {
    phase,
    conditions: [...(random.chance(0.25) ? [disruption] : []), ...(random.chance(0.8) ? [readyCondition(random, now, false)] : [])],
    ...random.maybe(0.85, () => ({ containerStatuses: [ended('c'), ...(random.chance(0.2) ? [ended('d')] : [])] })),
    ...random.maybe(0.1, () => ({ initContainerStatuses: [ended('s')] })),
  };
}

const readyCondition = (random: Random, now: number, ready: boolean): Fields => ({
  type: 'Ready',
  status: ready ? 'True' : 'False',
  ...random.maybe(0.95, () => ({ lastTransitionTime: formatTime(now - random.pick([0, 0, 1, 3, 10, 700]) * 1000) })),
});

const containerStatus = (name: string, restartCount: number, ready: boolean): Fields => ({
  name,
  restartCount,
  ready,
  image: 'i',
  imageID: 'i',
});
