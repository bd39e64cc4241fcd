/** Kubernetes' dialect of CEL with bounded work, and RE2 patterns in linear time. */
export { type CelBounds, type CelMeter, type CelProgram, type CelValues, type CelWork, createBounds, createCelValues } from './bounded.ts';
export { CelFailure } from './library.ts';
export { compilePattern, type Pattern } from './regexp/pattern.ts';
