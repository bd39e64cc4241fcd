import { dns1035Label, dns1123Subdomain } from '../../../formats/names.ts';
import type { Causes } from '../../../resources/field/causes.ts';
import { type Fields, sameValue } from '../../../resources/field/read.ts';
import { immutableMessage, maskTrailingDash, validateMetadata, validateMetadataUpdate } from '../../../resources/metadata/validate.ts';
import { type Schema, schemasIn } from '../../schema/schema.ts';
import { addInvalidStruct, addInvalidValue } from '../../validation/problem.ts';
import { type Definition, type DefinitionNames, type DefinitionSpec, type DefinitionVersion, isConditionTrue } from '../definition.ts';
import { type InternalSpec, printVersions, toInternalSpec } from '../internal.ts';
import { validateConversion } from './conversion.ts';
import { validateColumns, validateScale, validateSelectableFields } from './json-paths.ts';
import { validateNames } from './names.ts';
import { validateSchema } from './schema.ts';

/** Mirrors ValidateCustomResourceDefinition (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateDefinition(definition: Definition, causes: Causes): void {
  const { names = {}, group = '' } = definition.spec ?? {};
  const checkName = (name: string): string[] =>
    name === `${names.plural ?? ''}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group'];
  const validateName = (name: string): string[] => [...dns1123Subdomain(name), ...checkName(name)];
  const validateNamePrefix = (prefix: string): string[] => [...dns1123Subdomain(maskTrailingDash(prefix)), ...checkName(prefix)];
  validateMetadata(definition as unknown as Fields, { namespaced: false, name: validateName, prefix: validateNamePrefix }, causes);
  validateSpec(definition.spec ?? {}, undefined, causes);
  validateNames(definition.status?.acceptedNames ?? {}, 'status.acceptedNames', causes);
  validateStoredVersions(definition, causes);
  validateApproval(definition, undefined, causes);
  validatePreserveUnknownFields(definition, causes);
}

/** Mirrors ValidateCustomResourceDefinitionUpdate. */
export function validateDefinitionUpdate(definition: Definition, old: Definition, causes: Causes): void {
  validateMetadataUpdate(definition as unknown as Fields, old as unknown as Fields, {}, causes);
  const [spec, oldSpec] = [definition.spec ?? {}, old.spec ?? {}];
  validateSpec(spec, oldSpec, causes);
  if (isConditionTrue(old, 'Established')) {
    validateImmutable(spec.scope, oldSpec.scope, 'spec.scope', causes);
    validateImmutable(spec.names?.kind, oldSpec.names?.kind, 'spec.names.kind', causes);
  }
  validateImmutable(spec.group, oldSpec.group, 'spec.group', causes);
  validateImmutable(spec.names?.plural, oldSpec.names?.plural, 'spec.names.plural', causes);
  validateNames(definition.status?.acceptedNames ?? {}, 'status.acceptedNames', causes);
  validateStoredVersions(definition, causes);
  validateApproval(definition, old, causes);
  if (oldSpec.preserveUnknownFields !== true) validatePreserveUnknownFields(definition, causes);
}

/** Mirrors ValidateUpdateCustomResourceDefinitionStatus. */
export function validateDefinitionStatus(definition: Definition, old: Definition, causes: Causes): void {
  validateMetadataUpdate(definition as unknown as Fields, old as unknown as Fields, {}, causes);
  validateNames(definition.status?.acceptedNames ?? {}, 'status.acceptedNames', causes);
}

function validateImmutable(newValue: string | undefined, oldValue: string | undefined, field: string, causes: Causes): void {
  if ((newValue ?? '') !== (oldValue ?? '')) causes.invalid(field, newValue ?? '', immutableMessage);
}

function validateSpec(spec: DefinitionSpec, old: DefinitionSpec | undefined, causes: Causes): void {
  const { group = '', scope = '', names = {}, versions = [] } = spec;
  if (group === '') causes.required('spec.group');
  else if (dns1123Subdomain(group).length > 0) causes.invalid('spec.group', group, dns1123Subdomain(group).join(','));
  else if (!group.includes('.')) causes.invalid('spec.group', group, 'should be a domain with at least one dot');
  validateEnum(scope, ['Cluster', 'Namespaced'], 'spec.scope', causes);
  const internalSpec = toInternalSpec(spec);
  if (!internalSpec.validation?.openAPIV3Schema) validateSchemasExist(internalSpec, causes);
  validateDefaultsAllowed(spec, causes);
  validateVersions(internalSpec, old, causes);
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const printedVersions = spec.versions === undefined ? null : printVersions(internalSpec.versions);
    addInvalidStruct(causes, 'spec.versions', printedVersions, 'must have exactly one version marked as storage version');
  }
  if (internalSpec.version !== '') validateLabel(internalSpec.version, 'spec.version', '', causes);
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) if (!names[name]) causes.required(`spec.names.${name}`);
  validateNames(names as DefinitionNames, 'spec.names', causes);
  validateSharedFields(internalSpec, old, causes);
  validateConversion(spec, causes);
}

function validateEnum(value: string, supportedValues: readonly string[], field: string, causes: Causes): void {
  if (value === '') causes.required(field);
  else if (!supportedValues.includes(value)) causes.notSupported(field, value, supportedValues);
}

const validateLabel = (value: string, field: string, messagePrefix: string, causes: Causes): void => {
  const messages = dns1035Label(value);
  if (messages.length > 0) causes.invalid(field, value, messagePrefix + messages.join(','));
};

function validateSchemasExist({ versions }: InternalSpec, causes: Causes): void {
  for (const [i, { schema }] of versions.entries()) {
    if (!schema?.openAPIV3Schema) causes.required(`spec.versions[${i}].schema.openAPIV3Schema`);
  }
}

function validateDefaultsAllowed({ preserveUnknownFields, versions = [] }: DefinitionSpec, causes: Causes): void {
  if (preserveUnknownFields !== true) return;
  const hasDefaults = versions.some(({ schema }) => {
    const root = schema?.openAPIV3Schema;
    return root !== undefined && [...schemasIn(root)].some((each) => each.default !== undefined);
  });
  if (hasDefaults) causes.invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema');
}

function validateVersions(internalSpec: InternalSpec, old: DefinitionSpec | undefined, causes: Causes): void {
  const { versions } = internalSpec;
  for (const [i, version] of versions.entries()) {
    const field = `spec.versions[${i}]`;
    validateLabel(version.name ?? '', `${field}.name`, '', causes);
    validateDeprecation(version, `${field}.deprecationWarning`, causes);
    const subresources = version.subresources ?? internalSpec.subresources;
    const hasStatus = subresources?.status !== undefined;
    if (version.schema) validateSchema(version.schema, { hasStatus, old: findSchema(old, version.name) }, `${field}.schema`, causes);
    validateScale(version.subresources, `${field}.subresources`, causes);
    validateColumns(version.additionalPrinterColumns, `${field}.additionalPrinterColumns`, causes);
    if (!version.selectableFields) continue;
    const { openAPIV3Schema } = version.schema ?? {};
    const skipLimit = hasSameSelectableFields(old, version);
    if (openAPIV3Schema)
      validateSelectableFields(version.selectableFields, openAPIV3Schema, `${field}.selectableFields`, skipLimit, causes);
    // As upstream, the message says the opposite.
    else causes.invalid(`${field}.selectableFields`, '', 'may only be set when `version.schema.openAPIV3Schema` is not included');
  }
  validateTopLevel(internalSpec, causes);
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    addInvalidStruct(causes, 'spec.versions', printVersions(versions), 'must contain unique version names');
  }
}

/** Whether the version's selectable fields are unchanged, so that they may exceed the limit. */
const hasSameSelectableFields = (old: DefinitionSpec | undefined, { name, selectableFields }: DefinitionVersion): boolean =>
  old?.versions?.some((each) => each.name === name && sameValue(each.selectableFields, selectableFields)) === true;

function validateTopLevel({ versions, subresources, additionalPrinterColumns, validation }: InternalSpec, causes: Causes): void {
  const isSetInVersion = (fieldName: 'additionalPrinterColumns' | 'schema' | 'subresources'): boolean =>
    versions.some((version) => version[fieldName] !== undefined);
  if (validation && isSetInVersion('schema'))
    causes.forbidden('spec.validation', 'top-level and per-version schemas are mutually exclusive');
  if (subresources && isSetInVersion('subresources')) {
    causes.forbidden('spec.subresources', 'top-level and per-version subresources are mutually exclusive');
  }
  if (additionalPrinterColumns && isSetInVersion('additionalPrinterColumns')) {
    causes.forbidden('spec.additionalPrinterColumns', 'top-level and per-version additionalPrinterColumns are mutually exclusive');
  }
}

function validateDeprecation({ deprecated, deprecationWarning }: DefinitionVersion, field: string, causes: Causes): void {
  if (deprecationWarning === undefined) return;
  const invalid = (detail: string): void => causes.invalid(field, deprecationWarning, detail);
  if (!deprecated) {
    invalid('can only be set for deprecated versions');
    return;
  }
  // Like Go's len and range, the limit and the index below count bytes.
  if (Buffer.byteLength(deprecationWarning) > 256) invalid('must be <= 256 characters long');
  if (deprecationWarning === '') invalid('must not be an empty string');
  let index = 0;
  for (const char of deprecationWarning) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) {
      invalid(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
      return;
    }
    index += Buffer.byteLength(char);
  }
}

/** The schema of a version in the existing definition. */
const findSchema = (old: DefinitionSpec | undefined, name: string | undefined): Schema | undefined =>
  old?.versions?.find((each) => each.name === name)?.schema?.openAPIV3Schema;

/** Validates the fields that all versions share. */
function validateSharedFields(internalSpec: InternalSpec, old: DefinitionSpec | undefined, causes: Causes): void {
  const { validation, subresources, additionalPrinterColumns, selectableFields, versions } = internalSpec;
  const hasStatus = subresources?.status !== undefined || versions.some((version) => version.subresources?.status !== undefined);
  if (validation) validateSchema(validation, { hasStatus, old: findSchema(old, internalSpec.version) }, 'spec.validation', causes);
  validateScale(subresources, 'spec.subresources', causes);
  validateColumns(additionalPrinterColumns, 'spec.additionalPrinterColumns', causes);
  if (!selectableFields) return;
  const schema = validation?.openAPIV3Schema;
  const skipLimit = old !== undefined && sameValue(toInternalSpec(old).selectableFields, selectableFields);
  if (schema) validateSelectableFields(selectableFields, schema, 'spec.selectableFields', skipLimit, causes);
  else if (!validation) causes.invalid('spec.selectableFields', '', 'may only be set when validations.schema is included');
}

/** Mirrors ValidateCustomResourceDefinitionStoredVersions. */
function validateStoredVersions({ spec, status }: Definition, causes: Causes): void {
  const field = 'status.storedVersions';
  const storedVersions = status?.storedVersions ?? [];
  if (storedVersions.length === 0) {
    addInvalidValue(causes, field, status?.storedVersions ?? null, 'must have at least one stored version');
    return;
  }
  const versions = spec?.versions ?? [];
  // Each name is removed once, so that a second version of the same name is reported too.
  const unmatchedVersions = new Set(storedVersions);
  for (const { name = '', storage } of versions) {
    if (!unmatchedVersions.delete(name) && storage) addInvalidValue(causes, field, storedVersions, `must have the storage version ${name}`);
  }
  for (const [i, name] of storedVersions.entries()) {
    if (versions.some((version) => (version.name ?? '') === name) || storedVersions.lastIndexOf(name) !== i) continue;
    const detail = `${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    causes.invalid(`${field}[${i}]`, name, `missing from spec.versions; ${detail}`);
  }
}

/** Mirrors validateAPIApproval. */
function validateApproval(definition: Definition, old: Definition | undefined, causes: Causes): void {
  if (!isProtectedGroup(definition.spec?.group ?? '')) return;
  const field = 'metadata.annotations[api-approved.kubernetes.io]';
  const { state, reason, annotation } = approvalOf(definition);
  if (old && approvalOf(old).state === state) return;
  if (state === 'missing') causes.required(field, reason);
  else if (state === 'invalid') causes.invalid(field, annotation, reason);
}

/** Mirrors validatePreserveUnknownFields. */
function validatePreserveUnknownFields({ spec }: Definition, causes: Causes): void {
  if (spec?.preserveUnknownFields !== true) return;
  const advice = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  causes.invalid('spec.preserveUnknownFields', true, advice);
}

/** Whether a group belongs to the Kubernetes project. */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  readonly reason: string;
  readonly annotation: string;
}

const approvalAnnotation = 'api-approved.kubernetes.io';
const enhancementLink = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** The API approval according to the annotation. Mirrors GetAPIApprovalState (apiextensions-apiserver/pkg/apihelpers, 1.36). */
export function approvalOf({ metadata }: Definition): Approval {
  const annotation = metadata.annotations?.[approvalAnnotation] ?? '';
  if (annotation === '')
    return {
      annotation,
      state: 'missing',
      reason: `protected groups must have approval annotation "${approvalAnnotation}", ${enhancementLink}`,
    };
  if (annotation.startsWith('unapproved')) return { annotation, state: 'bypassed', reason: `not approved: ${JSON.stringify(annotation)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+/.test(annotation))
    return { annotation, state: 'approved', reason: `approved in ${annotation}` };
  const reason = `protected groups must have approval annotation "${approvalAnnotation}" with either a URL or a reason starting with "unapproved", ${enhancementLink}`;
  return { annotation, state: 'invalid', reason };
}
