import type { View as ViewOf } from '../harness/views.ts';

/** The resources that the controllers must have listed completely. */
export const requiredResources = ['services', 'pods', 'nodes', 'endpoints', 'endpointslices'] as const;

/** The state of the caches of a process. */
export type View = ViewOf<(typeof requiredResources)[number]>;
