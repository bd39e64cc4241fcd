/** Internals for the other packages and for conformance tests. Not covered by semantic versioning. */
export type { Cache, Change, Controller, ControllerContext, Effect, Queue, Steps } from './controller/controller.ts';
