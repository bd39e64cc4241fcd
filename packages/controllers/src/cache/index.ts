/** Caches that stay like the server's objects, and what they keep of each. */
export type { Cache, CacheEvent, CacheListener, Informer, InformerState } from './cache.ts';
export { createInformer, type InformerOptions } from './informer.ts';
export { keyOf } from './key.ts';
export { projectEndpoints } from './projections/endpoints.ts';
export { createInternTable, type InternTable } from './projections/intern.ts';
export { type Namespace, projectNamespace } from './projections/namespace.ts';
export { projectNode } from './projections/node.ts';
export { projectPod } from './projections/pod.ts';
export { createProjections, type Projections } from './projections/projections.ts';
export type { KnownPod } from './projections/reference.ts';
export { projectService } from './projections/service.ts';
export { projectSlice } from './projections/slice.ts';
