import type { View, Views } from '../../harness/views.ts';

/** The resources that a process must have listed completely before its controller calls the cloud. */
export const requiredResources = ['services', 'nodes'] as const;

/** For each required resource, the version up to which a process has cached all changes. */
export type ControllerView = View<(typeof requiredResources)[number]>;
export type ControllerViews = Views<(typeof requiredResources)[number]>;
