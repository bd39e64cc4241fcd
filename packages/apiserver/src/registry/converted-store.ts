import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type Resource, type WatchEvent } from 'kube-endpoints/port';
import { qualifiedResource } from '../store/errors.ts';
import {
  badRequest,
  freezeLike,
  type ListParameters,
  parseFieldSelector,
  type SelectableFields,
  type Store,
  type WatchParameters,
} from '../store/index.ts';
import type { Conversions } from './conversions.ts';
import type { ResourceStrategy, StoredForm } from './strategy.ts';

/** Creates and caches the stores of resources whose objects are stored in a different form. */
export interface ConvertedStores {
  storeOf(strategy: Pick<ResourceStrategy, 'resource' | 'storedAs' | 'selectableFields'>): Store;
}

export function createConvertedStores(store: Store, conversions: Conversions): ConvertedStores {
  const stores = new WeakMap<StoredForm, Store>();
  return {
    storeOf(strategy) {
      const form = strategy.storedAs;
      if (!form) return store;
      const cached = stores.get(form);
      if (cached) return cached;
      const converted = createConvertedStore(store, strategy.resource, form, conversions, strategy.selectableFields);
      stores.set(form, converted);
      return converted;
    },
  };
}

/**
 * Creates a view of the store for a resource that is stored as a different resource: converts objects on reads and writes.
 * Conversions are cached, so reading an unchanged object again returns the same instance.
 */
export function createConvertedStore(
  store: Store,
  resource: Resource,
  form: StoredForm,
  conversions: Conversions,
  selectable?: SelectableFields,
): Store {
  const { fromStored, fromStoredAll, toStored, convertAgain } = createCachedConversions(form);
  /** Converts an object that is about to be stored also back, so that the result of the write needs no call. */
  const toStoredAndBack = (object: ApiObject): ApiObject => {
    const stored = toStored(object);
    if (form.fromStoredAll) form.fromStored(stored);
    return stored;
  };
  const withRequestedName = createErrorRenamer(resource, form.resource);
  const defaultParameters = { selectable: selectable && convertSelectable(selectable, fromStored) };
  return {
    ...store,
    get revision() {
      return store.revision;
    },
    get: (_, key, options) => convertAgain(withRequestedName(() => store.get(form.resource, key, options))),
    find(_, key) {
      const stored = store.find(form.resource, key);
      return stored && fromStored(stored);
    },
    list(_, parameters) {
      // A field selector reads converted objects.
      if (form.fromStoredAll && parameters?.fieldSelector) fromStoredAll(store.list(form.resource, namespaceOf(parameters)).items);
      const { items, metadata } = store.list(form.resource, { ...defaultParameters, ...parameters });
      return { items: fromStoredAll(items), metadata };
    },
    watch(_, parameters) {
      if (form.fromStoredAll) requireMetadataSelector(parameters);
      const events = store.watch(form.resource, { ...defaultParameters, ...parameters });
      return convertEvents(events, resource, (object) => conversions.run(() => fromStored(object)));
    },
    create: (_, key, object) => fromStored(withRequestedName(() => store.create(form.resource, key, toStoredAndBack(object)))),
    update: (_, key, change, preconditions) =>
      fromStored(
        withRequestedName(() => store.update(form.resource, key, (current) => toStoredAndBack(change(fromStored(current))), preconditions)),
      ),
    delete: (_, key, preconditions, validate) =>
      fromStored(
        withRequestedName(() =>
          store.delete(form.resource, key, preconditions, (current) => {
            // The deleted object has the content of the current one, so its conversion needs no call.
            if (form.fromStoredAll) form.fromStored(current);
            validate?.(fromStored(current));
          }),
        ),
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

interface CachedConversions {
  fromStored(stored: ApiObject): ApiObject;
  fromStoredAll(stored: readonly ApiObject[]): ApiObject[];
  /** Like `fromStored`, but asks another server again. As upstream, that is what a read of one object does. */
  convertAgain(stored: ApiObject): ApiObject;
  /** Converts an unchanged result of `fromStored` back to the stored instance. */
  toStored(object: ApiObject): ApiObject;
}

function createCachedConversions(form: StoredForm): CachedConversions {
  const convertedByStored = new WeakMap<ApiObject, ApiObject>();
  const storedByConverted = new WeakMap<ApiObject, ApiObject>();
  const remember = (object: ApiObject, unfrozen: ApiObject): ApiObject => {
    const converted = freezeLike(object, unfrozen);
    convertedByStored.set(object, converted);
    storedByConverted.set(converted, object);
    return converted;
  };
  const fromStored = (object: ApiObject): ApiObject => convertedByStored.get(object) ?? remember(object, form.fromStored(object));
  return {
    fromStored,
    fromStoredAll(objects) {
      const missing = form.fromStoredAll ? objects.filter((object) => !convertedByStored.has(object)) : [];
      if (missing.length > 0)
        for (const [i, converted] of form.fromStoredAll?.(missing).entries() ?? []) remember(missing[i] as ApiObject, converted);
      return objects.map(fromStored);
    },
    convertAgain: (object) => (form.fromStoredAll ? freezeLike(object, form.fromStored(object)) : fromStored(object)),
    toStored: (object) => storedByConverted.get(object) ?? form.toStored(object),
  };
}

/** Wraps the field readers, so that they read the converted form of a stored object. */
function convertSelectable({ fields, ...others }: SelectableFields, fromStored: CachedConversions['fromStored']): SelectableFields {
  const convertedFields = Object.entries(fields).map(([name, read]) => [name, (stored: ApiObject) => read(fromStored(stored))] as const);
  return { ...others, fields: Object.fromEntries(convertedFields) };
}

function convertEvents(
  events: AsyncIterableIterator<WatchEvent>,
  resource: Resource,
  convert: (object: ApiObject) => ApiObject | Promise<ApiObject>,
): AsyncIterableIterator<WatchEvent> {
  const { kind } = resource;
  const convertEvent = async ({ type, object }: WatchEvent): Promise<WatchEvent> =>
    type === 'BOOKMARK'
      ? { type, object: { ...object, kind, apiVersion: apiVersionOf(resource) } }
      : { type, object: await convert(object) };
  const convertResult = async (nextResult: Promise<IteratorResult<WatchEvent>>): Promise<IteratorResult<WatchEvent>> => {
    const result = await nextResult;
    return result.done ? result : { done: false, value: await convertEvent(result.value) };
  };
  return {
    next: () => convertResult(events.next()),
    return: () => convertResult((events.return as () => Promise<IteratorResult<WatchEvent>>)()),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const namespaceOf = ({ namespace }: Pick<ListParameters, 'namespace'>): Pick<ListParameters, 'namespace'> =>
  namespace === undefined ? {} : { namespace };

/** @throws ApiError BadRequest for other fields than those of metadata: a watch cannot wait for a conversion to select an event. */
function requireMetadataSelector({ fieldSelector = '' }: WatchParameters = {}): void {
  const parsed = parseFieldSelector(fieldSelector);
  const other = parsed.problem === undefined && parsed.requirements.find(({ field }) => !field.startsWith('metadata.'));
  if (other) throw badRequest(`this server cannot watch by ${other.field} in a version that a webhook converts`);
}
