import type { Resource } from 'kube-endpoints/port';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registry } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { type Definition, definitions, isTrue, storageVersionOf, versionsOf } from '../definition/definition.ts';
import type { ValidatorOptions } from '../validation/validator.ts';
import { isGoing } from './ending.ts';
import { resourceOf, servingsOf } from './serving.ts';

/** Serves what definitions define, and remembers what it serves. */
export interface DefinitionServer {
  /** Serves a definition as it is now; what has not changed is let be, and so are its watches. */
  serve(definition: Definition): void;
  /** Withdraws what is defined no longer. @returns whether names are free by that */
  forgetAllBut(stored: readonly Definition[]): boolean;
  /** Notes that there is nothing to do about a definition, until it or its group changes. */
  settled(definition: Definition): void;
  isSettled(definition: Definition): boolean;
  /** Whether a definition that goes waits for objects of this resource. */
  isGoing(resource: Resource): boolean;
  /** Whether a resource of that name is built in. */
  overlaps(definition: Definition): boolean;
}

export interface ServerOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly validation?: ValidatorOptions;
}

/** A definition as it was seen last, and what is served of it. */
interface Known {
  definition: Definition;
  resources: readonly Resource[];
  isSettled: boolean;
  /** Whether objects may have been stored under another schema. */
  hasOlder: boolean;
}

interface State extends ServerOptions {
  readonly known: Map<string, Known>;
}

export function createServer(options: ServerOptions): DefinitionServer {
  const state: State = { ...options, known: new Map() };
  const { known } = state;
  return {
    serve: (definition) => serve(state, definition),
    forgetAllBut: (stored) => forgetAllBut(state, stored),
    settled(definition) {
      const own = known.get(nameOf(definition));
      if (own) Object.assign(own, { definition, isSettled: true });
    },
    isSettled(definition) {
      const own = known.get(nameOf(definition));
      return own?.isSettled === true && own.definition === definition;
    },
    isGoing: ({ group, plural }) =>
      [...known.values()].some(({ definition }) => isGoing(definition) && isSamePlace(wantedPlaceOf(definition), { group, plural })),
    overlaps: (definition) => overlaps(state, definition),
  };
}

function serve(state: State, definition: Definition): void {
  const { registry, catalog, validation, known } = state;
  const name = nameOf(definition);
  const before = known.get(name);
  if (before && before.definition.metadata.uid === definition.metadata.uid && isServedAlike(before.definition, definition)) {
    before.definition = definition;
    return;
  }
  const hasOlder = mayHaveOlder(registry, definition, before);
  const servings = overlaps(state, definition) ? [] : servingsOf(definition, { hasOlder, ...(validation && { validation }) });
  const resources = servings.map(({ served }) => served.resource);
  const keeps = before !== undefined && isSameSpec(before.definition, definition);
  for (const old of before?.resources ?? []) if (!keeps || !resources.some((each) => isSame(each, old))) withdraw(state, old);
  for (const { strategy, served } of servings) {
    registry.serve(strategy);
    catalog.add(served);
  }
  known.set(name, { definition, resources, isSettled: false, hasOlder });
  unsettle(state, definition.spec?.group);
}

function forgetAllBut(state: State, stored: readonly Definition[]): boolean {
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
  const place = wantedPlaceOf(definition);
  const isOurs = (resource: Resource): boolean =>
    [...known.values()].some(({ resources }) => resources.some((own) => isSame(own, resource)));
  return catalog.all().some(({ resource }) => isSamePlace(resource, place) && !isOurs(resource));
}

const nameOf = ({ metadata }: Definition): string => metadata.name ?? '';

interface Place {
  readonly group: string;
  readonly plural: string;
}

const wantedPlaceOf = ({ spec }: Definition): Place => ({ group: spec?.group ?? '', plural: spec?.names?.plural ?? '' });

const isSamePlace = (one: Place, other: Place): boolean => one.group === other.group && one.plural === other.plural;

const isSame = (one: Resource, other: Resource): boolean => isSamePlace(one, other) && one.version === other.version;

const isSameSpec = (one: Definition, other: Definition): boolean =>
  one.metadata.uid === other.metadata.uid &&
  sameValue(one.spec, other.spec) &&
  sameValue(one.status?.acceptedNames, other.status?.acceptedNames);

/** Whether nothing has changed that what is served depends on. */
const isServedAlike = (one: Definition, other: Definition): boolean =>
  isSameSpec(one, other) && ['Terminating', 'NamesAccepted', 'Established'].every((type) => isTrue(one, type) === isTrue(other, type));

/** Once there were objects under another schema, there may be some as long as the definition is there. */
function mayHaveOlder({ store }: Registry, definition: Definition, before: Known | undefined): boolean {
  if (before?.hasOlder) return true;
  const storage = storageVersionOf(definition);
  if (!storage || versionsOf(definition).length === 0) return false;
  const previous = before && storageVersionOf(before.definition);
  if (before && previous?.name === storage.name && sameValue(previous?.schema, storage.schema)) return false;
  const resource = resourceOf(definition, storage);
  if (resource.plural === '' || isSamePlace(resource, definitions)) return false;
  return store.list(resource, { limit: 1 }).items.length > 0;
}
