/** The four patch types, as pure functions over plain objects. */
export {
  createFieldManager,
  type FieldManager,
  type FieldManagerOptions,
  type FieldManagerWrite,
} from './apply/field-manager.ts';
export { createFieldSet, type FieldSet } from './apply/field-set.ts';
export { createFieldsCache, type FieldsCache } from './apply/fields-cache.ts';
export { changesOnlyTimes, decodeManagedFields, managerOf } from './apply/managed-fields.ts';
export { MergeProblem, mergeConfiguration } from './apply/merge-configuration.ts';
export { createFieldElement } from './apply/path-element.ts';
export type { FieldValidation, PatchedDocument } from './errors.ts';
export { encode as encodeJson, formatGvk } from './go-format.ts';
export { applyJsonPatch, maxCopiedBytes, maxOperations } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { applyStrategicMergePatch, formatStrategicPatch } from './strategic/merge.ts';
export { builtInKind, builtInType, type KindTypes } from './types/built-in.ts';
export { structuralType } from './types/structural.ts';
export { deducedType, type TypeRef } from './types/type.ts';
