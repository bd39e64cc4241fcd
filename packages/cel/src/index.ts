/** Kubernetes' dialect of CEL with bounded work, and RE2 patterns in linear time. */
export { type CelExpression, compileExpression } from './expression.ts';
export { CelFailure } from './library.ts';
export { compilePattern, type Pattern } from './regexp/pattern.ts';
