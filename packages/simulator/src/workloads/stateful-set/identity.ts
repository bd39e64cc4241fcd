import type { Pod, PodSpec } from '../types.ts';
import { replicasOf, type StatefulSet } from './objects.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
const revisionLabel = 'controller-revision-hash';

/** The name of the StatefulSet in a pod's name, and the ordinal: -1 if the name has none or it exceeds 32 bits. */
interface ParentAndOrdinal {
  readonly parent: string;
  readonly ordinal: number;
}

/** Mirrors getParentNameAndOrdinal (1.36, pkg/controller/statefulset/stateful_set_utils.go), like the other rules of this file. */
function parsePodName({ metadata }: Pod): ParentAndOrdinal {
  const match = /^(.*)-([0-9]+)$/s.exec(metadata.name ?? '');
  if (!match) return { parent: '', ordinal: -1 };
  const ordinal = Number(match[2]);
  return { parent: match[1] as string, ordinal: ordinal > 0x7fffffff ? -1 : ordinal };
}

export const ordinalOf = (pod: Pod): number => parsePodName(pod).ordinal;

/** Whether a pod's name is that of a pod of the StatefulSet. */
export const isMemberOf = (set: StatefulSet, pod: Pod): boolean => parsePodName(pod).parent === set.metadata.name;

export const startOrdinalOf = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

/** The last ordinal of the StatefulSet; below the first one without replicas. */
export const endOrdinalOf = (set: StatefulSet): number => startOrdinalOf(set) + replicasOf(set) - 1;

export function isInOrdinalRange(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  return ordinal >= startOrdinalOf(set) && ordinal <= endOrdinalOf(set);
}

export const podNameOf = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;

/** Whether a pod has the name, the namespace and the label of its ordinal. */
export function isIdentityMatching(set: StatefulSet, pod: Pod): boolean {
  const { parent, ordinal } = parsePodName(pod);
  const { name, namespace, labels } = pod.metadata;
  return (
    ordinal >= 0 &&
    set.metadata.name === parent &&
    name === podNameOf(set, ordinal) &&
    namespace === set.metadata.namespace &&
    labels?.[podNameLabel] === name
  );
}

/** Gives a pod the name, namespace and labels of its ordinal: updateIdentity. */
export function setIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  const name = podNameOf(set, ordinal);
  const labels = { ...pod.metadata.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, name, namespace: set.metadata.namespace ?? '', labels } };
}

/** Also gives a new pod the hostname and subdomain, which cannot be changed later: initIdentity. */
export function setInitialIdentity(set: StatefulSet, pod: Pod): Pod {
  const named = setIdentity(set, pod);
  const { subdomain: _, ...spec }: PodSpec = named.spec ?? {};
  const { serviceName } = set.spec;
  return { ...named, spec: { ...spec, hostname: named.metadata.name ?? '', ...(serviceName && { subdomain: serviceName }) } };
}

/** The name of the revision that a pod was created from; empty if absent. */
export const revisionNameOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? '';

export const setRevisionName = (pod: Pod, revision: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [revisionLabel]: revision } },
});
