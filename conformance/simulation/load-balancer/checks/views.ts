import type { View as Any, Views as Some } from '../../harness/views.ts';

/** The resources that the controller must have listed completely. */
export const needed = ['services', 'nodes'] as const;

/** What a process knew of the cluster. */
export type View = Any<(typeof needed)[number]>;
export type Views = Some<(typeof needed)[number]>;
