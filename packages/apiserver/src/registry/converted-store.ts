import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type Resource, type WatchEvent } from 'kube-endpoints/port';
import { qualifiedResource } from '../store/errors.ts';
import { freezeLike, type SelectableFields, type Store } from '../store/index.ts';
import type { ResourceStrategy, StoredForm } from './strategy.ts';

/** Creates and caches the stores of resources whose objects are stored in a different form. */
export interface ConvertedStores {
  storeOf(strategy: Pick<ResourceStrategy, 'resource' | 'storedAs' | 'selectableFields'>): Store;
}

export function createConvertedStores(store: Store): ConvertedStores {
  const stores = new WeakMap<StoredForm, Store>();
  return {
    storeOf(strategy) {
      const form = strategy.storedAs;
      if (!form) return store;
      const cached = stores.get(form);
      if (cached) return cached;
      const converted = createConvertedStore(store, strategy.resource, form, strategy.selectableFields);
      stores.set(form, converted);
      return converted;
    },
  };
}

/**
 * Creates a view of the store for a resource that is stored as a different resource: converts objects on reads and writes.
 * Conversions are cached, so reading an unchanged object again returns the same instance.
 */
export function createConvertedStore(store: Store, resource: Resource, form: StoredForm, selectable?: SelectableFields): Store {
  const { fromStored, toStored } = createConversions(form);
  const withRequestedName = createErrorRenamer(resource, form.resource);
  const defaultParameters = { selectable: selectable && convertSelectable(selectable, fromStored) };
  return {
    ...store,
    get revision() {
      return store.revision;
    },
    get: (_, key, options) => fromStored(withRequestedName(() => store.get(form.resource, key, options))),
    find(_, key) {
      const stored = store.find(form.resource, key);
      return stored && fromStored(stored);
    },
    list(_, parameters) {
      const { items, metadata } = store.list(form.resource, { ...defaultParameters, ...parameters });
      return { items: items.map(fromStored), metadata };
    },
    watch: (_, parameters) => convertEvents(store.watch(form.resource, { ...defaultParameters, ...parameters }), resource, fromStored),
    create: (_, key, object) => fromStored(withRequestedName(() => store.create(form.resource, key, toStored(object)))),
    update: (_, key, change, preconditions) =>
      fromStored(
        withRequestedName(() => store.update(form.resource, key, (current) => toStored(change(fromStored(current))), preconditions)),
      ),
    delete: (_, key, preconditions, validate) =>
      fromStored(
        withRequestedName(() => store.delete(form.resource, key, preconditions, validate && ((current) => validate(fromStored(current))))),
      ),
    dropWatches: () => store.dropWatches(form.resource),
  };
}

/** Returns a function that runs a call and, in errors, replaces the stored resource by the requested one. */
function createErrorRenamer({ group, plural }: Resource, stored: Resource): <T>(call: () => T) => T {
  const [storedName, requestedName] = [`${qualifiedResource(stored)} "`, `${qualifiedResource({ group, plural })} "`];
  const renameError = (error: unknown): unknown => {
    if (!(error instanceof ApiError)) return error;
    const { status } = error;
    const { details } = status;
    if (details?.kind !== stored.plural || (details.group ?? '') !== stored.group) return error;
    const { group: _, kind: __, ...rest } = details;
    const message = status.message?.replace(storedName, () => requestedName);
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
      throw group === stored.group ? error : renameError(error);
    }
  };
}

interface Conversions {
  fromStored(stored: ApiObject): ApiObject;
  /** Converts an unchanged result of `fromStored` back to the stored instance. */
  toStored(object: ApiObject): ApiObject;
}

function createConversions(form: StoredForm): Conversions {
  const convertedByStored = new WeakMap<ApiObject, ApiObject>();
  const storedByConverted = new WeakMap<ApiObject, ApiObject>();
  return {
    fromStored(object) {
      const cached = convertedByStored.get(object);
      if (cached) return cached;
      const converted = freezeLike(object, form.fromStored(object));
      convertedByStored.set(object, converted);
      storedByConverted.set(converted, object);
      return converted;
    },
    toStored: (object) => storedByConverted.get(object) ?? form.toStored(object),
  };
}

/** Wraps the field readers, so that they read the converted form of a stored object. */
function convertSelectable({ fields, ...others }: SelectableFields, fromStored: Conversions['fromStored']): SelectableFields {
  const convertedFields = Object.entries(fields).map(([name, read]) => [name, (stored: ApiObject) => read(fromStored(stored))] as const);
  return { ...others, fields: Object.fromEntries(convertedFields) };
}

function convertEvents(
  events: AsyncIterableIterator<WatchEvent>,
  resource: Resource,
  fromStored: Conversions['fromStored'],
): AsyncIterableIterator<WatchEvent> {
  const { kind } = resource;
  const convertEvent = ({ type, object }: WatchEvent): WatchEvent =>
    type === 'BOOKMARK' ? { type, object: { ...object, kind, apiVersion: apiVersionOf(resource) } } : { type, object: fromStored(object) };
  const convertResult = async (nextResult: Promise<IteratorResult<WatchEvent>>): Promise<IteratorResult<WatchEvent>> => {
    const result = await nextResult;
    return result.done ? result : { done: false, value: convertEvent(result.value) };
  };
  return {
    next: () => convertResult(events.next()),
    return: () => convertResult((events.return as () => Promise<IteratorResult<WatchEvent>>)()),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
