import type { View } from '../harness/views.ts';

/** The resources that a process must have listed completely before its controllers write. */
export const requiredResources = ['services', 'pods', 'nodes', 'endpoints', 'endpointslices'] as const;

/** For each required resource, the version up to which a process has cached all changes. */
export type ControllerView = View<(typeof requiredResources)[number]>;
