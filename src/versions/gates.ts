/**
 * Every change between releases, as data: one row per change. No other code compares versions. The rows are in `gates/`, one file per
 * controller, and one for hints.
 */
import { type ControllerGateName, controllerGates, controllerSummaries } from './gates/controllers.ts';
import { type EndpointsGateName, endpointsGates, endpointsSummaries } from './gates/endpoints.ts';
import type { Gate, GateRow } from './gates/gate.ts';
import { type HintsGateName, hintsGates, hintsSummaries } from './gates/hints.ts';
import { type MirroringGateName, mirroringGates, mirroringSummaries } from './gates/mirroring.ts';
import { type SlicesGateName, slicesGates, slicesSummaries } from './gates/slices.ts';

export { type ControllerGateName, controllerGates } from './gates/controllers.ts';
export { type EndpointsGateName, endpointsGates } from './gates/endpoints.ts';
export type { AffectedOutput, FeatureSwitch, Gate, Stage } from './gates/gate.ts';
export { type HintsGateName, hintsGates } from './gates/hints.ts';
export { type MirroringGateName, mirroringGates } from './gates/mirroring.ts';
export { type SlicesGateName, slicesGates } from './gates/slices.ts';

/** The name of a gate. Names are stable identifiers. */
export type GateName = EndpointsGateName | SlicesGateName | HintsGateName | MirroringGateName | ControllerGateName;

/** The changes between releases, by gate, without their summaries. */
export const gateRows: Readonly<Record<GateName, GateRow>> = {
  ...endpointsGates,
  ...slicesGates,
  ...hintsGates,
  ...mirroringGates,
  ...controllerGates,
};

/** The changes between releases, by gate: what each changes, and from which release on. */
export const gates: Readonly<Record<GateName, Gate>> = /* @__PURE__ */ addSummaries([
  endpointsSummaries,
  slicesSummaries,
  hintsSummaries,
  mirroringSummaries,
  controllerSummaries,
]);

function addSummaries(tables: readonly Readonly<Partial<Record<GateName, string>>>[]): Record<GateName, Gate> {
  const entries = tables.flatMap((table) => Object.entries(table) as [GateName, string][]);
  return Object.fromEntries(entries.map(([name, summary]) => [name, { ...gateRows[name], summary }])) as Record<GateName, Gate>;
}
