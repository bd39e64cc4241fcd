import type { ApiObject } from 'kube-endpoints/port';
import type { ServiceName } from './service-state.ts';
import { type ObjectVersion, type RecordedKind, RecordingError, refKey } from './types.ts';

/** The kinds that users write. Of Pods, those without a controller. */
const userKinds: readonly RecordedKind[] = ['Node', 'Service', 'Deployment', 'ReplicaSet', 'Pod'];

/** The objects of users that exist after a version, and those that the recording shows later, although no write created them. */
export function collectObjects(versions: readonly ObjectVersion[], startId: number): ObjectVersion[] {
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

export const controllerOf = ({ object }: ObjectVersion): { readonly kind?: string } | undefined =>
  (object?.metadata.ownerReferences as readonly { readonly controller?: boolean; readonly kind?: string }[] | undefined)?.find(
    ({ controller }) => controller,
  );

/** The selector of the Service. @throws RecordingError if a part of the Service is missing */
export function selectorOf(objects: readonly ObjectVersion[], { namespace, name }: ServiceName): unknown {
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
export function clean({ kind, object }: ObjectVersion): ApiObject[] {
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

export interface NodeFields {
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
