/**
 * Where the semantics moved, as data: a row a change. Nowhere else is a version compared. The rows are in the folder
 * beside this file, by controller.
 */
import { type EndpointsGateName, endpointsGates } from './gates/endpoints.ts';
import type { Gate } from './gates/gate.ts';
import { type MirroringGateName, mirroringGates } from './gates/mirroring.ts';
import { type SlicesGateName, slicesGates } from './gates/slices.ts';

export { type EndpointsGateName, endpointsGates } from './gates/endpoints.ts';
export type { Also, Gate, Stage } from './gates/gate.ts';
export { type MirroringGateName, mirroringGates } from './gates/mirroring.ts';
export { type SlicesGateName, slicesGates } from './gates/slices.ts';

/** The name of a gate: a stable identifier. */
export type GateName = EndpointsGateName | SlicesGateName | MirroringGateName;

export const gates: Readonly<Record<GateName, Gate>> = { ...endpointsGates, ...slicesGates, ...mirroringGates };
