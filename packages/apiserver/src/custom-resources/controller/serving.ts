import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { compareVersions } from '../../formats/versions.ts';
import { everyVerb, type ServedResource, type ServedSubresource } from '../../registry/catalog.ts';
import type { ResourceStrategy, StoredForm } from '../../registry/index.ts';
import type { SelectableFields } from '../../store/index.ts';
import { type Definition, type DefinitionVersion, isConditionTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import { findAll } from '../json-path/find.ts';
import { parsePath, printPlain } from '../json-path/parse.ts';
import { createCustomColumns } from '../objects/columns.ts';
import { withDefaults, withoutNulls } from '../objects/defaults.ts';
import { prune } from '../objects/prune.ts';
import { createScaleView, type ScalePaths } from '../objects/scale.ts';
import { createCustomResourceStrategy } from '../objects/strategy.ts';
import type { Schema } from '../schema/schema.ts';
import type { ValidatorOptions } from '../validation/validator.ts';

/** The strategy and catalog entry of one version. */
export interface ServedVersion {
  readonly strategy: ResourceStrategy;
  readonly catalogEntry: ServedResource;
}

export interface ServingOptions {
  /** Whether some objects may have been stored under an earlier schema. */
  readonly mayHaveOlderObjects: boolean;
  readonly validation?: ValidatorOptions;
  /** Creates the conversion of a version by a webhook. Default: only the apiVersion changes. */
  readonly createForm?: (served: Resource, storage: Resource) => StoredForm;
}

/** Creates the served versions of a definition; none before its names are accepted for the first time. */
export function createServedVersions(definition: Definition, options: ServingOptions): readonly ServedVersion[] {
  if (!isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) return [];
  return versionsOf(definition)
    .filter(({ served }) => served)
    .map((version) => createServedVersion(definition, version, options));
}

/** Creates the strategy of the storage version, even if that version is not served; undefined if there is no storage version. */
export function storageStrategyOf(definition: Definition): ResourceStrategy | undefined {
  const version = storageVersionOf(definition);
  return version && createServedVersion(definition, version, { mayHaveOlderObjects: false }).strategy;
}

/** Returns the resource of a version, with the accepted names. */
export function resourceOf({ spec, status }: Definition, { name = '' }: DefinitionVersion): Resource {
  const { plural = '', kind = '' } = status?.acceptedNames ?? {};
  return { group: spec?.group ?? '', version: name, plural, kind, namespaced: spec?.scope === 'Namespaced' };
}

const rootSchemaOf = ({ schema }: DefinitionVersion): Schema | undefined => schema?.openAPIV3Schema;

function createServedVersion(definition: Definition, version: DefinitionVersion, options: ServingOptions): ServedVersion {
  const resource = resourceOf(definition, version);
  const storage = storageVersionOf(definition) ?? version;
  const isStorage = storage.name === version.name;
  const storageResource = resourceOf(definition, storage);
  const schema = rootSchemaOf(version);
  const scale = scalePathsOf(version);
  const storedAs =
    options.createForm?.(resource, storageResource) ??
    createStoredForm({
      servedResource: resource,
      storageResource,
      servedSchema: schema,
      storedSchema: rootSchemaOf(storage),
    });
  const strategy = createCustomResourceStrategy({
    resource,
    schema,
    hasStatus: version.subresources?.status !== undefined,
    ...(scale && { scale }),
    selectableFields: createSelectableFields((version.selectableFields ?? []).map(({ jsonPath = '' }) => jsonPath)),
    ...((!isStorage || options.mayHaveOlderObjects) && { storedAs }),
    isTerminating: isConditionTrue(definition, 'Terminating'),
    ...(options.validation && { validation: options.validation }),
  });
  return {
    strategy,
    catalogEntry: createCatalogEntry(definition, version, { resource, ...(scale && { scale }), ...(!isStorage && { storageResource }) }),
  };
}

function scalePathsOf({ subresources }: DefinitionVersion): ScalePaths | undefined {
  if (!subresources?.scale) return undefined;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath } = subresources.scale;
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath !== undefined && { labelSelectorPath }) };
}

interface CatalogEntryOptions {
  readonly resource: Resource;
  readonly storageResource?: Resource;
  readonly scale?: ScalePaths;
}

function createCatalogEntry(
  definition: Definition,
  version: DefinitionVersion,
  { resource, storageResource, scale }: CatalogEntryOptions,
): ServedResource {
  const { singular = '', listKind = '', shortNames = [], categories = [] } = definition.status?.acceptedNames ?? {};
  const deprecation = deprecationWarningOf(version, resource.group, resource.kind, versionsOf(definition));
  return {
    resource,
    ...(storageResource && { storedAs: { group: storageResource.group, version: storageResource.version, kind: storageResource.kind } }),
    ...(deprecation !== undefined && { deprecation }),
    singular,
    listKind,
    shortNames,
    categories,
    verbs: everyVerb,
    subresources: subresourcesOf(version, scale),
    ...createCustomColumns(version.additionalPrinterColumns),
    schema: { structural: rootSchemaOf(version) as Readonly<Record<string, unknown>> | undefined },
  };
}

function subresourcesOf({ subresources }: DefinitionVersion, scale: ScalePaths | undefined): readonly ServedSubresource[] {
  const verbs = ['get', 'patch', 'update'] as const;
  return [
    ...(subresources?.status ? [{ name: 'status', verbs }] : []),
    ...(scale
      ? [{ name: 'scale', verbs, type: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, view: createScaleView(scale) }]
      : []),
  ];
}

/** Returns the warning for clients of a deprecated version; undefined if the version is not deprecated. Mirrors defaultDeprecationWarning (apiextensions-apiserver, 1.36). */
export function deprecationWarningOf(
  version: DefinitionVersion,
  group: string,
  kind: string,
  versions: readonly DefinitionVersion[],
): string | undefined {
  const { name = '', deprecated, deprecationWarning } = version;
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const newerVersions = versions.filter((each) => each.served && !each.deprecated && compareVersions(each.name ?? '', name) > 0);
  const [newestName] = newerVersions.map((each) => each.name ?? '').sort((a, b) => compareVersions(b, a));
  return `${group}/${name} ${kind} is deprecated${newestName === undefined ? '' : `; use ${group}/${newestName} ${kind}`}`;
}

/** Creates the fields for field selectors, in addition to name and namespace. An absent field reads as "". */
export function createSelectableFields(jsonPaths: readonly string[]): SelectableFields {
  return { fields: Object.fromEntries(jsonPaths.map((jsonPath) => [jsonPath.replace(/^\./, ''), createFieldReader(jsonPath)])) };
}

function createFieldReader(jsonPath: string): (object: ApiObject) => string {
  const path = parsePath(jsonPath);
  return (object) => {
    const value = path && findAll(path, object)?.[0];
    return value === undefined || value === null ? '' : printPlain(value);
  };
}

export interface StoredFormOptions {
  /** The resource in the served version. */
  readonly servedResource: Resource;
  /** The resource in the storage version. */
  readonly storageResource: Resource;
  readonly servedSchema: Schema | undefined;
  readonly storedSchema: Schema | undefined;
}

/**
 * Converts between a served version and the storage version. Conversion None changes only the apiVersion and prunes fields that the other
 * version does not have; defaults come from the storage version. Mirrors crdConversionRESTOptionsGetter (apiextensions-apiserver, 1.36).
 */
export function createStoredForm({ servedResource, storageResource, servedSchema, storedSchema }: StoredFormOptions): StoredForm {
  const isSameVersion = servedResource.version === storageResource.version;
  const pruneTo = (object: ApiObject, schema: Schema | undefined, target: Resource): ApiObject =>
    withoutNulls(prune({ ...object, apiVersion: apiVersionOf(target) }, schema, true), schema) as ApiObject;
  return {
    resource: storageResource,
    convert: (object, apiVersion) => ({ ...object, apiVersion }),
    toStored(object) {
      if (isSameVersion) return object;
      // Applies the storage version's defaults on write, so that reads need not.
      return withDefaults(pruneTo(object, storedSchema, storageResource), storedSchema) as ApiObject;
    },
    fromStored(object) {
      const readableObject = isSameVersion ? pruneTo(object, storedSchema, storageResource) : object;
      const objectWithDefaults = withDefaults(readableObject, storedSchema) as ApiObject;
      return isSameVersion ? objectWithDefaults : pruneTo(objectWithDefaults, servedSchema, servedResource);
    },
  };
}
