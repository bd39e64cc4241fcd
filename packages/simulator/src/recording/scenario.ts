import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { maxTimeMs } from '../analysis/fields.ts';
import { describeService, type EmptyPeriod } from './service-history.ts';
import { type ServiceName, usesSlices } from './service-state.ts';
import type { Transition } from './service-sweep.ts';
import { type History, type ObjectVersion, type RecordedKind, RecordingError, refKey } from './types.ts';

/** What users did, which probes failed, and which writes were late, in the fields of a scenario of `checkSimulation`. */
export interface RecordedScenario {
  /** The cluster at the start, without what controllers and components write. */
  readonly objects: readonly ApiObject[];
  /** The writes of users, with their times since the start. */
  readonly steps: readonly RecordedStep[];
  /** Readiness probes that failed, and controllers that stood still, for late writes of endpoints. */
  readonly faults: readonly RecordedFault[];
}

/** A scenario, and the times without a ready address that it does not repeat: pods ceased to be ready for another reason than their probes. */
export interface Rerun {
  readonly scenario: RecordedScenario;
  readonly notRepeated: readonly EmptyPeriod[];
}

type RecordedStep = { readonly at: string } & Step;

/** Without `to`, it lasted until the end of the recording. */
type RecordedFault = { readonly from: string; readonly to?: string } & Step;

/**
 * Makes a scenario that repeats what happened to a Service, for `simulate`: it finds out what would have prevented failing requests.
 * Its times begin at the start, or earlier if a probe must have begun to fail before.
 * @param from the start, in milliseconds since the epoch; by default, when the Service first had a ready address
 * @throws RecordingError if there is no such time, the recording does not show the Service and its pods' owners then, or it is too long
 */
export function createScenario(history: History, name: ServiceName, from?: number): Rerun {
  const { versions } = history;
  const { steps, late, emptyPeriods } = describeService(history, name);
  const first = steps.find(({ ready }) => ready > 0);
  if (!first) throw new RecordingError(`Service ${name.namespace}/${name.name} never had a ready address: there is nothing to repeat`);
  const startId = from === undefined ? first.version : versions.findLastIndex(({ time }) => time.latest <= from);
  const start = from ?? first.time.latest;
  const objects = collectObjects(versions, startId);
  const selector = selectorOf(objects, name);
  const periods = emptyPeriods.filter(
    (period) => period.from.latest >= start && period.losses.length > 0 && period.losses.every(isByItself),
  );
  const probePeriods = periods
    .filter(hasProbe)
    .map(({ losses, readyAgain }) => ({ from: Math.min(...losses.map(failingSince)), readyAgain }));
  const zero = Math.min(start, ...probePeriods.map((period) => period.from));
  const sinceZero = (time: number): string => formatTime(Math.max(0, Math.round(time - zero)));
  const lateWrites = late
    .filter((delay) => delay.hop === 'sliceWrite' && delay.from.latest >= start)
    // One write may be late for several pods.
    .filter(({ effect }, i, all) => all.findIndex((other) => other.effect === effect) === i);
  const controller = usesSlices(history, name) ? 'endpointslice-controller' : 'endpoints-controller';
  const faultOf = (begin: number, end: number | undefined, step: Step): RecordedFault => ({
    from: sinceZero(begin),
    ...(end !== undefined && { to: sinceZero(end) }),
    ...step,
  });
  return {
    scenario: {
      objects: objects.flatMap(clean),
      steps: repeatWrites(versions).flatMap(({ version, step }) =>
        version.id > startId && version.time.latest >= start ? [{ at: sinceZero(version.time.latest), ...step }] : [],
      ),
      faults: [
        ...probePeriods.map((period) =>
          faultOf(period.from, period.readyAgain?.earliest, { failProbe: { namespace: name.namespace, selector, probe: 'readiness' } }),
        ),
        ...lateWrites.map((delay) => faultOf(delay.from.latest, delay.to?.earliest, { stopController: { name: controller } })),
      ],
    },
    notRepeated: periods.filter((period) => !hasProbe(period)),
  };
}

/** @throws RecordingError if a scenario cannot be as long */
function formatTime(milliseconds: number): string {
  if (milliseconds > maxTimeMs) throw new RecordingError('a scenario lasts at most 6 hours: start it later, with --at');
  return `${milliseconds / 1000}s`;
}

interface Probe {
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

/** Whether a pod ceased to be ready, but was not removed. */
const isByItself = ({ version: { kind, change, object } }: Transition): boolean =>
  kind === 'Pod' && change !== 'delete' && object?.metadata.deletionTimestamp === undefined;

const probeOf = ({ version: { object } }: Transition): Probe | undefined =>
  ((object?.['spec'] as { readonly containers?: readonly { readonly readinessProbe?: Probe }[] } | undefined)?.containers ?? []).find(
    ({ readinessProbe }) => readinessProbe,
  )?.readinessProbe;

/** Whether probes can have made all pods unready. The node lifecycle controller does so, too. */
const hasProbe = ({ losses }: EmptyPeriod): boolean =>
  losses.every((loss) => probeOf(loss) !== undefined && !(loss.version.writer?.component ?? '').startsWith('node-'));

/** When the probe of a pod began to fail at the latest, in milliseconds since the epoch. */
function failingSince(loss: Transition): number {
  const { periodSeconds = 10, failureThreshold = 3 } = probeOf(loss) ?? {};
  return loss.version.time.latest - periodSeconds * failureThreshold * 1000;
}

/** The kinds that users write. Of Pods, those without a controller. */
const userKinds: readonly RecordedKind[] = ['Node', 'Service', 'Deployment', 'ReplicaSet', 'Pod'];

/** The objects of users that exist after a version, and those that the recording shows later, although no write created them. */
function collectObjects(versions: readonly ObjectVersion[], startId: number): ObjectVersion[] {
  const known = new Set<string>();
  const current = new Map<string, ObjectVersion>();
  for (const version of versions) {
    const key = refKey(version);
    const isFirst = !known.has(key);
    known.add(key);
    if (!userKinds.includes(version.kind) || controllerOf(version)) continue;
    if (version.id > startId && !(isFirst && version.change !== 'create')) continue;
    if (version.change === 'delete' && version.id <= startId) current.delete(key);
    else current.set(key, version);
  }
  return [...current.values()];
}

const controllerOf = ({ object }: ObjectVersion): { readonly kind?: string } | undefined =>
  (object?.metadata.ownerReferences as readonly { readonly controller?: boolean; readonly kind?: string }[] | undefined)?.find(
    ({ controller }) => controller,
  );

/** The selector of the Service. @throws RecordingError if a part of the Service is missing */
function selectorOf(objects: readonly ObjectVersion[], { namespace, name }: ServiceName): unknown {
  const own = objects.filter((version) => version.namespace === namespace && version.object);
  const service = own.find((version) => version.kind === 'Service' && version.name === name);
  const missing = [
    ...(service ? [] : [`Service ${namespace}/${name}`]),
    ...(own.some(({ kind }) => kind !== 'Service') ? [] : [`a Deployment of ${namespace}`]),
  ];
  if (missing.length > 0)
    throw new RecordingError(`the recording does not show ${missing.join(' and ')} at the start: add a dump of the objects with -f`);
  return (service?.object?.['spec'] as { readonly selector?: unknown } | undefined)?.selector;
}

/** An object as a user would write it. */
function clean({ kind, object }: ObjectVersion): ApiObject[] {
  if (!object) return [];
  const { apiVersion, metadata, status, ...fields } = object;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !writtenAnnotations.has(key));
  return [
    {
      ...{ apiVersion, kind },
      metadata: {
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        name: metadata.name,
        ...(metadata.labels && { labels: metadata.labels }),
        ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
      },
      ...(kind === 'Node' ? cleanNode(fields['spec'] as NodeFields['spec'], status) : { spec: fields['spec'] }),
    } as ApiObject,
  ];
}

/** Annotations that controllers and kubectl write. */
const writtenAnnotations: ReadonlySet<string> = new Set([
  'deployment.kubernetes.io/revision',
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

interface NodeFields {
  readonly spec?: { readonly taints?: readonly { readonly key?: string | null }[]; readonly unschedulable?: boolean };
  readonly status?: { readonly capacity?: object; readonly allocatable?: object };
}

/** Taints and conditions are what the node lifecycle controller and the kubelet write. */
function cleanNode(spec: NodeFields['spec'], status: unknown): NodeFields {
  const { capacity, allocatable } = (status ?? {}) as NonNullable<NodeFields['status']>;
  const taints = (spec?.taints ?? []).filter(({ key }) => !key?.startsWith('node.kubernetes.io/'));
  return {
    spec: { ...(taints.length > 0 && { taints }), ...(spec?.unschedulable && { unschedulable: true }) },
    ...(capacity && { status: { capacity, ...(allocatable && { allocatable }) } }),
  };
}

interface RepeatedWrite {
  readonly version: ObjectVersion;
  readonly step: Step;
}

type Step = Readonly<Record<string, unknown>>;

/** The writes of users as steps. */
function repeatWrites(versions: readonly ObjectVersion[]): RepeatedWrite[] {
  const last = new Map<string, ObjectVersion>();
  return versions.flatMap((version) => {
    const key = refKey(version);
    const previous = last.get(key);
    last.set(key, version);
    const step = repeatByKind[version.kind]?.(version, previous);
    return step ? [{ version, step }] : [];
  });
}

type Repeat = (version: ObjectVersion, previous: ObjectVersion | undefined) => Step | undefined;

const repeatByKind: Readonly<Partial<Record<RecordedKind, Repeat>>> = {
  Deployment: repeatWrite,
  Service: repeatWrite,
  Node(version, previous) {
    const [before, after] = [previous, version].map((each) => (each?.object?.['spec'] as NodeFields['spec'])?.unschedulable === true);
    return !previous?.object || !version.object || before === after ? undefined : { [after ? 'cordon' : 'uncordon']: [version.name] };
  },
  Pod: repeatRemoval,
};

/** Controllers write the status of a Deployment, users and autoscalers its spec. */
function repeatWrite(version: ObjectVersion, previous: ObjectVersion | undefined): Step | undefined {
  const { kind, namespace, name, change, object } = version;
  if (change === 'delete') return { delete: { kind, namespace, name } };
  if (!object || (!previous && change !== 'create') || (previous && deepEqual(object['spec'], previous.object?.['spec']))) return undefined;
  return { apply: clean(version) };
}

/** Evictions and deletions by users. The pods of a controller have other names in a simulation. */
function repeatRemoval(version: ObjectVersion, previous: ObjectVersion | undefined): Step | undefined {
  const { kind, namespace, name, change, object = previous?.object, isEviction, writer } = version;
  const isDeleted = (each: ObjectVersion | undefined): boolean =>
    each?.change === 'delete' || each?.object?.metadata.deletionTimestamp !== undefined;
  const isByUser = writer !== undefined && !componentNames.test(writer.component);
  const isEvicted = isEviction || hasEvictionCondition(version);
  if (!isDeleted(version) || isDeleted(previous) || change === 'observe' || !(isEvicted || isByUser)) return undefined;
  const { 'pod-template-hash': _, ...selector } = object?.metadata.labels ?? {};
  const pods = object && controllerOf({ ...version, object }) ? { namespace, selector, count: 1 } : { namespace, name };
  return isEvicted ? { evict: pods } : { delete: { kind, ...pods } };
}

interface PodStatus {
  readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
}

const hasEvictionCondition = ({ object }: ObjectVersion): boolean =>
  ((object?.['status'] ?? {}) as PodStatus).conditions?.some(
    ({ type, reason }) => type === 'DisruptionTarget' && reason === 'EvictionByEvictionAPI',
  ) ?? false;

/** The components of a cluster that delete pods. */
const componentNames = /^(kubelet(\/|$)|kube-)|-(controller|collector)$/;
