import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { type Call, createCache, createJobControllers, createWorker, createWorkQueue } from '../../src/internal.ts';

/** A Job, its pods, and one sync of it, for the tests of the Job controller. */

const start = Date.UTC(2000, 0, 1);
const finalizer = 'batch.kubernetes.io/job-tracking';
const annotation = (name: string): string => `batch.kubernetes.io/job-${name}`;
/** A time in seconds relative to the start of the sync. */
export const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

export interface PodOptions {
  readonly phase?: string;
  readonly index?: number;
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  readonly isOrphan?: boolean;
  readonly isTracked?: boolean;
  readonly labels?: Record<string, string>;
  readonly exitCode?: number;
  /** When its container ended, in seconds. */
  readonly end?: number;
  /** How often pods of its index failed before. */
  readonly failures?: number;
  readonly conditions?: readonly object[];
}

/** A pod of the Job "sum", with a tracking finalizer by default. */
export const createPod = (name: string, options: PodOptions = {}): ApiObject => {
  const {
    phase = 'Running',
    index,
    isReady = false,
    end = -100,
    exitCode = phase === 'Failed' ? 1 : 0,
    failures,
    conditions = [],
  } = options;
  const isEnded = phase === 'Failed' || phase === 'Succeeded';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: at(-200),
      labels: options.labels ?? { app: 'sum' },
      annotations: {
        ...(index !== undefined && { [annotation('completion-index')]: String(index) }),
        ...(failures !== undefined && { [annotation('index-failure-count')]: String(failures) }),
      },
      ...((options.isTracked ?? true) && { finalizers: [finalizer] }),
      ...(!options.isOrphan && { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'sum', uid: 'job', controller: true }] }),
      ...(options.isDeleted && { deletionTimestamp: at(30), deletionGracePeriodSeconds: 30 }),
    },
    spec: { nodeName: 'n' },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: at(-50) }, ...conditions],
      ...(isEnded && { containerStatuses: [{ name: 'c', state: { terminated: { exitCode, finishedAt: at(end) } } }] }),
    },
  };
};

export interface Options {
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly pods?: readonly ApiObject[];
  /** Calls that fail, as the test describes them, and their reasons. */
  readonly failures?: Readonly<Record<string, string>>;
  /** The Job is deleted after its first sync. */
  readonly isGone?: boolean;
}

const createJob = ({ spec = {}, status, metadata }: Options): ApiObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum', namespace: 'default', uid: 'job', generation: 1, resourceVersion: '1', ...metadata },
  spec: {
    parallelism: 2,
    completions: 3,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    selector: { matchLabels: { app: 'sum' } },
    template: { metadata: { labels: { app: 'sum' } }, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } },
    ...spec,
  },
  ...(status && { status }),
});

export interface Result {
  readonly calls: readonly string[];
  readonly events: readonly string[];
  /** Milliseconds until the next sync; undefined if none is due. */
  readonly nextSync: number | undefined;
}

/** The calls and Events of the first sync of a Job, which the cache does not show. */
export function syncOnce(options: Options): Result {
  const { pods = [], failures = {}, isGone = false } = options;
  const [calls, events]: [string[], string[]] = [[], []];
  const cache = createCache();
  const pending: { call: Call; resolve(object?: ApiObject): void; reject(error: ApiError): void }[] = [];
  const parts = createJobControllers({ cache, now: () => start, random: () => 0 }).map((controller) => {
    const queue = createWorkQueue(() => start, controller.queueOptions);
    controller.attach?.(queue);
    const worker = createWorker(controller, queue, {
      onCalls: (arrived) => void pending.push(...arrived),
      onEvent: ({ type, reason, message }) => void events.push(`${type} ${reason}: ${message}`),
      onWait: () => {},
    });
    return { controller, queue, worker };
  });
  const settle = (): void => {
    for (const { worker } of parts) worker.run();
    for (let next = pending.shift(); next; next = pending.shift()) {
      const text = describeCall(next.call);
      calls.push(text);
      const reason = failures[text];
      if (reason)
        next.reject(
          new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500, reason, message: reason }),
        );
      else next.resolve(answer(next.call));
    }
  };
  const answer = (call: Call): ApiObject => {
    if (call.do === 'create') return { ...call.object, metadata: { ...call.object.metadata, name: 'new' } };
    return 'object' in call ? call.object : (cache.get(call.kind, call.namespace, call.name) as ApiObject);
  };
  const deliver = (change: ReturnType<typeof cache.put>): void => {
    for (const { controller, queue } of parts) if (controller.kinds.includes(change.kind)) controller.handle(change, queue);
  };
  for (const object of [...pods, createJob(options)]) deliver(cache.put(object));
  if (!isGone) settle();
  else {
    deliver(cache.remove(createJob(options)));
    settle();
  }
  const nextTime = parts[0]?.queue.nextTime();
  return { calls, events, nextSync: nextTime === undefined ? undefined : nextTime - start };
}

interface StatusBody {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  readonly uncountedTerminatedPods: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
  readonly [counter: string]: unknown;
}

/** For example "release a" for the removal of a finalizer, "create 1" for the pod of an index, and "status active=1". */
function describeCall(call: Call): string {
  if (call.do === 'create') {
    const { annotations = {} } = call.object.metadata;
    const failures = annotations[annotation('index-failure-count')];
    return ['create', annotations[annotation('completion-index')], ...(failures ? [`after ${failures} failures`] : [])]
      .filter(Boolean)
      .join(' ');
  }
  if (call.do === 'patch') {
    const { metadata } = call.patch as { metadata: Record<string, unknown> };
    const isOwned = 'ownerReferences' in metadata;
    return `${isOwned ? ('finalizers' in metadata ? 'adopt' : 'disown') : 'release'} ${call.name}`;
  }
  if (call.do !== 'update') return `${call.do} ${'name' in call ? call.name : ''}`;
  const { conditions = [], uncountedTerminatedPods: uncounted, ...counters } = call.object['status'] as unknown as StatusBody;
  const names = ['active', 'ready', 'terminating', 'succeeded', 'failed', 'completedIndexes', 'failedIndexes'];
  return [
    'status',
    ...names.filter((name) => counters[name]).map((name) => `${name}=${counters[name]}`),
    ...(uncounted.succeeded ?? []).map((uid) => `+${uid.slice(4)}`),
    ...(uncounted.failed ?? []).map((uid) => `-${uid.slice(4)}`),
    ...conditions.map(({ type, status, reason }) => (status === 'True' ? `${type}/${reason}` : `not ${type}`)),
  ].join(' ');
}

export const indexed = { completionMode: 'Indexed' };
export const perIndex = { completionMode: 'Indexed', backoffLimitPerIndex: 1 };
/** A policy with one rule, for the exit code 42. */
export const onExitCode = (action: string): object => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] },
});
export const running = (name: string): ApiObject => createPod(name);
export const ready = (name: string): ApiObject => createPod(name, { isReady: true });
