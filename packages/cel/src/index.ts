export { briefly, type CelBounds, type CelMeter, type CelProgram, type CelWork, createBounds, sizeOf, weighValue } from './bounded.ts';
export { childrenOf, nodesIn } from './guard.ts';
export {
  CelFailure,
  type CelLibrary,
  type CelPart,
  type CelValueMaker,
  createValueMaker,
} from './library.ts';
export { kubernetesParts } from './parts.ts';
export { compilePattern, type Pattern } from './regexp/pattern.ts';
export { isSame } from './same.ts';
export { type CelValues, createCelValues } from './values.ts';
export { withParts } from './with-parts.ts';
