export {
  briefly,
  type CelBounds,
  type CelMeter,
  type CelProgram,
  type CelValues,
  type CelWork,
  createBounds,
  createCelValues,
  sizeOf,
  weighValue,
} from './bounded.ts';
export { childrenOf, nodesIn } from './guard.ts';
export {
  CelFailure,
  type CelLibrary,
  type CelPart,
  type CelValueMaker,
  createValueMaker,
} from './library.ts';
export { kubernetesParts, withParts } from './parts.ts';
export { compilePattern, type Pattern } from './regexp/pattern.ts';
export { isSame } from './same.ts';
