import type { View as ViewOf, Views as ViewsOf } from '../../harness/views.ts';

/** The resources that the controller must have listed completely. */
export const requiredResources = ['services', 'nodes'] as const;

/** The state of the caches of a process. */
export type View = ViewOf<(typeof requiredResources)[number]>;
export type Views = ViewsOf<(typeof requiredResources)[number]>;
