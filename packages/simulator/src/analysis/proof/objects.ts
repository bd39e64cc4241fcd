import { isPodReady } from 'kube-endpoints/internal';
import { selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { controllerOf } from '../../workloads/owner-references.ts';
import { findContainer } from '../pods.ts';
import { keyOf } from '../world.ts';
import type { EndingContainer, EndingSpec } from './bounds.ts';

/** The parts of objects that proofs read. */
export interface ProvenService extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>> | null;
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly targetPort?: number | string }[];
    readonly publishNotReadyAddresses?: boolean;
    readonly internalTrafficPolicy?: string;
    readonly externalTrafficPolicy?: string;
    readonly trafficDistribution?: string;
  };
}

interface ProvenContainer extends EndingContainer {
  readonly name: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Probe {
  readonly timeoutSeconds?: number;
}

/** A pod, or a template of pods. */
export interface PodLike extends ApiObject {
  readonly spec?: Omit<EndingSpec, 'containers'> & {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly restartPolicy?: string;
    readonly containers?: readonly ProvenContainer[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[] };
}

/** Whether a Service selects a pod or a template. Without a selector, it selects none. */
export const selects = ({ metadata, spec }: ProvenService, pod: PodLike): boolean =>
  !!spec?.selector &&
  metadata.namespace === pod.metadata.namespace &&
  selectorMatches({ matchLabels: spec.selector }, pod.metadata.labels ?? {});

export const isReady = (pod: PodLike): boolean => !pod.metadata.deletionTimestamp && isPodReady(pod as Pod);

/** The template of a workload, as a pod without a name; undefined if it has none. */
export function templateOf({ metadata: { namespace }, ...workload }: ApiObject): PodLike | undefined {
  const { template } = (workload['spec'] ?? {}) as { readonly template?: { readonly metadata?: object; readonly spec?: object } };
  return template && ({ metadata: { ...template.metadata, namespace }, spec: template.spec } as PodLike);
}

/** The key of the workload that a pod belongs to, such as "Deployment shop/web"; of a pod of its own, "Pod shop/web". */
export function workloadOf(pod: PodLike, objects: readonly ApiObject[]): string {
  const owner = controllerOf(pod);
  if (!owner) return keyOf({ ...pod, kind: 'Pod' });
  const { namespace } = pod.metadata;
  const replicaSet = objects.find(({ kind, metadata }) => kind === owner.kind && kind === 'ReplicaSet' && metadata.uid === owner.uid);
  const { kind, name } = (replicaSet && controllerOf(replicaSet)) ?? owner;
  return keyOf({ kind, metadata: { namespace: namespace ?? '', name } });
}

/** The containers that serve the ports of a Service. */
export const servingContainers = (service: ProvenService, pod: PodLike): ProvenContainer[] =>
  (service.spec?.ports ?? []).flatMap(({ name = '' }) => {
    const container = findContainer(pod, service, name);
    return (pod.spec?.containers ?? []).filter((each) => each.name === container);
  });

/** The numbers of the ports that EndpointSlices have for a pod: pods with other numbers are in other slices. */
export const portsOf = (service: ProvenService, { spec }: PodLike): string =>
  (service.spec?.ports ?? [])
    .map(({ port, targetPort = port }) => {
      if (typeof targetPort === 'number') return targetPort;
      return (spec?.containers ?? []).flatMap(({ ports = [] }) => ports).find(({ name }) => name === targetPort)?.containerPort;
    })
    .join();
