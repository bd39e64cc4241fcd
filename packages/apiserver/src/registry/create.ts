import { type ApiError, type ApiObject, type ApiObjectMeta, hasReason, type WriteOptions } from 'kube-endpoints/port';
import { copyOf } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest, type OwnershipTransfer } from '../store/index.ts';
import { type AdmissionAttributes, createWriteAttributes, runMutatingAdmission, runValidatingAdmission } from './admission.ts';
import type { Caller } from './caller.ts';
import { lookUp, type Randomness, type RegistryContext, runSteps, storeOf } from './context.ts';
import { type DecodeOptions, decodeBody } from './decode.ts';
import { generateNameConflict, withBeingDeletedPrefix } from './errors.ts';
import { type ManagerOptions, withManagedFields } from './managed-fields.ts';
import { isBeingDeleted, keyOf, withMetadata } from './metadata.ts';
import { requireNamespace } from './namespaces.ts';
import type { ResourceStrategy, Review } from './strategy.ts';

export interface CreateOptions extends Pick<WriteOptions, 'dryRun'>, DecodeOptions, ManagerOptions, Caller {
  /** True if the caller has already decoded the object and recorded its managed fields, as a patch does. */
  readonly isDecoded?: boolean;
  /** True if the object is valid and as validation would prepare it. It is checked only if mutating admission changes it. */
  readonly isValid?: boolean;
  /** True if an apply has already set managedFields. */
  readonly setsManagedFields?: boolean;
  /** Called before validating admission, if an update creates the object. @throws ApiError Forbidden if the caller may not create it */
  readonly requireCreatable?: () => void;
  /** Values to keep instead of generating new ones. */
  readonly preservedMetadata?: Pick<ApiObjectMeta, 'uid' | 'creationTimestamp'>;
}

/**
 * Creates an object. If a generated name exists already, retries with a new one.
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
  const decodedObject = withRequestNamespace(strategy, namespace, options.isDecoded ? body : decodeBody(strategy, body, options));
  if (strategy.review) return answerReview(context, strategy, decodedObject, options);
  const clearedObject = withoutDeletionMetadata(decodedObject);
  requireNamespace(context, strategy.resource, clearedObject);
  const managedObject = await context.conversions.run(() => withManagedFields(context, strategy, undefined, clearedObject, options));
  const admittedObject = await runMutatingAdmission(context, strategy, () => attributesOf(strategy, managedObject, options), {
    object: managedObject,
  });
  const { name, generateName: base } = admittedObject.metadata;
  const isValid = options.isValid === true && admittedObject === managedObject;
  if (name || !base) return createOnce(context, strategy, admittedObject, { ...options, isValid });
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(context, strategy, copyOf(admittedObject), { ...options, isValid });
    } catch (error) {
      if (attempt === maxNameAttempts || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

/** Admits, validates and evaluates a review, without defaults of the metadata. As upstream, its namespace need not exist. */
async function answerReview(
  context: RegistryContext,
  strategy: ResourceStrategy,
  review: ApiObject,
  options: CreateOptions,
): Promise<ApiObject> {
  const { validate, evaluate } = strategy.review as Review;
  const managedReview = withManagedFields(context, strategy, undefined, review, options);
  const createAttributes = (): AdmissionAttributes => attributesOf(strategy, managedReview, options);
  const admittedReview = await runMutatingAdmission(context, strategy, createAttributes, { object: managedReview });
  validate(admittedReview);
  if (context.admission.validate) await runValidatingAdmission(context, strategy, createAttributes(), admittedReview);
  return strategy.encode(evaluate(admittedReview, options));
}

/** Validates and stores an object. If a step fails, releases the resources that were allocated outside the store. */
async function createOnce(
  context: RegistryContext,
  strategy: ResourceStrategy,
  object: ApiObject,
  options: CreateOptions,
): Promise<ApiObject> {
  const { dryRun = false } = options;
  const createdObject = withSystemFields(context, object, options);
  const preparedObject = strategy.recordUser?.(createdObject, options.user) ?? createdObject;
  const pendingWrite = strategy.beginCreate?.(preparedObject, { dryRun });
  let isStored = false;
  try {
    const allocatedObject = pendingWrite?.object ?? preparedObject;
    const result = options.isValid ? { object: allocatedObject } : strategy.checkCreate(allocatedObject);
    for (const warning of result.warnings ?? []) options.warn?.(warning);
    if (result.causes) throw invalidObject(strategy.resource, preparedObject.metadata.name ?? '', result.causes);
    const { object: validObject } = result;
    for (const warning of strategy.warnings?.(validObject) ?? []) options.warn?.(warning);
    options.requireCreatable?.();
    if (context.admission.validate)
      await runValidatingAdmission(context, strategy, attributesOf(strategy, validObject, options), validObject);
    const stored = await context.conversions.run(() => storeObject(context, strategy, validObject, dryRun));
    const saving = context.store.waitUntilSaved();
    if (saving) await saving;
    isStored = !dryRun;
    return strategy.decorate?.(stored) ?? stored;
  } finally {
    if (isStored) pendingWrite?.commit();
    else pendingWrite?.rollback();
  }
}

function storeObject(context: RegistryContext, strategy: ResourceStrategy, object: ApiObject, dryRun: boolean): ApiObject {
  const { resource } = strategy;
  const key = keyOf(object.metadata);
  const objectStore = storeOf(context, strategy);
  // Reserves the position of resourceVersion among the metadata fields.
  const { resourceVersion } = object.metadata;
  // A dry run does not reach the check that refuses a resourceVersion sent by the client.
  const objectWithVersion = resourceVersion && !dryRun ? object : withMetadata(object, { resourceVersion: '0' });
  try {
    const stored = runSteps(objectStore, dryRun, () =>
      objectStore.create(resource, key, strategy.encode(objectWithVersion), ownershipOf(strategy)),
    );
    return dryRun ? withMetadata(stored, { resourceVersion: resourceVersion || undefined }) : stored;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const conflictError: ApiError = object.metadata.generateName ? generateNameConflict(resource, key.name) : error;
    const existing = lookUp(context, strategy, key);
    throw existing && isBeingDeleted(existing) ? withBeingDeletedPrefix(conflictError) : conflictError;
  }
}

/** Returns options that let the store keep the encoded object without a copy, if the strategy transfers ownership. */
export const ownershipOf = ({ transfersOwnership = false }: ResourceStrategy): OwnershipTransfer =>
  transfersOwnership ? ownedTransfer : {};

const ownedTransfer: OwnershipTransfer = { owned: true };

/** Sets the namespace of the request, or removes that of a cluster-scoped object. @throws ApiError BadRequest if the namespaces differ */
export function withRequestNamespace({ resource }: ResourceStrategy, namespace: string | undefined, object: ApiObject): ApiObject {
  const objectNamespace = object.metadata.namespace ?? '';
  const requestedNamespace = resource.namespaced ? (namespace ?? '') : '';
  if (objectNamespace === requestedNamespace) return object;
  if (objectNamespace === '') return withMetadata(object, { namespace: requestedNamespace });
  if (requestedNamespace === '') return withMetadata(object, { namespace: undefined });
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Removes deletion metadata, because only the server sets it. */
function withoutDeletionMetadata(object: ApiObject): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined && deletionGracePeriodSeconds === undefined) return object;
  return withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });
}

function withSystemFields({ timestamp, randomness }: RegistryContext, object: ApiObject, { preservedMetadata }: CreateOptions): ApiObject {
  const { name, generateName: base } = object.metadata;
  const metadata = {
    ...object.metadata,
    creationTimestamp: preservedMetadata?.creationTimestamp ?? timestamp(),
    uid: preservedMetadata?.uid ?? randomness.uuid(),
    ...(!name && base && { name: generateName(base, randomness) }),
  };
  return { ...object, metadata };
}

const attributesOf = ({ resource }: ResourceStrategy, object: ApiObject, options: CreateOptions): AdmissionAttributes => ({
  operation: 'CREATE',
  resource,
  key: keyOf(object.metadata),
  ...createWriteAttributes('CreateOptions', options),
});

/** Maximum number of attempts with generated names: `maxNameGenerationCreateAttempts` (1.36, generic/registry). */
export const maxNameAttempts = 8;

/**
 * Appends five random characters to a prefix, which is cut if necessary.
 *
 * Mirrors SimpleNameGenerator (1.36, apiserver/pkg/storage/names/generate.go). The alphabet has no vowels and no ambiguous characters, so
 * that no words result.
 */
export function generateName(base: string, { draw }: Randomness): string {
  let name = base.slice(0, maxNameLength - suffixLength);
  for (let i = 0; i < suffixLength; i++) name += alphabet[draw(alphabet.length)];
  return name;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const maxNameLength = 63;
const suffixLength = 5;
