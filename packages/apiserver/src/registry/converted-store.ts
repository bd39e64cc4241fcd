import { apiVersionOf } from 'kube-endpoints/internal';
import { ApiError, type ApiObject, type Resource, type WatchEvent } from 'kube-endpoints/port';
import { freezeLike, type SelectableFields, type Store } from '../store/index.ts';
import type { ResourceStrategy, StoredForm } from './strategy.ts';

/** Creates and caches the stores of resources whose objects are stored in another form. */
export interface ConvertedStores {
  storeOf(strategy: Pick<ResourceStrategy, 'resource' | 'storedAs' | 'selectableFields'>): Store;
}

export function createConvertedStores(store: Store): ConvertedStores {
  const stores = new WeakMap<StoredForm, Store>();
  return {
    storeOf(strategy) {
      const form = strategy.storedAs;
      if (!form) return store;
      const known = stores.get(form);
      if (known) return known;
      const made = convertedStore(store, strategy.resource, form, strategy.selectableFields);
      stores.set(form, made);
      return made;
    },
  };
}

/**
 * A store view of a resource that is stored as another resource: converts on reads and writes.
 * Conversions are cached, so reading an unchanged object again returns the same instance.
 */
export function convertedStore(store: Store, resource: Resource, form: StoredForm, selectable?: SelectableFields): Store {
  const { from, to } = conversions(form);
  const withRequestedName = renameErrors(resource, form.resource);
  const own = { selectable: selectable && convertSelectable(selectable, from) };
  return {
    ...store,
    get revision() {
      return store.revision;
    },
    get: (_, key, options) => from(withRequestedName(() => store.get(form.resource, key, options))),
    find(_, key) {
      const found = store.find(form.resource, key);
      return found && from(found);
    },
    list(_, parameters) {
      const { items, metadata } = store.list(form.resource, { ...own, ...parameters });
      return { items: items.map(from), metadata };
    },
    watch: (_, parameters) => convertEvents(store.watch(form.resource, { ...own, ...parameters }), resource, from),
    create: (_, key, object) => from(withRequestedName(() => store.create(form.resource, key, to(object)))),
    update: (_, key, change, preconditions) =>
      from(withRequestedName(() => store.update(form.resource, key, (current) => to(change(from(current))), preconditions))),
    delete: (_, key, preconditions, validate) =>
      from(withRequestedName(() => store.delete(form.resource, key, preconditions, validate && ((current) => validate(from(current)))))),
    dropWatches: () => store.dropWatches(form.resource),
  };
}

/** Renames the stored resource in errors to the requested one. */
function renameErrors({ group, plural }: Resource, stored: Resource): <T>(call: () => T) => T {
  const [from, to] = [`${qualified(stored)} "`, `${qualified({ group, plural })} "`];
  const renamed = (error: unknown): unknown => {
    if (!(error instanceof ApiError)) return error;
    const { status } = error;
    const { details } = status;
    if (details?.kind !== stored.plural || (details.group ?? '') !== stored.group) return error;
    const { group: _, kind: __, ...rest } = details;
    const message = status.message?.replace(from, () => to);
    return new ApiError({
      ...status,
      ...(message !== undefined && { message }),
      details: { ...rest, ...(group && { group }), kind: plural },
    });
  };
  return (call) => {
    try {
      return call();
    } catch (error) {
      throw group === stored.group ? error : renamed(error);
    }
  };
}

const qualified = ({ plural, group }: Pick<Resource, 'group' | 'plural'>): string => (group === '' ? plural : `${plural}.${group}`);

interface Conversions {
  from(stored: ApiObject): ApiObject;
  /** An unchanged object that was read here converts back to the stored instance. */
  to(object: ApiObject): ApiObject;
}

function conversions(form: StoredForm): Conversions {
  const shown = new WeakMap<ApiObject, ApiObject>();
  const stored = new WeakMap<ApiObject, ApiObject>();
  return {
    from(object) {
      const known = shown.get(object);
      if (known) return known;
      const made = freezeLike(object, form.fromStored(object));
      shown.set(object, made);
      stored.set(made, object);
      return made;
    },
    to: (object) => stored.get(object) ?? form.toStored(object),
  };
}

/** Fields are read from the converted form. */
function convertSelectable({ fields, ...others }: SelectableFields, from: Conversions['from']): SelectableFields {
  const reading = Object.entries(fields).map(([name, read]) => [name, (stored: ApiObject) => read(from(stored))] as const);
  return { ...others, fields: Object.fromEntries(reading) };
}

function convertEvents(
  events: AsyncIterableIterator<WatchEvent>,
  resource: Resource,
  from: Conversions['from'],
): AsyncIterableIterator<WatchEvent> {
  const { kind } = resource;
  const eventOf = ({ type, object }: WatchEvent): WatchEvent =>
    type === 'BOOKMARK' ? { type, object: { ...object, kind, apiVersion: apiVersionOf(resource) } } : { type, object: from(object) };
  const resultOf = async (pending: Promise<IteratorResult<WatchEvent>>): Promise<IteratorResult<WatchEvent>> => {
    const result = await pending;
    return result.done ? result : { done: false, value: eventOf(result.value) };
  };
  return {
    next: () => resultOf(events.next()),
    return: () => resultOf((events.return as () => Promise<IteratorResult<WatchEvent>>)()),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
