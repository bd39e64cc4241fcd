export { briefly, type CelBounds, type CelMeter, type CelProgram, type CelWork, createBounds, sizeOf, weighValue } from './bounded.ts';
export type { CelTextForms } from './functions/formats.ts';
export { childrenOf } from './guard.ts';
export {
  CelFailure,
  type CelFunction,
  type CelLibrary,
  type CelPart,
  type CelType,
  type CelValueMaker,
  createValueMaker,
} from './library.ts';
export { kubernetesParts } from './parts.ts';
export { isSame } from './same.ts';
export { type CelValues, createCelValues } from './values.ts';
export { withParts } from './with-parts.ts';
