import type { View as Any } from '../harness/views.ts';

/** Of what the controllers have to know everything. */
export const needed = ['services', 'pods', 'nodes', 'endpoints', 'endpointslices'] as const;

/** What a replica knew at some moment. */
export type View = Any<(typeof needed)[number]>;
