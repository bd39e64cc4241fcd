import { quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ObjectKey, WriteOptions } from 'kube-endpoints/port';
import { collectCauses } from '../resources/field/causes.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest, conflict, notFound, type Preconditions, status500 } from '../store/index.ts';
import { type AdmissionAttributes, createWriteAttributes, runMutatingAdmission, runValidatingAdmission } from './admission.ts';
import type { Caller } from './caller.ts';
import { lookUp, type RegistryContext, runSteps, storeOf } from './context.ts';
import { create, ownershipOf, withRequestNamespace } from './create.ts';
import { type DecodeOptions, decodeBody, decodeStored } from './decode.ts';
import { type DeleteResult, deleteDependents } from './delete.ts';
import { ignoreTimeOnlyChange, type ManagerOptions, withManagedFields } from './managed-fields.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

export interface UpdateOptions extends Pick<WriteOptions, 'dryRun' | 'subresource'>, DecodeOptions, ManagerOptions, Caller {
  /** Called before the write creates the object. @throws ApiError Forbidden if the caller may not create it */
  readonly requireCreatable?: () => void;
  /** Called if the write created the object. */
  readonly onCreate?: () => void;
  /** Overrides `createOnUpdate` of the strategy. */
  readonly allowCreate?: boolean;
  /** True if the change returns a decoded object. */
  readonly isDecoded?: boolean;
  /** True if the change has already set managedFields. */
  readonly setsManagedFields?: boolean;
  readonly preconditions?: Preconditions;
}

/** Computes the object to store from the current one. `current` is undefined if the object does not exist. */
export type Change = (current: ApiObject | undefined) => ApiObject | Promise<ApiObject>;

/**
 * Updates an object. If it changed concurrently, calls `change` again with the new version.
 *
 * Mirrors Store.Update (1.36, apiserver/pkg/registry/generic/registry/store.go).
 */
export async function update(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  change: Change,
  options: UpdateOptions = {},
): Promise<ApiObject> {
  const { resource } = strategy;
  const { conversions } = context;
  for (;;) {
    const existing = await conversions.run(() => lookUp(context, strategy, key));
    if (!existing) return createIfAllowed(context, strategy, key, change, options);
    // A no-op update that only checks the preconditions.
    const keepStored = (stored: ApiObject): ApiObject => stored;
    const { preconditions } = options;
    const current = preconditions
      ? await conversions.run(() => storeOf(context, strategy).update(resource, key, keepStored, preconditions))
      : existing;
    const body = await conversions.run(() => change(current));
    const updated = await tryReplace(context, strategy, key, { current, body }, options);
    if (updated) return strategy.decorate?.(updated) ?? updated;
  }
}

async function createIfAllowed(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  change: Change,
  options: UpdateOptions,
): Promise<ApiObject> {
  const { resource, createOnUpdate } = strategy;
  if (!(options.allowCreate ?? createOnUpdate) || options.subresource !== undefined) throw notFound(resource, key.name);
  const body = await context.conversions.run(() => change(undefined));
  const { uid } = options.preconditions ?? {};
  if (uid !== undefined) throw conflict(resource, key.name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
  requireName(key, withRequestNamespace(strategy, key.namespace, body));
  const object = await create(context, strategy, key.namespace, withMetadata(body, { resourceVersion: undefined }), options);
  options.onCreate?.();
  return object;
}

interface Replacement {
  readonly current: ApiObject;
  readonly body: ApiObject;
}

/** Tries the update once. Returns undefined if the object changed meanwhile. */
async function tryReplace(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  { current, body }: Replacement,
  options: UpdateOptions,
): Promise<ApiObject | undefined> {
  const { resource } = strategy;
  const { dryRun = false, subresource } = options;
  const old = decodeStored(strategy, current);
  const decoded = options.isDecoded ? body : decodeBody(strategy, body, options);
  const object = withRequestNamespace(strategy, key.namespace, decoded);
  requireName(key, object);
  const createAttributes = (): AdmissionAttributes => attributesOf(strategy, key, current, options);
  const objectToAdmit = await context.conversions.run(() => withManagedFields(context, strategy, current, object, options));
  const requestedObject = checkVersion(
    strategy,
    key,
    await runMutatingAdmission(context, strategy, createAttributes, { object: objectToAdmit, old, subresource }),
    old,
  );
  const pendingWrite = subresource === undefined ? strategy.beginUpdate?.(requestedObject, old, { dryRun }) : undefined;
  let isStored = false;
  try {
    const result = strategy.checkUpdate(pendingWrite?.object ?? requestedObject, old, subresource);
    for (const warning of result.warnings ?? []) options.warn?.(warning);
    if (result.causes) throw invalidObject(resource, requestedObject.metadata.name ?? '', result.causes);
    for (const warning of strategy.warnings?.(result.object, old) ?? []) options.warn?.(warning);
    if (context.admission.validate) await runValidatingAdmission(context, strategy, createAttributes(), result.object);
    const stored = await context.conversions.run(() =>
      runSteps(context.store, dryRun, () => storeOrRemove(context, strategy, key, { current, object: result.object }, options)),
    );
    const saving = stored && context.store.waitUntilSaved();
    if (saving) await saving;
    if (stored?.isRemoved && !dryRun) strategy.releaseAllocations?.(current);
    isStored = stored !== undefined && !stored.isRemoved && !dryRun;
    return stored && dryRun ? withMetadata(stored.object, { resourceVersion: current.metadata.resourceVersion }) : stored?.object;
  } finally {
    if (isStored) pendingWrite?.commit();
    else pendingWrite?.rollback();
  }
}

const attributesOf = (
  { resource }: ResourceStrategy,
  key: ObjectKey,
  old: ApiObject,
  { subresource, ...options }: UpdateOptions,
): AdmissionAttributes => ({
  operation: 'UPDATE',
  resource,
  ...(subresource && { subresource }),
  key,
  old,
  ...createWriteAttributes('UpdateOptions', options),
});

/**
 * Stores the object, or removes it if its deletion was delayed only by finalizers that this update removed. Returns undefined if the object
 * changed meanwhile.
 */
function storeOrRemove(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  { current, object }: { readonly current: ApiObject; readonly object: ApiObject },
  { preconditions, dryRun = false }: UpdateOptions,
): DeleteResult | undefined {
  const store = storeOf(context, strategy);
  const { resource } = strategy;
  const encodedObject = ignoreTimeOnlyChange(current, strategy.encode(object));
  if (store.find(resource, key) !== current) return undefined;
  if (!shouldDeleteDuringUpdate(strategy, object, current)) {
    return { object: store.update(resource, key, () => encodedObject, preconditions, ownershipOf(strategy)), isRemoved: false };
  }
  const deletedObject = store.delete(resource, key, preconditions);
  if (!dryRun) deleteDependents(context, strategy, deletedObject);
  return { object: encodedObject, isRemoved: true };
}

/** Mirrors ShouldDeleteDuringUpdate. */
function shouldDeleteDuringUpdate({ isRemovable }: ResourceStrategy, object: ApiObject, { metadata: oldMetadata }: ApiObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || oldMetadata.deletionTimestamp === undefined) return false;
  return (oldMetadata.deletionGracePeriodSeconds ?? 0) === 0 && (isRemovable?.(object) ?? true);
}

/**
 * Requires the current resourceVersion. If it is absent, sets it if the resource allows unconditional updates.
 * @throws ApiError Conflict, Invalid, or a status 500 if the resourceVersion is not a number
 */
function checkVersion({ resource, unconditionalUpdate }: ResourceStrategy, key: ObjectKey, object: ApiObject, old: ApiObject): ApiObject {
  const { resourceVersion = '' } = object.metadata;
  const current = old.metadata.resourceVersion;
  if (resourceVersion !== '' && resourceVersion !== '0') {
    if (!/^\d+$/.test(resourceVersion)) throw status500(`strconv.ParseUint: parsing ${quote(resourceVersion)}: invalid syntax`);
    if (resourceVersion === current) return object;
    throw conflict(resource, key.name, 'the object has been modified; please apply your changes to the latest version and try again');
  }
  if (unconditionalUpdate) return withMetadata(object, { resourceVersion: current });
  // As in Store.Update, the kind in the message is the plural of the resource, and the value is 0.
  const causes = collectCauses();
  causes.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalidObject({ group: resource.group, kind: resource.plural }, key.name, causes.list);
}

/** Mirrors checkName (1.36, apiserver/pkg/endpoints/handlers/rest.go), after the namespace has been checked. */
function requireName({ name }: ObjectKey, { metadata }: ApiObject): void {
  const bodyName = metadata.name ?? '';
  if (bodyName === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (bodyName !== name) throw badRequest(`the name of the object (${bodyName}) does not match the name on the URL (${name})`);
}
