import type { View as Any, Views as Some } from '../../harness/views.ts';

/** Of what the controller has to know everything. */
export const needed = ['services', 'nodes'] as const;

/** What a process has known of the cluster. */
export type View = Any<(typeof needed)[number]>;
export type Views = Some<(typeof needed)[number]>;
