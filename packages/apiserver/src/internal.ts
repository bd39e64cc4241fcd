/** Exports for the other packages of this repository only. Not covered by semantic versioning: those packages pin this exact version. */
export { findDecodeProblem } from './api-types/codec/decode.ts';
export { kindType } from './api-types/index.ts';
export { createServiceAllocators } from './options.ts';
export { applyMergePatch, applyStrategicMergePatch, builtInKind } from './patch/index.ts';
export { createBuiltInStrategies } from './registry/built-in.ts';
export { generateName } from './registry/create.ts';
export { decideDeletion, markAsDeleting, updateGarbageCollectionFinalizers } from './registry/deletion.ts';
export { chargeDisruptionBudget } from './registry/disruption-budgets.ts';
export { foregroundFinalizer, orphanFinalizer } from './registry/metadata.ts';
export type { ResourceStrategy } from './registry/strategy.ts';
export { bindPod } from './resources/pods/binding.ts';
export { invalidObject } from './resources/status.ts';
export { alreadyExists, conflict, notFound } from './store/errors.ts';
