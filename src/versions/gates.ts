/**
 * Every change between releases, as data: one row per change. No other code compares versions. The rows are in `gates/`, one file per
 * controller.
 */
import { type ControllerGateName, controllerGates } from './gates/controllers.ts';
import { type EndpointsGateName, endpointsGates } from './gates/endpoints.ts';
import type { Gate } from './gates/gate.ts';
import { type MirroringGateName, mirroringGates } from './gates/mirroring.ts';
import { type SlicesGateName, slicesGates } from './gates/slices.ts';

export { type ControllerGateName, controllerGates } from './gates/controllers.ts';
export { type EndpointsGateName, endpointsGates } from './gates/endpoints.ts';
export type { AffectedOutput, FeatureSwitch, Gate, Stage } from './gates/gate.ts';
export { type MirroringGateName, mirroringGates } from './gates/mirroring.ts';
export { type SlicesGateName, slicesGates } from './gates/slices.ts';

/** The name of a gate. Names are stable identifiers. */
export type GateName = EndpointsGateName | SlicesGateName | MirroringGateName | ControllerGateName;

/** The changes between releases, by gate: what each changes, and from which release on. */
export const gates: Readonly<Record<GateName, Gate>> = {
  ...endpointsGates,
  ...slicesGates,
  ...mirroringGates,
  ...controllerGates,
};
