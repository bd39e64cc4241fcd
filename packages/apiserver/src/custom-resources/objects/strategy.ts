import { apiVersionOf, quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { dns1123Subdomain, pathSegment, pathSegmentPrefix, qualifiedName } from '../../formats/names.ts';
import { structuralType } from '../../patch/index.ts';
import { type CheckResult, forbidden, type ResourceStrategy, type StoredForm } from '../../registry/index.ts';
import { collectCauses, type FieldCause } from '../../resources/field/causes.ts';
import { type Fields, isFields, sameValue } from '../../resources/field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../../resources/metadata/validate.ts';
import type { SelectableFields } from '../../store/index.ts';
import { createRuleCheck } from '../rules/index.ts';
import { propertyOf, type Schema } from '../schema/schema.ts';
import { correlateProperty } from '../validation/correlation.ts';
import { createValidator, type Validator, type ValidatorOptions } from '../validation/validator.ts';
import { createDecoder } from './codec.ts';
import { validateEmbedded } from './embedded.ts';
import { findListDuplicates } from './list-types.ts';
import { withField } from './prune.ts';
import { type ScalePaths, validateReplicas, validateSelector } from './scale.ts';

/** One version of a custom resource. */
export interface CustomResource {
  readonly resource: Resource;
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  readonly selectableFields: SelectableFields;
  /** Set if objects are stored in another version, or may have been stored under an earlier schema. */
  readonly storedAs?: StoredForm;
  /** Whether the definition is being deleted; then creates are refused. */
  readonly isTerminating: boolean;
  readonly validation?: ValidatorOptions;
}

/** Mirrors customResourceStrategy (apiextensions-apiserver/pkg/registry/customresource/strategy.go, 1.36). */
export function createCustomResourceStrategy(customResource: CustomResource): ResourceStrategy {
  const { resource, schema, hasStatus, storedAs, isTerminating, selectableFields } = customResource;
  const checks = createChecks(customResource);
  return {
    resource,
    ...(storedAs && { storedAs }),
    selectableFields,
    patchType: structuralType(schema),
    empty: { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: {} },
    createOnUpdate: false,
    unconditionalUpdate: false,
    subresources: hasStatus ? ['status'] : [],
    ...(hasStatus && { resetFields: { '': ['status'], status: ['metadata', 'spec'] } }),
    isGarbageCollected: true,
    decode: createDecoder(resource, schema),
    encode: (object) => object,
    ...(isTerminating && { admit: (object, old) => (old ? object : refuseCreate(resource, object)) }),
    checkCreate: (object) => checks.checkCreate(withFirstGeneration(hasStatus ? withField(object, 'status', undefined) : object)),
    checkUpdate: (object, old, subresource) =>
      subresource === 'status'
        ? checks.checkStatusUpdate(withStatusOf(object, old), old)
        : checks.checkUpdate(prepareUpdate(object, old, hasStatus), old),
    warnings: findFinalizerWarnings,
  };
}

const withFirstGeneration = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, generation: 1 } });

function refuseCreate(resource: Resource, { metadata }: ApiObject): never {
  throw forbidden(resource, metadata.name ?? '', 'create not allowed while custom resource definition is terminating');
}

/** Applies an update: keeps the status if it is a subresource, and increments generation if anything but metadata changes. */
function prepareUpdate(object: ApiObject, old: ApiObject, hasStatusSubresource: boolean): ApiObject {
  const updatedObject = hasStatusSubresource ? withField(object, 'status', old['status']) : object;
  const { metadata: _, ...newContent } = updatedObject;
  const { metadata: oldMetadata, ...oldContent } = old;
  const generation = oldMetadata.generation ?? 0;
  return withSystemFields(updatedObject, old, sameValue(newContent, oldContent) ? generation : generation + 1);
}

/** Restores system-managed metadata that the update omits or changes. */
function withSystemFields(object: ApiObject, { metadata: oldMetadata }: ApiObject, generation: number): ApiObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = oldMetadata;
  const metadata = {
    ...object.metadata,
    generation,
    ...(!object.metadata.uid && uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined &&
      object.metadata.deletionGracePeriodSeconds === undefined && { deletionGracePeriodSeconds }),
  };
  return { ...object, metadata };
}

/** Applies an update of the status: only status and managedFields change. */
function withStatusOf(object: ApiObject, old: ApiObject): ApiObject {
  const { managedFields } = object.metadata;
  const metadata = withField(old.metadata, 'managedFields', managedFields);
  return { ...withField(old, 'status', object['status']), metadata };
}

/** The old object of an update and the causes from generic validation. */
interface UpdateContext {
  readonly old: ApiObject;
  readonly causes: readonly FieldCause[];
}

interface Checks {
  checkCreate(object: ApiObject): CheckResult;
  checkUpdate(object: ApiObject, old: ApiObject): CheckResult;
  checkStatusUpdate(object: ApiObject, old: ApiObject): CheckResult;
}

function createChecks(customResource: CustomResource): Checks {
  const { resource, schema, scale, validation } = customResource;
  const objectValidator: Validator | undefined = schema && createValidator(schema, validation);
  const statusSchema = schema && propertyOf(schema, 'status');
  const statusValidator = statusSchema && createValidator(statusSchema, validation);
  const checkRules = createRuleCheck(schema);
  const toResult = (object: ApiObject, ownCauses: readonly FieldCause[], updateContext?: UpdateContext): CheckResult => {
    const ruleFindings = checkRules(object, ownCauses, updateContext?.old);
    const causes = [...(updateContext?.causes ?? []), ...ownCauses, ...ruleFindings.causes];
    return {
      ...(causes.length > 0 ? { causes } : { object }),
      ...(ruleFindings.warnings.length > 0 && { warnings: ruleFindings.warnings }),
    };
  };
  return {
    checkCreate(object) {
      const typeCauses = validateType(resource, object);
      if (typeCauses.length > 0) return { causes: typeCauses };
      const causes = [
        ...validateObjectMetadata(resource, object),
        ...(objectValidator?.validate(object) ?? []),
        ...validateScale(scale, object),
      ];
      return toResult(object, [...causes, ...validateEmbedded(object, schema, ''), ...findListDuplicates(object, schema)]);
    },
    checkUpdate(object, old) {
      const typeCauses = validateType(resource, object);
      if (typeCauses.length > 0) return { causes: typeCauses };
      const updateContext = schema && { value: object, old, schema };
      const causes = [
        ...validateMetadataChange(object, old),
        ...(objectValidator?.validate(object, '', updateContext) ?? []),
        ...validateScale(scale, object),
      ];
      const furtherCauses = [...validateEmbedded(object, schema, ''), ...findNewDuplicates(object, old, schema)];
      return toResult(object, [...causes, ...furtherCauses], { old, causes: validateCommonFields(resource, object, old) });
    },
    checkStatusUpdate(object, old) {
      const updateContext = schema && correlateProperty({ value: object, old, schema }, 'status');
      const statusCauses =
        object['status'] === undefined ? [] : (statusValidator?.validate(object['status'], 'status', updateContext) ?? []);
      const causes = [...validateMetadataChange(object, old), ...statusCauses, ...validateScaleStatus(scale, object)];
      return toResult(object, [...causes, ...findNewDuplicates(object, old, schema)], {
        old,
        causes: validateCommonFields(resource, object, old),
      });
    },
  };
}

function validateType(resource: Resource, { kind, apiVersion }: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  if (kind !== resource.kind) causes.invalid('kind', kind, `must be ${resource.kind}`);
  if (apiVersion !== apiVersionOf(resource)) causes.invalid('apiVersion', apiVersion, `must be ${apiVersionOf(resource)}`);
  return causes.list;
}

function validateObjectMetadata({ namespaced }: Resource, object: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: dns1123Subdomain }, causes);
  return causes.list;
}

function validateMetadataChange(object: ApiObject, old: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list;
}

/** The generic validation that runs before the strategy's. Mirrors validateCommonFields (apiserver/pkg/registry/rest, 1.36). */
function validateCommonFields({ namespaced }: Resource, object: ApiObject, old: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: pathSegment, prefix: pathSegmentPrefix }, causes);
  validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list;
}

const validateScale = (scale: ScalePaths | undefined, object: ApiObject): readonly FieldCause[] =>
  scale ? [...validateReplicas(object, scale.specReplicasPath), ...validateScaleStatus(scale, object)] : [];

function validateScaleStatus(scale: ScalePaths | undefined, object: ApiObject): readonly FieldCause[] {
  if (!scale) return [];
  const { statusReplicasPath, labelSelectorPath } = scale;
  return [...validateReplicas(object, statusReplicasPath), ...(labelSelectorPath ? validateSelector(object, labelSelectorPath) : [])];
}

/** Reports duplicates in lists, unless the old object has duplicates too. */
function findNewDuplicates(object: ApiObject, old: ApiObject, schema: Schema | undefined): readonly FieldCause[] {
  const causes = findListDuplicates(object, schema);
  return causes.length > 0 && isFields(old) && findListDuplicates(old, schema).length > 0 ? [] : causes;
}

/** Returns warnings about added finalizers. Mirrors validateKubeFinalizerName (apiextensions-apiserver, 1.36). */
export function findFinalizerWarnings(object: ApiObject, old?: ApiObject): readonly string[] {
  const oldFinalizers = new Set(old?.metadata.finalizers);
  const addedFinalizers = [...new Set(object.metadata.finalizers)].filter((finalizer) => !oldFinalizers.has(finalizer)).sort();
  return addedFinalizers.flatMap((finalizer) => {
    const prefix = `metadata.finalizers: ${quote(finalizer)}: `;
    const pathHint = finalizer.includes('.') ? ' including a path (/)' : '';
    const needsDomain = !finalizer.includes('/') && !standardFinalizers.has(finalizer);
    const advice = `prefer a domain-qualified finalizer name${pathHint} to avoid accidental conflicts with other finalizer writers`;
    return [...qualifiedName(finalizer).map((problem) => `${prefix}${problem}`), ...(needsDomain ? [`${prefix}${advice}`] : [])];
  });
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
