import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Node, Service } from 'kube-endpoints/types';
import { projectEndpoints } from './endpoints.ts';
import { createInternTable, type InternTable } from './intern.ts';
import { type Namespace, projectNamespace } from './namespace.ts';
import { projectNode } from './node.ts';
import { projectKnownPod } from './pod.ts';
import { type KnownPod, noPods, type PodOf } from './reference.ts';
import { projectService } from './service.ts';
import { projectSlice } from './slice.ts';

/** What caches keep of objects. Together they share texts and lists that repeat. */
export interface Projections {
  pod(object: ApiObject): KnownPod;
  service(object: ApiObject): Service;
  node(object: ApiObject): Node;
  endpoints(object: ApiObject): EndpointsInput;
  slice(object: ApiObject): EndpointSliceInput;
  namespace(object: ApiObject): Namespace;
}

/** Makes the projections of the caches of one host, in which addresses share what is the same with the pods that are known. */
export function createProjections(table: InternTable = createInternTable(), podOf: PodOf = noPods): Projections {
  return {
    pod: (object) => projectKnownPod(object, table, podOf),
    service: (object) => projectService(object, table),
    node: (object) => projectNode(object, table),
    endpoints: (object) => projectEndpoints(object, table, podOf),
    slice: (object) => projectSlice(object, table, podOf),
    namespace: (object) => projectNamespace(object, table),
  };
}
