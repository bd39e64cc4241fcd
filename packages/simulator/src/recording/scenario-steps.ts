import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import { clean, controllerOf, type NodeFields } from './scenario-objects.ts';
import { type ObjectVersion, type RecordedKind, refKey } from './types.ts';

export interface RepeatedWrite {
  readonly version: ObjectVersion;
  readonly step: Step;
}

/** A step or fault of a scenario, without its times. */
export type Step = Readonly<Record<string, unknown>>;

/** The writes of users as steps. */
export function repeatWrites(versions: readonly ObjectVersion[]): RepeatedWrite[] {
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
  const isNew = previous === undefined || previous.change === 'delete';
  const isChanged = isNew ? change === 'create' : !deepEqual(object?.['spec'], previous.object?.['spec']);
  return object && isChanged ? { apply: clean(version) } : undefined;
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
