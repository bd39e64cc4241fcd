import type { View as Any } from '../harness/views.ts';

/** The resources that the controllers must have listed completely. */
export const needed = ['services', 'pods', 'nodes', 'endpoints', 'endpointslices'] as const;

/** What a replica knew at some moment. */
export type View = Any<(typeof needed)[number]>;
