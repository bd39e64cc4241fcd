/** Entry for the other packages of this repository, which pin this exact version. Not covered by semantic versioning. */
export {
  type CelCompiler,
  type CelMeter,
  type CelProgram,
  type CelValues,
  type CelWork,
  comparisonCostOf,
  createCelCompiler,
  createCelValues,
  summarizeError,
} from './bounded.ts';
export { writeText } from './functions/format-values.ts';
export { kindOf } from './functions/kinds.ts';
export { childrenOf, nodesIn } from './guard.ts';
export { type CelLibrary, type CelPart, type CelValueMaker, createValueMaker } from './library.ts';
export { createKubernetesParts, registerParts } from './parts.ts';
export { isSame } from './same.ts';
