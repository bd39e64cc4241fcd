import { type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { type LifecycleHandler, sleepSecondsOf } from '../kubelet/index.ts';
import { jobKind } from '../workloads/job/objects.ts';
import { isWorkload, replicasOf, type World } from './world.ts';

export type FixName =
  | 'preStopSleep'
  | 'gracePeriod'
  | 'maxUnavailable'
  | 'rollingUpdate'
  | 'minReadySeconds'
  | 'readinessProbe'
  | 'readinessPeriod'
  | 'podDisruptionBudget';

/** A change of workloads that may prevent drops. */
export interface FixRow {
  readonly name: FixName;
  /** The field that it sets, relative to the workload, or to the object that it creates. */
  readonly path: string;
  /** `pods` if it has to be in the pods that run before the change, `change` if it is enough in the change. */
  readonly needed: 'pods' | 'change';
  /** What it sets, without a value, for example "a preStop sleep". */
  readonly summary: string;
  /** Whether `value` is a number of its field; otherwise it is 1. */
  readonly hasNumber: boolean;
  /** The whole numbers that it may set for a workload; undefined if it does not apply, or would change nothing. */
  range(workload: Workload, world: World): { readonly min: number; readonly max: number } | undefined;
  apply(workload: Workload, value: number): Workload;
  /** The object that it creates before the change. */
  create?(workload: Workload): ApiObject;
  describe(value: number): string;
}

/** The parts of a Deployment, StatefulSet, DaemonSet or Job that fixes read. */
export interface Workload extends ApiObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly minReadySeconds?: number;
    readonly strategy?: { readonly type?: string; readonly rollingUpdate?: Readonly<Record<string, unknown>> };
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }; readonly spec?: PodSpec };
  };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers?: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop?: LifecycleHandler };
  readonly readinessProbe?: { readonly periodSeconds?: number; readonly failureThreshold?: number };
}

/** In order of their size: how little they change. */
export const fixRows: readonly FixRow[] = [
  {
    name: 'preStopSleep',
    path: 'spec.template.spec.containers[].lifecycle.preStop.sleep.seconds',
    summary: 'a preStop sleep',
    hasNumber: true,
    needed: 'pods',
    range: (workload) => rangeOfSleep(podSpecOf(workload)),
    apply: (workload, seconds) =>
      mapContainers(workload, (container) =>
        hasOtherHook(container) || sleepOf(container) >= seconds
          ? container
          : { ...container, lifecycle: { ...container.lifecycle, preStop: { sleep: { seconds } } } },
      ),
    describe: (seconds) => `a preStop sleep of ${seconds} s`,
  },
  {
    name: 'gracePeriod',
    path: 'spec.template.spec.terminationGracePeriodSeconds',
    summary: 'a longer termination grace period',
    hasNumber: true,
    needed: 'pods',
    range: (workload) => rangeAbove(gracePeriodOf(podSpecOf(workload)), 600),
    apply: (workload, seconds) => withPodSpec(workload, { ...podSpecOf(workload), terminationGracePeriodSeconds: seconds }),
    describe: (seconds) => `a termination grace period of ${seconds} s`,
  },
  {
    name: 'maxUnavailable',
    path: 'spec.strategy.rollingUpdate',
    summary: 'maxUnavailable: 0',
    hasNumber: false,
    needed: 'change',
    range: ({ kind, spec }) =>
      kind === 'Deployment' && spec?.strategy?.type !== 'Recreate' && spec?.strategy?.rollingUpdate?.['maxUnavailable'] !== 0
        ? single
        : undefined,
    apply: (workload) => withStrategy(workload, { maxUnavailable: 0, maxSurge: surgeOf(workload) }),
    describe: () => 'maxUnavailable: 0 with maxSurge',
  },
  {
    name: 'rollingUpdate',
    path: 'spec.strategy',
    summary: 'the strategy RollingUpdate',
    hasNumber: false,
    needed: 'change',
    range: ({ kind, spec }) => (kind === 'Deployment' && spec?.strategy?.type === 'Recreate' ? single : undefined),
    apply: (workload) => withStrategy(workload, { maxUnavailable: 0, maxSurge: 1 }),
    describe: () => 'the strategy RollingUpdate with maxUnavailable: 0 and maxSurge: 1',
  },
  {
    name: 'minReadySeconds',
    path: 'spec.minReadySeconds',
    summary: 'minReadySeconds',
    hasNumber: true,
    needed: 'change',
    range: ({ kind, spec }) => (isJob(kind) ? undefined : rangeAbove(spec?.minReadySeconds ?? 0, 60)),
    apply: (workload, seconds) => ({ ...workload, spec: { ...workload.spec, minReadySeconds: seconds } }),
    describe: (seconds) => `minReadySeconds: ${seconds}`,
  },
  {
    name: 'readinessProbe',
    path: 'spec.template.spec.containers[].readinessProbe',
    summary: 'a readiness probe',
    hasNumber: false,
    needed: 'change',
    range: (workload) => ((podSpecOf(workload).containers ?? []).some(lacksProbe) ? single : undefined),
    apply: (workload) =>
      mapContainers(workload, (container) => {
        const port = container.ports?.[0]?.containerPort;
        return port !== undefined && lacksProbe(container)
          ? { ...container, readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } }
          : container;
      }),
    describe: () => 'a readiness probe of the port',
  },
  {
    name: 'readinessPeriod',
    path: 'spec.template.spec.containers[].readinessProbe',
    summary: 'readiness probes each second',
    hasNumber: false,
    needed: 'pods',
    range: (workload) => ((podSpecOf(workload).containers ?? []).some(isProbedSlowly) ? single : undefined),
    apply: (workload) =>
      mapContainers(workload, (container) =>
        isProbedSlowly(container)
          ? { ...container, readinessProbe: { ...container.readinessProbe, periodSeconds: 1, failureThreshold: 1 } }
          : container,
      ),
    describe: () => 'periodSeconds: 1 and failureThreshold: 1 of readiness probes',
  },
  {
    name: 'podDisruptionBudget',
    path: 'spec.maxUnavailable',
    summary: 'a PodDisruptionBudget',
    hasNumber: false,
    needed: 'change',
    // Rollouts do not ask a budget, and a Job has no scale, which maxUnavailable needs.
    range: (workload, { objects, change }) =>
      change.some(isWorkload) || isJob(workload.kind) || replicasOf(workload) < 2 || objects.some((object) => isBudgetOf(object, workload))
        ? undefined
        : single,
    apply: (workload) => workload,
    create: ({ metadata: { name, namespace }, spec }) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...(namespace !== undefined && { namespace }), name: `${name}-one-at-a-time` },
      spec: { maxUnavailable: 1, selector: spec?.selector },
    }),
    describe: () => 'a PodDisruptionBudget with maxUnavailable: 1 and the selector',
  },
];

const isJob = (kind: string | undefined): boolean => kind === jobKind.kind;

const single = { min: 1, max: 1 };

const rangeAbove = (current: number, max: number): { min: number; max: number } | undefined =>
  current < max ? { min: current + 1, max } : undefined;

/** A sleep has to end before the grace period does; 2 s are left for the process. */
function rangeOfSleep(spec: PodSpec): { min: number; max: number } | undefined {
  const containers = (spec.containers ?? []).filter((container) => !hasOtherHook(container));
  if (containers.length === 0) return undefined;
  const current = Math.floor(Math.min(...containers.map(sleepOf)));
  return rangeAbove(current, Math.min(60, gracePeriodOf(spec) - 2));
}

const podSpecOf = ({ spec }: Workload): PodSpec => spec?.template?.spec ?? {};
const gracePeriodOf = ({ terminationGracePeriodSeconds = 30 }: PodSpec): number => terminationGracePeriodSeconds;
const sleepOf = ({ lifecycle }: Container): number => sleepSecondsOf(lifecycle?.preStop ?? {}) ?? 0;
const hasOtherHook = ({ lifecycle }: Container): boolean =>
  lifecycle?.preStop !== undefined && sleepSecondsOf(lifecycle.preStop) === undefined;
const isProbedSlowly = ({ readinessProbe: probe }: Container): boolean =>
  probe !== undefined && ((probe.periodSeconds ?? 10) > 1 || (probe.failureThreshold ?? 3) > 1);
const isBudgetOf = ({ kind, metadata, spec }: Workload, workload: Workload): boolean =>
  kind === 'PodDisruptionBudget' &&
  metadata.namespace === workload.metadata.namespace &&
  selectorMatches(spec?.selector ?? {}, workload.spec?.template?.metadata?.labels ?? {});
const lacksProbe = ({ readinessProbe, ports = [] }: Container): boolean => !readinessProbe && ports.length > 0;

const withPodSpec = (workload: Workload, podSpec: PodSpec): Workload => ({
  ...workload,
  spec: { ...workload.spec, template: { ...workload.spec?.template, spec: podSpec } },
});

const mapContainers = (workload: Workload, map: (container: Container) => Container): Workload => {
  const podSpec = podSpecOf(workload);
  return withPodSpec(workload, { ...podSpec, containers: (podSpec.containers ?? []).map(map) });
};

const withStrategy = (workload: Workload, rollingUpdate: Readonly<Record<string, unknown>>): Workload => ({
  ...workload,
  spec: { ...workload.spec, strategy: { type: 'RollingUpdate', rollingUpdate } },
});

/** The surge of a Deployment; 1 if it is 0, because one of the two limits must not be 0. */
function surgeOf({ spec }: Workload): unknown {
  const { maxSurge = '25%' } = spec?.strategy?.rollingUpdate ?? {};
  return maxSurge === 0 || maxSurge === '0%' ? 1 : maxSurge;
}
