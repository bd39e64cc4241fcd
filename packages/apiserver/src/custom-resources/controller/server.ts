import type { Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registry } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { type Definition, definitions, isTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { isFinalizing } from './finalizer.ts';
import { resourceOf, servingsOf } from './serving.ts';

/** Serves the resources of definitions and tracks which are served. */
export interface DefinitionServer {
  /** Serves a definition. Unchanged resources and their watches are not touched. */
  serve(definition: Definition): void;
  /** Stops serving definitions that no longer exist. @returns whether any was removed, which frees its names */
  retainOnly(stored: readonly Definition[]): boolean;
  /** Records that a definition needs no work until it or another definition of its group changes. */
  markSettled(definition: Definition): void;
  isSettled(definition: Definition): boolean;
  /** Whether a definition that is being deleted waits for objects of this resource. */
  isFinalizing(resource: Resource): boolean;
  /** Whether the definition has the same group and plural as a built-in resource. */
  overlaps(definition: Definition): boolean;
}

export interface ServerOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly validation?: ValidatorOptions;
}

/** The last seen state of a definition and the resources served for it. */
interface ServedDefinition {
  definition: Definition;
  resources: readonly Resource[];
  isSettled: boolean;
  /** Whether some objects may have been stored under an earlier schema. */
  hasOlder: boolean;
}

interface State extends ServerOptions {
  readonly known: Map<string, ServedDefinition>;
}

export function createServer(options: ServerOptions): DefinitionServer {
  const state: State = { ...options, known: new Map() };
  const { known } = state;
  return {
    serve: (definition) => serve(state, definition),
    retainOnly: (stored) => retainOnly(state, stored),
    markSettled(definition) {
      const own = known.get(nameOf(definition));
      if (own) Object.assign(own, { definition, isSettled: true });
    },
    isSettled(definition) {
      const own = known.get(nameOf(definition));
      return own?.isSettled === true && own.definition === definition;
    },
    isFinalizing: ({ group, plural }) =>
      [...known.values()].some(
        ({ definition }) => isFinalizing(definition) && isSameGroupResource(requestedResource(definition), { group, plural }),
      ),
    overlaps: (definition) => overlaps(state, definition),
  };
}

function serve(state: State, definition: Definition): void {
  const { registry, catalog, validation, known } = state;
  const name = nameOf(definition);
  const before = known.get(name);
  if (before && before.definition.metadata.uid === definition.metadata.uid && isServedIdentically(before.definition, definition)) {
    before.definition = definition;
    return;
  }
  const hasOlder = mayHaveOlder(registry, definition, before);
  const servings = overlaps(state, definition) ? [] : servingsOf(definition, { hasOlder, ...(validation && { validation }) });
  const resources = servings.map(({ served }) => served.resource);
  const keeps = before !== undefined && isSameSpec(before.definition, definition);
  for (const old of before?.resources ?? []) if (!keeps || !resources.some((each) => isSameResource(each, old))) withdraw(state, old);
  for (const { strategy, served } of servings) {
    registry.serve(strategy);
    catalog.add(served);
  }
  known.set(name, { definition, resources, isSettled: false, hasOlder });
  unsettle(state, definition.spec?.group);
}

function retainOnly(state: State, stored: readonly Definition[]): boolean {
  const names = new Set(stored.map(nameOf));
  const gone = [...state.known.entries()].filter(([name]) => !names.has(name));
  for (const [name, { resources, definition }] of gone) {
    for (const resource of resources) withdraw(state, resource);
    state.known.delete(name);
    unsettle(state, definition.spec?.group);
  }
  return gone.length > 0;
}

function withdraw({ registry, catalog }: State, resource: Resource): void {
  registry.withdraw(resource);
  catalog.remove(resource);
}

function unsettle({ known }: State, group: string | undefined): void {
  for (const each of known.values()) if (each.definition.spec?.group === group) each.isSettled = false;
}

function overlaps({ catalog, known }: State, definition: Definition): boolean {
  const requested = requestedResource(definition);
  const isOurs = (resource: Resource): boolean =>
    [...known.values()].some(({ resources }) => resources.some((own) => isSameResource(own, resource)));
  return catalog.all().some(({ resource }) => isSameGroupResource(resource, requested) && !isOurs(resource));
}

const nameOf = ({ metadata }: Definition): string => metadata.name ?? '';

interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

const requestedResource = ({ spec }: Definition): GroupResource => ({ group: spec?.group ?? '', plural: spec?.names?.plural ?? '' });

const isSameGroupResource = (one: GroupResource, other: GroupResource): boolean => one.group === other.group && one.plural === other.plural;

const isSameResource = (one: Resource, other: Resource): boolean => isSameGroupResource(one, other) && one.version === other.version;

const isSameSpec = (one: Definition, other: Definition): boolean =>
  one.metadata.uid === other.metadata.uid &&
  sameValue(one.spec, other.spec) &&
  sameValue(one.status?.acceptedNames, other.status?.acceptedNames);

/** Whether the two definitions are served identically. */
const isServedIdentically = (one: Definition, other: Definition): boolean =>
  isSameSpec(one, other) && ['Terminating', 'NamesAccepted', 'Established'].every((type) => isTrue(one, type) === isTrue(other, type));

/** Once true, it stays true as long as the definition exists. */
function mayHaveOlder({ store }: Registry, definition: Definition, before: ServedDefinition | undefined): boolean {
  if (before?.hasOlder) return true;
  const storage = storageVersionOf(definition);
  if (!storage || versionsOf(definition).length === 0) return false;
  const previous = before && storageVersionOf(before.definition);
  if (before && previous?.name === storage.name && sameValue(previous?.schema, storage.schema)) return false;
  const resource = resourceOf(definition, storage);
  if (resource.plural === '' || isSameGroupResource(resource, definitions)) return false;
  return store.list(resource, { limit: 1 }).items.length > 0;
}
