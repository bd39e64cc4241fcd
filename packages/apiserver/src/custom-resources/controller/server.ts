import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registry } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { createWebhookConverter, type WebhookCalls } from '../conversion/converter.ts';
import { createWebhookForm } from '../conversion/form.ts';
import { type Definition, definitionsResource, isConditionTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { isFinalizing } from './finalizer.ts';
import { createServedVersions, resourceOf, type ServingOptions } from './serving.ts';

/** Serves the resources of definitions and tracks which are served. */
export interface DefinitionServer {
  /** Serves a definition. Unchanged resources and their watches are not touched. */
  serve(definition: Definition): void;
  /** Stops serving definitions that no longer exist. @returns whether any was removed, so that other definitions can take the names */
  retainOnly(storedDefinitions: readonly Definition[]): boolean;
  /** Records that a definition needs no work until it or another definition of its group changes. */
  markSettled(definition: Definition): void;
  isSettled(definition: Definition): boolean;
  /** Whether a definition that is being deleted waits for objects of this resource. */
  isFinalizing(resource: Resource): boolean;
  /** Whether the definition has the same group and plural as a built-in resource. */
  overlapsBuiltInResource(definition: Definition): boolean;
}

export interface ServerOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly validation?: ValidatorOptions;
  readonly webhooks: WebhookCalls;
}

/** The last seen state of a definition and the resources served for it. */
interface ServedDefinition {
  definition: Definition;
  resources: readonly Resource[];
  isSettled: boolean;
  /** Whether some objects may have been stored under an earlier schema. */
  mayHaveOlderObjects: boolean;
}

interface State extends ServerOptions {
  readonly entriesByName: Map<string, ServedDefinition>;
}

export function createDefinitionServer(options: ServerOptions): DefinitionServer {
  const state: State = { ...options, entriesByName: new Map() };
  const { entriesByName } = state;
  return {
    serve: (definition) => serve(state, definition),
    retainOnly: (storedDefinitions) => retainOnly(state, storedDefinitions),
    markSettled(definition) {
      const entry = entriesByName.get(nameOf(definition));
      if (entry) Object.assign(entry, { definition, isSettled: true });
    },
    isSettled(definition) {
      const entry = entriesByName.get(nameOf(definition));
      return entry?.isSettled === true && entry.definition === definition;
    },
    isFinalizing: ({ group, plural }) =>
      [...entriesByName.values()].some(
        ({ definition }) => isFinalizing(definition) && isSameGroupResource(toGroupResource(definition), { group, plural }),
      ),
    overlapsBuiltInResource: (definition) => overlapsBuiltIn(state, definition),
  };
}

function serve(state: State, definition: Definition): void {
  const { registry, catalog, validation, entriesByName } = state;
  const name = nameOf(definition);
  const previousEntry = entriesByName.get(name);
  if (
    previousEntry &&
    previousEntry.definition.metadata.uid === definition.metadata.uid &&
    isServedIdentically(previousEntry.definition, definition)
  ) {
    previousEntry.definition = definition;
    return;
  }
  const mayHaveOlderObjects = hasOlderObjects(registry, definition, previousEntry);
  const servedVersions = overlapsBuiltIn(state, definition)
    ? []
    : createServedVersions(definition, { mayHaveOlderObjects, ...(validation && { validation }), ...webhookFormOf(state, definition) });
  const resources = servedVersions.map(({ catalogEntry }) => catalogEntry.resource);
  const isSpecUnchanged = previousEntry !== undefined && isSameSpec(previousEntry.definition, definition);
  for (const previousResource of previousEntry?.resources ?? [])
    if (!isSpecUnchanged || !resources.some((each) => isSameResource(each, previousResource))) withdraw(state, previousResource);
  for (const { strategy, catalogEntry } of servedVersions) {
    registry.serve(strategy);
    catalog.add(catalogEntry);
  }
  entriesByName.set(name, { definition, resources, isSettled: false, mayHaveOlderObjects });
  unsettleGroup(state, definition.spec?.group);
}

/** Returns how versions are converted by a webhook; nothing if the definition has none. */
function webhookFormOf({ registry, webhooks }: State, definition: Definition): Pick<ServingOptions, 'createForm'> {
  if (definition.spec?.conversion?.strategy !== 'Webhook') return {};
  const schemas = new Map(
    versionsOf(definition).map((version) => [apiVersionOf(resourceOf(definition, version)), version.schema?.openAPIV3Schema]),
  );
  const shared = {
    schemaOf: (apiVersion: string) => schemas.get(apiVersion),
    conversions: registry.conversions,
    converter: createWebhookConverter(definition, webhooks),
  };
  return { createForm: (servedResource, storageResource) => createWebhookForm({ servedResource, storageResource, ...shared }) };
}

function retainOnly(state: State, storedDefinitions: readonly Definition[]): boolean {
  const names = new Set(storedDefinitions.map(nameOf));
  const removedDefinitions = [...state.entriesByName.entries()].filter(([name]) => !names.has(name));
  for (const [name, { resources, definition }] of removedDefinitions) {
    for (const resource of resources) withdraw(state, resource);
    state.entriesByName.delete(name);
    unsettleGroup(state, definition.spec?.group);
  }
  return removedDefinitions.length > 0;
}

function withdraw({ registry, catalog }: State, resource: Resource): void {
  registry.withdraw(resource);
  catalog.remove(resource);
}

function unsettleGroup({ entriesByName }: State, group: string | undefined): void {
  for (const each of entriesByName.values()) if (each.definition.spec?.group === group) each.isSettled = false;
}

function overlapsBuiltIn({ catalog, entriesByName }: State, definition: Definition): boolean {
  const groupResource = toGroupResource(definition);
  const isServedForDefinition = (resource: Resource): boolean =>
    [...entriesByName.values()].some(({ resources }) => resources.some((existing) => isSameResource(existing, resource)));
  return catalog.all().some(({ resource }) => isSameGroupResource(resource, groupResource) && !isServedForDefinition(resource));
}

const nameOf = ({ metadata }: Definition): string => metadata.name ?? '';

interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

const toGroupResource = ({ spec }: Definition): GroupResource => ({ group: spec?.group ?? '', plural: spec?.names?.plural ?? '' });

const isSameGroupResource = (a: GroupResource, b: GroupResource): boolean => a.group === b.group && a.plural === b.plural;

const isSameResource = (a: Resource, b: Resource): boolean => isSameGroupResource(a, b) && a.version === b.version;

const isSameSpec = (a: Definition, b: Definition): boolean =>
  a.metadata.uid === b.metadata.uid && sameValue(a.spec, b.spec) && sameValue(a.status?.acceptedNames, b.status?.acceptedNames);

const isServedIdentically = (a: Definition, b: Definition): boolean =>
  isSameSpec(a, b) &&
  ['Terminating', 'NamesAccepted', 'Established'].every((type) => isConditionTrue(a, type) === isConditionTrue(b, type));

/** Whether some objects may have been stored under an earlier schema. Once true, this stays true as long as the definition exists. */
function hasOlderObjects({ store }: Registry, definition: Definition, previousEntry: ServedDefinition | undefined): boolean {
  if (previousEntry?.mayHaveOlderObjects) return true;
  const storage = storageVersionOf(definition);
  if (!storage || versionsOf(definition).length === 0) return false;
  const previousStorage = previousEntry && storageVersionOf(previousEntry.definition);
  if (previousEntry && previousStorage?.name === storage.name && sameValue(previousStorage?.schema, storage.schema)) return false;
  const resource = resourceOf(definition, storage);
  if (resource.plural === '' || isSameGroupResource(resource, definitionsResource)) return false;
  return store.list(resource, { limit: 1 }).items.length > 0;
}
