export {
  type Also,
  type EndpointsGateName,
  endpointsGates,
  type Gate,
  type GateName,
  gates,
  type MirroringGateName,
  mirroringGates,
  type SlicesGateName,
  type Stage,
  slicesGates,
} from './gates.ts';
export { type GateEdges, gateTable, isOpen, newest, type Profile, profileFor } from './profile.ts';
export { firstMinor, formatRelease, isAtLeast, lastMinor, lastPatch, parseRelease, type Release } from './releases.ts';
export { type Span, spanOf } from './span.ts';
