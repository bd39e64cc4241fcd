import { type ApiError, type ApiObject, type ApiObjectMeta, hasReason, type WriteOptions } from 'kube-endpoints/port';
import { copyOf } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest, type OwnershipTransfer } from '../store/index.ts';
import { type AdmissionAttributes, runMutatingAdmission, runValidatingAdmission, writeAttributes } from './admission.ts';
import type { Caller } from './caller.ts';
import { lookUp, type Randomness, type RegistryContext, runSteps, storeOf } from './context.ts';
import { type DecodeOptions, decodeBody } from './decode.ts';
import { generateNameConflict, stillBeingDeleted } from './errors.ts';
import { type ManagerOptions, tracked } from './managed-fields.ts';
import { isBeingDeleted, keyOf, withMetadata } from './metadata.ts';
import { requireNamespace } from './namespaces.ts';
import type { ResourceStrategy } from './strategy.ts';

export interface CreateOptions extends Pick<WriteOptions, 'dryRun'>, DecodeOptions, ManagerOptions, Caller {
  /** The object is already decoded and its managed fields are recorded, as a patch does. */
  readonly decoded?: boolean;
  readonly applied?: boolean;
  /** Values to keep instead of generating new ones. */
  readonly kept?: Pick<ApiObjectMeta, 'uid' | 'creationTimestamp'>;
}

/**
 * Creates an object; retries with another generated name if the name is taken.
 *
 * Mirrors createHandler (1.36, apiserver/pkg/endpoints/handlers/create.go) from decoding on, and Store.Create (generic/registry/store.go).
 */
export async function create(
  context: RegistryContext,
  strategy: ResourceStrategy,
  namespace: string | undefined,
  body: ApiObject,
  options: CreateOptions = {},
): Promise<ApiObject> {
  const decoded = inNamespace(strategy, namespace, options.decoded ? body : decodeBody(strategy, body, options));
  const cleared = withoutSystemFields(decoded);
  requireNamespace(context, strategy.resource, cleared);
  const managed = tracked(context, strategy, undefined, cleared, options);
  const admitted = await runMutatingAdmission(context, strategy, () => attributesOf(strategy, managed, options), { object: managed });
  const { name, generateName: base } = admitted.metadata;
  if (name || !base) return createOnce(context, strategy, admitted, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(context, strategy, copyOf(admitted), options);
    } catch (error) {
      if (attempt === maxNameAttempts || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

/** Resources allocated outside the store are released if any step fails. */
async function createOnce(
  context: RegistryContext,
  strategy: ResourceStrategy,
  object: ApiObject,
  options: CreateOptions,
): Promise<ApiObject> {
  const { dryRun = false } = options;
  const named = withSystemFields(context, object, options);
  const pending = strategy.beginCreate?.(named, { dryRun });
  let done = false;
  try {
    const checked = strategy.checkCreate(pending?.object ?? named);
    for (const warning of checked.warnings ?? []) options.warn?.(warning);
    if (checked.causes) throw invalidObject(strategy.resource, named.metadata.name ?? '', checked.causes);
    const { object: ready } = checked;
    for (const warning of strategy.warnings?.(ready) ?? []) options.warn?.(warning);
    if (context.admission.validate) await runValidatingAdmission(context, strategy, attributesOf(strategy, ready, options), ready);
    const stored = storeObject(context, strategy, ready, dryRun);
    done = !dryRun;
    return strategy.decorate?.(stored) ?? stored;
  } finally {
    if (done) pending?.commit();
    else pending?.rollback();
  }
}

function storeObject(context: RegistryContext, strategy: ResourceStrategy, object: ApiObject, dryRun: boolean): ApiObject {
  const { resource } = strategy;
  const key = keyOf(object.metadata);
  const objectStore = storeOf(context, strategy);
  // Reserves the position of resourceVersion among the metadata fields.
  const { resourceVersion } = object.metadata;
  // A dry run does not reach the check that refuses a given resourceVersion.
  const whole = resourceVersion && !dryRun ? object : withMetadata(object, { resourceVersion: '0' });
  try {
    const stored = runSteps(objectStore, dryRun, () => objectStore.create(resource, key, strategy.encode(whole), ownershipOf(strategy)));
    return dryRun ? withMetadata(stored, { resourceVersion: resourceVersion || undefined }) : stored;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const answer: ApiError = object.metadata.generateName ? generateNameConflict(resource, key.name) : error;
    const existing = lookUp(context, strategy, key);
    throw existing && isBeingDeleted(existing) ? stillBeingDeleted(answer) : answer;
  }
}

/** Ownership of the encoded object. */
export const ownershipOf = ({ transfersOwnership = false }: ResourceStrategy): OwnershipTransfer => (transfersOwnership ? transferred : {});

const transferred: OwnershipTransfer = { owned: true };

/** Sets the namespace of the request. @throws ApiError BadRequest if the object names another one */
export function inNamespace({ resource }: ResourceStrategy, namespace: string | undefined, object: ApiObject): ApiObject {
  const own = object.metadata.namespace ?? '';
  const requested = resource.namespaced ? (namespace ?? '') : '';
  if (own === requested) return object;
  if (own === '') return withMetadata(object, { namespace: requested });
  if (requested === '') return withMetadata(object, { namespace: undefined });
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Deletion metadata is server-managed; values of the client are dropped. */
function withoutSystemFields(object: ApiObject): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined && deletionGracePeriodSeconds === undefined) return object;
  return withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });
}

function withSystemFields({ timestamp, randomness }: RegistryContext, object: ApiObject, { kept }: CreateOptions): ApiObject {
  const { name, generateName: base } = object.metadata;
  const metadata = {
    ...object.metadata,
    creationTimestamp: kept?.creationTimestamp ?? timestamp(),
    uid: kept?.uid ?? randomness.uuid(),
    ...(!name && base && { name: generateName(base, randomness) }),
  };
  return { ...object, metadata };
}

const attributesOf = ({ resource }: ResourceStrategy, object: ApiObject, options: CreateOptions): AdmissionAttributes => ({
  operation: 'CREATE',
  resource,
  key: keyOf(object.metadata),
  ...writeAttributes('CreateOptions', options),
});

/** Attempts with generated names: `maxNameGenerationCreateAttempts` (1.36, generic/registry). */
export const maxNameAttempts = 8;

/**
 * Appends five random characters to a prefix, which is cut if necessary.
 *
 * Mirrors SimpleNameGenerator (1.36, apiserver/pkg/storage/names/generate.go). The alphabet has no vowels and no ambiguous characters, so
 * that no words result.
 */
export function generateName(base: string, { draw }: Randomness): string {
  let name = base.slice(0, maxLength - randomLength);
  for (let i = 0; i < randomLength; i++) name += alphabet[draw(alphabet.length)];
  return name;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const maxLength = 63;
const randomLength = 5;
