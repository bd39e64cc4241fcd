/** Caches that follow the server's objects, and the projections that they store. */
export type { Cache, CacheEvent, CacheListener, Informer, InformerEvent, InformerObserver, InformerState } from './cache.ts';
export { createInformer, type InformerOptions } from './informer.ts';
export { createInternTable, type InternTable } from './projections/intern.ts';
export { createProjections } from './projections/projections.ts';
export type { CachedPod } from './projections/reference.ts';
export { projectService } from './projections/service.ts';
