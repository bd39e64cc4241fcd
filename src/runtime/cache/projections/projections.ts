import type { ApiObject } from '../../../port/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from '../../../types/index.ts';
import { projectEndpoints } from './endpoints.ts';
import { createInternTable, type InternTable } from './intern.ts';
import { type Namespace, projectNamespace } from './namespace.ts';
import { projectNode } from './node.ts';
import { projectPod } from './pod.ts';
import { projectService } from './service.ts';
import { projectSlice } from './slice.ts';

/** What caches keep of objects. Together they share texts and lists that repeat. */
export interface Projections {
  pod(object: ApiObject): Pod;
  service(object: ApiObject): Service;
  node(object: ApiObject): Node;
  endpoints(object: ApiObject): EndpointsInput;
  slice(object: ApiObject): EndpointSliceInput;
  namespace(object: ApiObject): Namespace;
}

/** Makes the projections of the caches of one host. */
export function createProjections(table: InternTable = createInternTable()): Projections {
  return {
    pod: (object) => projectPod(object, table),
    service: (object) => projectService(object, table),
    node: (object) => projectNode(object, table),
    endpoints: (object) => projectEndpoints(object, table),
    slice: (object) => projectSlice(object, table),
    namespace: (object) => projectNamespace(object, table),
  };
}
