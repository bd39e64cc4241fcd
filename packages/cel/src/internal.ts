/** What sister packages of this repository use beyond the public entry. Not covered by semantic versioning: they pin this exact version. */
export {
  type CelBounds,
  type CelMeter,
  type CelProgram,
  type CelValues,
  type CelWork,
  createBounds,
  createCelValues,
  summarizeError,
  weighValue,
} from './bounded.ts';
export { childrenOf, nodesIn } from './guard.ts';
export { type CelLibrary, type CelPart, type CelValueMaker, createValueMaker } from './library.ts';
export { kubernetesParts, withParts } from './parts.ts';
export { isSame } from './same.ts';
