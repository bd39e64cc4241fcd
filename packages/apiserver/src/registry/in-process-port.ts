import { apiVersionOf, quote } from 'kube-endpoints/internal/apimachinery';
import {
  type ApiObject,
  type CallOptions,
  type ClientPort,
  type GetOptions,
  type ObjectKey,
  type PatchOptions,
  type PatchType,
  type Resource,
  resources,
  type WriteOptions,
} from 'kube-endpoints/port';
import { isFields } from '../resources/field/read.ts';
import type { Fields } from '../store/fields.ts';
import { badRequest } from '../store/index.ts';
import { noSuchResource } from './errors.ts';
import { keyOf } from './metadata.ts';
import type { Registry } from './registry.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';

export interface InProcessOptions {
  /** Record managed fields on writes through this port. Defaults to the registry's setting. */
  readonly managesFields?: boolean;
  /** Aborted when the server closes: every later call is rejected with the reason of this signal. */
  readonly closeSignal?: AbortSignal;
}

/**
 * A ClientPort over the registry: an API server without HTTP.
 *
 * Returned objects are the stored, frozen ones. `signal` cancels a write only before it begins.
 */
export function createInProcessPort(registry: Registry, { closeSignal, ...defaults }: InProcessOptions = {}): ClientPort {
  const begin: BeginCall = (resource, { signal }) => {
    closeSignal?.throwIfAborted();
    signal?.throwIfAborted();
    registry.strategyFor(resource);
  };
  return { ...createReader(registry, begin, closeSignal), ...createWriter(registry, begin, defaults) };
}

/** @throws if the server is closed, the call is aborted or the resource is not served */
type BeginCall = (resource: Resource, options: CallOptions) => void;

function createReader(
  registry: Registry,
  begin: BeginCall,
  closeSignal: AbortSignal | undefined,
): Pick<ClientPort, 'get' | 'list' | 'watch'> {
  const waitUntilFresh = async ({ resourceVersion, signal }: GetOptions): Promise<void> => {
    if (!resourceVersion) return;
    await registry.store.waitUntilFresh(
      resourceVersion,
      closeSignal && signal ? AbortSignal.any([signal, closeSignal]) : (signal ?? closeSignal),
    );
  };
  return {
    async get(resource, key, options = {}) {
      begin(resource, options);
      requireKey(key);
      await waitUntilFresh(options);
      return registry.conversions.run(() => registry.storeFor(resource).get(resource, key, options));
    },
    async list(resource, options = {}) {
      begin(resource, options);
      requireSelection(options);
      await waitUntilFresh(options);
      return registry.conversions.run(() => registry.storeFor(resource).list(resource, options));
    },
    watch(resource, options = {}) {
      closeSignal?.throwIfAborted();
      requireSelection(options);
      return registry.storeFor(resource).watch(resource, options);
    },
  };
}

type Writer = Pick<ClientPort, 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection'>;

function createWriter(registry: Registry, begin: BeginCall, defaults: Pick<InProcessOptions, 'managesFields'>): Writer {
  return {
    async create(resource, object, options = {}) {
      begin(resource, options);
      requireObject(object);
      if (options.subresource !== undefined) return createPodSubresource(registry, resource, object, options);
      requireKind(registry.strategyFor(resource), object);
      return registry.create(resource, object.metadata.namespace, object, { ...defaults, ...options });
    },
    async update(resource, object, options = {}) {
      begin(resource, options);
      requireObject(object);
      requireKind(registry.strategyFor(resource), object);
      const { signal: _, ...rest } = options;
      return registry.update(resource, requireObjectKey(object), () => object, { ...defaults, ...rest, ...preconditionsOf(object) });
    },
    async patch(resource, key, patch, options) {
      requirePatch(options);
      begin(resource, options);
      requireKey(key);
      return registry.patch(resource, key, patch, { ...defaults, ...options });
    },
    async delete(resource, key, options = {}) {
      begin(resource, options);
      requireKey(key);
      return (await registry.delete(resource, key, options)).object;
    },
    async deleteCollection(resource, selection = {}, options = {}) {
      begin(resource, options);
      requireSelection(selection);
      return registry.deleteCollection(resource, selection, options);
    },
  };
}

async function createPodSubresource(registry: Registry, resource: Resource, object: ApiObject, options: WriteOptions): Promise<ApiObject> {
  if (idOf(resource) !== idOf(resources.pods)) throw noSuchResource();
  const key = keyOf(object.metadata);
  if (options.subresource === 'binding') return registry.bind(key, object, options);
  if (options.subresource === 'eviction') return (await registry.evict(key, object, options)).object;
  throw noSuchResource();
}

/** @throws ApiError BadRequest if the name is missing */
function requireObjectKey({ metadata: { namespace, name } }: ApiObject): ObjectKey {
  if (!name) throw badRequest('name must be provided');
  return keyOf({ namespace, name });
}

/** Requires the uid of an update, if set, to match the uid of the stored object. */
const preconditionsOf = ({ metadata: { uid } }: ApiObject): { readonly preconditions?: { readonly uid: string } } =>
  uid ? { preconditions: { uid } } : {};

/* Validates arguments of in-process callers, whose types may be unchecked. HTTP requests are validated when they are parsed. */

/** @throws TypeError if `object` is not an object with metadata */
export function requireObject(object: unknown): asserts object is ApiObject {
  if (!isFields(object)) refuse('object', object, 'an object of the API');
  if (!isFields(object['metadata'])) refuse('object.metadata', object['metadata'], 'an object');
}

/** @throws TypeError if `key` is not an object with a name */
export function requireKey(key: unknown): void {
  if (!isFields(key)) refuse('key', key, 'an object with a name');
  for (const name of ['namespace', 'name']) requireType(key, name, 'string', 'key.');
  if (key['name'] === undefined) refuse('key.name', undefined, 'a string');
}

/** @throws TypeError that names the option of the wrong type */
export function requireSelection(options: object): void {
  for (const name of stringOptionNames) requireType(options as Fields, name, 'string');
  for (const name of numberOptionNames) requireType(options as Fields, name, 'number');
}

/** @throws TypeError if `type` is not a known patch type */
export function requirePatch(options: PatchOptions | undefined): void {
  if (!isFields(options)) refuse('options', options, 'an object with a type');
  if (!Object.hasOwn(patchTypes, String(options['type']))) refuse('type', options['type'], `one of ${Object.keys(patchTypes).join(', ')}`);
}

/**
 * Checks that apiVersion and kind match the resource.
 * @throws ApiError BadRequest
 */
export function requireKind({ resource, patchType }: ResourceStrategy, { apiVersion, kind }: ApiObject): void {
  const expected = apiVersionOf(resource);
  // Custom resources validate their kind themselves.
  if (kind && kind !== resource.kind && !patchType) {
    throw badRequest(`${kind} in version ${quote(apiVersion || expected)} cannot be handled as a ${resource.kind}`);
  }
  if (!apiVersion || apiVersion === expected) return;
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
}

const stringOptionNames: readonly string[] = [
  'namespace',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'continue',
];
const numberOptionNames: readonly string[] = ['limit', 'timeoutSeconds'];
const patchTypes: Readonly<Record<PatchType, true>> = { json: true, merge: true, strategic: true, apply: true };

function requireType(fields: Fields, name: string, type: 'string' | 'number', prefix: string = ''): void {
  const value = fields[name];
  if (value !== undefined && value !== null && typeof value !== type) refuse(`${prefix}${name}`, value, `a ${type}`);
}

function refuse(name: string, value: unknown, expected: string): never {
  throw new TypeError(`${name} is ${JSON.stringify(value) ?? String(value)}: give ${expected}`);
}
