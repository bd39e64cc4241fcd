/** The endpoints controller and the EndpointSlice controller, for any API that a port reaches. */
export type { ControllerEvent, ControllerName, SyncOutcome } from './controller-event.ts';
export { type Controllers, type ControllersStats, createControllers } from './controllers.ts';
export type { ControllersOptions } from './options.ts';
export type { Workloads } from './workloads.ts';
