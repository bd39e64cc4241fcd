import { apiVersionOf } from 'kube-endpoints/internal';
import type { ApiError, ApiObject, Resource } from 'kube-endpoints/port';
import { everyVerb, type ServedResource, type ServedSubresource } from '../../registry/catalog.ts';
import type { ResourceStrategy, StoredForm } from '../../registry/index.ts';
import { failure } from '../../store/errors.ts';
import type { SelectableFields } from '../../store/index.ts';
import { type Definition, type DefinitionVersion, isTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import { needsWebhook } from '../definition/warnings.ts';
import { findAll } from '../json-path/find.ts';
import { parsePath, printPlain } from '../json-path/parse.ts';
import { customColumns } from '../objects/columns.ts';
import { withDefaults, withoutNulls } from '../objects/defaults.ts';
import { prune } from '../objects/prune.ts';
import { type ScalePaths, scaleView } from '../objects/scale.ts';
import { customResourceStrategy } from '../objects/strategy.ts';
import type { Schema } from '../schema/schema.ts';
import type { ValidatorOptions } from '../validation/validator.ts';

/** A version as the registry and clients are to know it. */
export interface Serving {
  readonly strategy: ResourceStrategy;
  readonly served: ServedResource;
}

interface ServingOptions {
  /** Whether there are objects that may have been stored under another schema than the one that is. */
  readonly hasOlder: boolean;
  readonly validation?: ValidatorOptions;
}

/** What is to be served of a definition: nothing before its names are accepted. */
export function servingsOf(definition: Definition, options: ServingOptions): readonly Serving[] {
  if (!isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) return [];
  return versionsOf(definition)
    .filter(({ served }) => served)
    .map((version) => servingOf(definition, version, options));
}

/** The strategy of the version that objects are stored in, be it served or not. */
export function storageStrategyOf(definition: Definition): ResourceStrategy | undefined {
  const version = storageVersionOf(definition);
  return version && servingOf(definition, version, { hasOlder: false }).strategy;
}

/** The resource of a version, by the names that are accepted. */
export function resourceOf({ spec, status }: Definition, { name = '' }: DefinitionVersion): Resource {
  const { plural = '', kind = '' } = status?.acceptedNames ?? {};
  return { group: spec?.group ?? '', version: name, plural, kind, namespaced: spec?.scope === 'Namespaced' };
}

const rootSchemaOf = ({ schema }: DefinitionVersion): Schema | undefined => schema?.openAPIV3Schema;

function servingOf(definition: Definition, version: DefinitionVersion, options: ServingOptions): Serving {
  const resource = resourceOf(definition, version);
  const storage = storageVersionOf(definition) ?? version;
  const isStorage = storage.name === version.name;
  const stored = resourceOf(definition, storage);
  const schema = rootSchemaOf(version);
  const scale = scaleOf(version);
  const storedAs = storedForm({
    served: resource,
    stored,
    servedSchema: schema,
    storedSchema: rootSchemaOf(storage),
    needsWebhook: needsWebhook(definition),
  });
  const strategy = customResourceStrategy({
    resource,
    schema,
    status: version.subresources?.status !== undefined,
    ...(scale && { scale }),
    selectableFields: selectableFields((version.selectableFields ?? []).map(({ jsonPath = '' }) => jsonPath)),
    ...((!isStorage || options.hasOlder) && { storedAs }),
    terminating: isTrue(definition, 'Terminating'),
    ...(options.validation && { validation: options.validation }),
  });
  return { strategy, served: servedOf(definition, version, { resource, ...(scale && { scale }), ...(!isStorage && { stored }) }) };
}

function scaleOf({ subresources }: DefinitionVersion): ScalePaths | undefined {
  if (!subresources?.scale) return undefined;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath } = subresources.scale;
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath !== undefined && { labelSelectorPath }) };
}

interface ServedParts {
  readonly resource: Resource;
  readonly stored?: Resource;
  readonly scale?: ScalePaths;
}

function servedOf(definition: Definition, version: DefinitionVersion, { resource, stored, scale }: ServedParts): ServedResource {
  const { singular = '', listKind = '', shortNames = [], categories = [] } = definition.status?.acceptedNames ?? {};
  const deprecation = deprecationOf(version, resource.group, resource.kind, versionsOf(definition));
  return {
    resource,
    ...(stored && { storedAs: { group: stored.group, version: stored.version, kind: stored.kind } }),
    ...(deprecation !== undefined && { deprecation }),
    singular,
    listKind,
    shortNames,
    categories,
    verbs: everyVerb,
    subresources: subresourcesOf(version, scale),
    ...customColumns(version.additionalPrinterColumns),
    schema: { structural: rootSchemaOf(version) as Readonly<Record<string, unknown>> | undefined },
  };
}

function subresourcesOf({ subresources }: DefinitionVersion, scale: ScalePaths | undefined): readonly ServedSubresource[] {
  const verbs = ['get', 'patch', 'update'] as const;
  return [
    ...(subresources?.status ? [{ name: 'status', verbs }] : []),
    ...(scale ? [{ name: 'scale', verbs, type: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, view: scaleView(scale) }] : []),
  ];
}

/** What is said to everybody who asks for a version that is deprecated. Mirrors defaultDeprecationWarning (apiextensions-apiserver, 1.36). */
export function deprecationOf(
  version: DefinitionVersion,
  group: string,
  kind: string,
  all: readonly DefinitionVersion[],
): string | undefined {
  const { name = '', deprecated, deprecationWarning } = version;
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const newer = all.filter((each) => each.served && !each.deprecated && compareVersions(each.name ?? '', name) > 0);
  const [best] = newer.map((each) => each.name ?? '').sort((a, b) => compareVersions(b, a));
  return `${group}/${name} ${kind} is deprecated${best === undefined ? '' : `; use ${group}/${best} ${kind}`}`;
}

/** v2 is above v1, that above v1beta1, that above v1alpha1, and all of these above other names. Mirrors CompareKubeAwareVersionStrings. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right) return left ? 1 : right ? -1 : a < b ? 1 : a > b ? -1 : 0;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

function partsOf(name: string): { readonly stability: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (!match) return undefined;
  return { stability: ['alpha', 'beta', undefined].indexOf(match[2]), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

/** What a field selector may name, beyond name and namespace; a field that is not there is empty. */
export function selectableFields(jsonPaths: readonly string[]): SelectableFields {
  return { fields: Object.fromEntries(jsonPaths.map((jsonPath) => [jsonPath.replace(/^\./, ''), readerOf(jsonPath)])) };
}

function readerOf(jsonPath: string): (object: ApiObject) => string {
  const path = parsePath(jsonPath);
  return (object) => {
    const value = path && findAll(path, object)?.[0];
    return value === undefined || value === null ? '' : printPlain(value);
  };
}

export interface FormOptions {
  /** The version that is served, and that of the storage. */
  readonly served: Resource;
  readonly stored: Resource;
  readonly servedSchema: Schema | undefined;
  readonly storedSchema: Schema | undefined;
  /** Whether a webhook would convert between them. There is none here: whoever needs one is told. */
  readonly needsWebhook: boolean;
}

/**
 * The stored form of a version's objects: with conversion None nothing but the apiVersion changes, and what the other version does not
 * know goes. Defaults come from the version that is stored. Mirrors crdConversionRESTOptionsGetter (apiextensions-apiserver, 1.36).
 */
export function storedForm({ served, stored, servedSchema, storedSchema, needsWebhook }: FormOptions): StoredForm {
  const isSame = served.version === stored.version;
  const refuse = (): never => {
    throw noWebhook(served);
  };
  const pruned = (object: ApiObject, schema: Schema | undefined, to: Resource): ApiObject =>
    withoutNulls(prune({ ...object, apiVersion: apiVersionOf(to) }, schema, true), schema) as ApiObject;
  return {
    resource: stored,
    toStored(object) {
      if (isSame) return object;
      // What the stored version fills in where there is nothing is put there now, so that reading it costs nothing.
      return needsWebhook ? refuse() : (withDefaults(pruned(object, storedSchema, stored), storedSchema) as ApiObject);
    },
    fromStored(object) {
      if (!isSame && needsWebhook) return refuse();
      const known = isSame ? pruned(object, storedSchema, stored) : object;
      const whole = withDefaults(known, storedSchema) as ApiObject;
      return isSame ? whole : pruned(whole, servedSchema, served);
    },
  };
}

const noWebhook = ({ group, version, kind }: Resource): ApiError => {
  const message = `conversion webhook for ${group}/${version}, Kind=${kind} failed: this server calls no conversion webhooks`;
  return failure(500, 'InternalError', message, { causes: [{ message }] });
};
