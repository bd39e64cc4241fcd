import { zoneLabel } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Service } from 'kube-endpoints/types';
import { projectEndpoints, projectSlice } from './endpoints.ts';
import { createInternTable, type InternTable, noInterning, pick, projectMetadata } from './intern.ts';
import { projectCachedPod } from './pod.ts';
import { type CachedPod, type FindPod, noPods } from './reference.ts';
import { projectService } from './service.ts';

/** Converts objects to the forms that the caches store. The projections share equal strings and values. */
export interface Projections {
  pod(object: ApiObject): CachedPod;
  service(object: ApiObject): Service;
  node(object: ApiObject): Node;
  endpoints(object: ApiObject): EndpointsInput;
  slice(object: ApiObject): EndpointSliceInput;
  namespace(object: ApiObject): Namespace;
}

/** Creates the projections for the caches of one host. Addresses share strings and references with the cached pods. */
export function createProjections(table: InternTable = createInternTable(), findPod: FindPod = noPods): Projections {
  return {
    pod: (object) => projectCachedPod(object, table, findPod),
    service: (object) => projectService(object, table),
    node: (object) => projectNode(object, table),
    endpoints: (object) => projectEndpoints(object, table, findPod),
    slice: (object) => projectSlice(object, table, findPod),
    namespace: (object) => projectNamespace(object, table),
  };
}

/** A namespace, with the fields that show whether it is being deleted. */
export interface Namespace {
  readonly metadata: ObjectMeta;
  readonly status: { readonly phase: string | undefined };
}

/** Projects the fields of a namespace that show whether it is being deleted. */
export function projectNamespace({ metadata, status }: ApiObject, table: InternTable = noInterning): Namespace {
  const { phase } = (status ?? {}) as { readonly phase?: string };
  return { metadata: projectMetadata(metadata, undefined, table), status: { phase: table.internText(phase) } };
}

type Status = NonNullable<Node['status']>;

/** Projects the fields of a node that slices read: name, zone, control-plane labels, readiness and CPU. */
export function projectNode({ metadata, status }: ApiObject, table: InternTable = noInterning): Node {
  const { conditions, allocatable } = (status ?? {}) as Status;
  const readyCondition = conditions?.find(({ type }) => type === 'Ready');
  const cpu = allocatable?.['cpu'];
  return {
    metadata: projectMetadata(metadata, pick(metadata.labels, usedLabels), table),
    status: {
      ...(readyCondition && { conditions: table.internValue([{ type: 'Ready', status: readyCondition.status }]) }),
      ...(cpu !== undefined && { allocatable: table.internValue({ cpu }) }),
    },
  };
}

const usedLabels: readonly string[] = [zoneLabel, 'node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
