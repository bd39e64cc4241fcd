import type { Resource } from 'kube-endpoints/port';
import { everyVerb, type ServedResource, type ServedSubresource } from '../../registry/catalog.ts';
import type { ResourceStrategy } from '../../registry/index.ts';
import { type Definition, type DefinitionVersion, isTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import { needsWebhook } from '../definition/warnings.ts';
import { customColumns } from '../objects/columns.ts';
import { storedForm } from '../objects/form.ts';
import type { ScalePaths } from '../objects/replicas.ts';
import { scaleView } from '../objects/scale.ts';
import { selectableFields } from '../objects/selectable.ts';
import { customResourceStrategy } from '../objects/strategy.ts';
import type { Schema } from '../schema/schema.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { deprecationOf } from './versions.ts';

/** A version as the registry and clients are to know it. */
export interface Serving {
  readonly strategy: ResourceStrategy;
  readonly served: ServedResource;
}

export interface ServingOptions {
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
