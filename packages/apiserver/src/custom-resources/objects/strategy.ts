import { apiVersionOf, quote } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { dns1123Subdomain, pathSegment, qualifiedName, segmentParts } from '../../formats/names.ts';
import { structuralType } from '../../patch/index.ts';
import { type CheckResult, forbidden, type ResourceStrategy, type StoredForm } from '../../registry/index.ts';
import { collectCauses, type FieldCause } from '../../resources/field/causes.ts';
import { type Fields, isFields, sameValue } from '../../resources/field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../../resources/metadata/validate.ts';
import type { SelectableFields } from '../../store/index.ts';
import { createRuleCheck } from '../rules/index.ts';
import { propertyOf, type Schema } from '../schema/schema.ts';
import { propertyIn } from '../validation/correlation.ts';
import { createValidator, type Validator, type ValidatorOptions } from '../validation/validator.ts';
import { createDecoder } from './codec.ts';
import { causesOfEmbedded } from './embedded.ts';
import { causesOfLists } from './list-types.ts';
import { withField } from './prune.ts';
import { causesOfReplicas, causesOfSelector, type ScalePaths } from './scale.ts';

/** One version of a custom resource. */
export interface CustomResource {
  readonly resource: Resource;
  readonly schema: Schema | undefined;
  /** Whether it has the status subresource. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  readonly selectableFields: SelectableFields;
  /** Set if objects are stored in another version, or may have been stored under an earlier schema. */
  readonly storedAs?: StoredForm;
  /** Whether the definition is being deleted; then creates are refused. */
  readonly terminating: boolean;
  readonly validation?: ValidatorOptions;
}

/** Mirrors customResourceStrategy (apiextensions-apiserver/pkg/registry/customresource/strategy.go, 1.36). */
export function customResourceStrategy(custom: CustomResource): ResourceStrategy {
  const { resource, schema, status, storedAs, terminating, selectableFields } = custom;
  const checks = createChecks(custom);
  return {
    resource,
    ...(storedAs && { storedAs }),
    selectableFields,
    patchType: structuralType(schema),
    empty: { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: {} },
    createOnUpdate: false,
    unconditionalUpdate: false,
    subresources: status ? ['status'] : [],
    ...(status && { resetFields: { '': ['status'], status: ['metadata', 'spec'] } }),
    collectsGarbage: true,
    decode: createDecoder(resource, schema),
    encode: (object) => object,
    ...(terminating && { admit: (object, old) => (old ? object : refuseNew(resource, object)) }),
    checkCreate: (object) => checks.create(firstGeneration(status ? withField(object, 'status', undefined) : object)),
    checkUpdate: (object, old, subresource) =>
      subresource === 'status' ? checks.status(withStatusOf(object, old), old) : checks.update(prepareUpdate(object, old, status), old),
    warnings: finalizerWarnings,
  };
}

const firstGeneration = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, generation: 1 } });

function refuseNew(resource: Resource, { metadata }: ApiObject): never {
  throw forbidden(resource, metadata.name ?? '', 'create not allowed while custom resource definition is terminating');
}

/** Applies an update: keeps the status if it is a subresource, and increments generation if anything but metadata changes. */
function prepareUpdate(object: ApiObject, old: ApiObject, status: boolean): ApiObject {
  const own = status ? withField(object, 'status', old['status']) : object;
  const { metadata: _, ...after } = own;
  const { metadata: before, ...rest } = old;
  const generation = before.generation ?? 0;
  return withSystemFields(own, old, sameValue(after, rest) ? generation : generation + 1);
}

/** Restores system-managed metadata that the update omits or changes. */
function withSystemFields(object: ApiObject, { metadata: before }: ApiObject, generation: number): ApiObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = before;
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

/** The old object, and the problems that generic validation found in its update. */
interface OldState {
  readonly old: ApiObject;
  readonly causes: readonly FieldCause[];
}

interface Checks {
  create(object: ApiObject): CheckResult;
  update(object: ApiObject, old: ApiObject): CheckResult;
  status(object: ApiObject, old: ApiObject): CheckResult;
}

function createChecks(custom: CustomResource): Checks {
  const { resource, schema, scale, validation } = custom;
  const objectValidator: Validator | undefined = schema && createValidator(schema, validation);
  const statusSchema = schema && propertyOf(schema, 'status');
  const statusValidator = statusSchema && createValidator(statusSchema, validation);
  const checkRules = createRuleCheck(schema);
  const toResult = (object: ApiObject, own: readonly FieldCause[], past?: OldState): CheckResult => {
    const found = checkRules(object, own, past?.old);
    const causes = [...(past?.causes ?? []), ...own, ...found.causes];
    return { ...(causes.length > 0 ? { causes } : { object }), ...(found.warnings.length > 0 && { warnings: found.warnings }) };
  };
  return {
    create(object) {
      const typeCauses = causesOfType(resource, object);
      if (typeCauses.length > 0) return { causes: typeCauses };
      const causes = [...causesOfMetadata(resource, object), ...(objectValidator?.validate(object) ?? []), ...causesOfScale(scale, object)];
      return toResult(object, [...causes, ...causesOfEmbedded(object, schema, ''), ...causesOfLists(object, schema)]);
    },
    update(object, old) {
      const typeCauses = causesOfType(resource, object);
      if (typeCauses.length > 0) return { causes: typeCauses };
      const past = schema && { value: object, old, schema };
      const causes = [
        ...causesOfChange(object, old),
        ...(objectValidator?.validate(object, '', past) ?? []),
        ...causesOfScale(scale, object),
      ];
      const more = [...causesOfEmbedded(object, schema, ''), ...causesOfNewDuplicates(object, old, schema)];
      return toResult(object, [...causes, ...more], { old, causes: causesOfWrite(resource, object, old) });
    },
    status(object, old) {
      const past = schema && propertyIn({ value: object, old, schema }, 'status');
      const own = object['status'] === undefined ? [] : (statusValidator?.validate(object['status'], 'status', past) ?? []);
      const causes = [...causesOfChange(object, old), ...own, ...causesOfScaleStatus(scale, object)];
      return toResult(object, [...causes, ...causesOfNewDuplicates(object, old, schema)], {
        old,
        causes: causesOfWrite(resource, object, old),
      });
    },
  };
}

function causesOfType(resource: Resource, { kind, apiVersion }: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  if (kind !== resource.kind) causes.invalid('kind', kind, `must be ${resource.kind}`);
  if (apiVersion !== apiVersionOf(resource)) causes.invalid('apiVersion', apiVersion, `must be ${apiVersionOf(resource)}`);
  return causes.list;
}

function causesOfMetadata({ namespaced }: Resource, object: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: dns1123Subdomain }, causes);
  return causes.list;
}

function causesOfChange(object: ApiObject, old: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list;
}

/** The generic validation that runs before the strategy's. Mirrors validateCommonFields (apiserver/pkg/registry/rest, 1.36). */
function causesOfWrite({ namespaced }: Resource, object: ApiObject, old: ApiObject): readonly FieldCause[] {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: pathSegment, prefix: segmentParts }, causes);
  validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list;
}

const causesOfScale = (scale: ScalePaths | undefined, object: ApiObject): readonly FieldCause[] =>
  scale ? [...causesOfReplicas(object, scale.specReplicasPath), ...causesOfScaleStatus(scale, object)] : [];

function causesOfScaleStatus(scale: ScalePaths | undefined, object: ApiObject): readonly FieldCause[] {
  if (!scale) return [];
  const { statusReplicasPath, labelSelectorPath } = scale;
  return [...causesOfReplicas(object, statusReplicasPath), ...(labelSelectorPath ? causesOfSelector(object, labelSelectorPath) : [])];
}

/** Duplicates are allowed if the old object had duplicates too. */
function causesOfNewDuplicates(object: ApiObject, old: ApiObject, schema: Schema | undefined): readonly FieldCause[] {
  const causes = causesOfLists(object, schema);
  return causes.length > 0 && isFields(old) && causesOfLists(old, schema).length > 0 ? [] : causes;
}

/** Warnings about added finalizers. Mirrors validateKubeFinalizerName (apiextensions-apiserver, 1.36). */
export function finalizerWarnings(object: ApiObject, old?: ApiObject): readonly string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(object.metadata.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
  return added.flatMap((finalizer) => {
    const at = `metadata.finalizers: ${quote(finalizer)}: `;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    const vague = !finalizer.includes('/') && !standard.has(finalizer);
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...qualifiedName(finalizer).map((problem) => `${at}${problem}`), ...(vague ? [`${at}${advice}`] : [])];
  });
}

const standard: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
