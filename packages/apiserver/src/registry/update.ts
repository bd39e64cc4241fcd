import { quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ObjectKey, WriteOptions } from 'kube-endpoints/port';
import { collectCauses } from '../resources/field/causes.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest, conflict, notFound, type Preconditions, status500 } from '../store/index.ts';
import { type AdmissionAttributes, runMutatingAdmission, runValidatingAdmission, writeAttributes } from './admission.ts';
import type { Caller } from './caller.ts';
import { lookUp, type RegistryContext, runSteps, storeOf } from './context.ts';
import { create, ownershipOf, withRequestNamespace } from './create.ts';
import { type DecodeOptions, decodeBody, decodeStored } from './decode.ts';
import { afterDelete, type DeleteResult } from './delete.ts';
import { ignoreTimeOnlyChange, type ManagerOptions, withManagedFields } from './managed-fields.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

export interface UpdateOptions extends Pick<WriteOptions, 'dryRun' | 'subresource'>, DecodeOptions, ManagerOptions, Caller {
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

/** Computes the object to store from the current one; undefined if absent. */
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
  for (;;) {
    const existing = lookUp(context, strategy, key);
    if (!existing) return createMissing(context, strategy, key, change, options);
    // A no-op update that only checks the preconditions.
    const unchanged = (stored: ApiObject): ApiObject => stored;
    const current = options.preconditions ? storeOf(context, strategy).update(resource, key, unchanged, options.preconditions) : existing;
    const body = await change(current);
    const updated = await replace(context, strategy, key, { current, body }, options);
    if (updated) return strategy.decorate?.(updated) ?? updated;
  }
}

async function createMissing(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  change: Change,
  options: UpdateOptions,
): Promise<ApiObject> {
  const { resource, createOnUpdate } = strategy;
  if (!(options.allowCreate ?? createOnUpdate) || options.subresource !== undefined) throw notFound(resource, key.name);
  const body = await change(undefined);
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

/** Tries the update once. Undefined if the object changed meanwhile. */
async function replace(
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
  const objectToAdmit = withManagedFields(context, strategy, current, object, options);
  const requested = checkVersion(
    strategy,
    key,
    await runMutatingAdmission(context, strategy, createAttributes, { object: objectToAdmit, old, subresource }),
    old,
  );
  const pendingWrite = subresource === undefined ? strategy.beginUpdate?.(requested, old, { dryRun }) : undefined;
  let isStored = false;
  try {
    const result = strategy.checkUpdate(pendingWrite?.object ?? requested, old, subresource);
    for (const warning of result.warnings ?? []) options.warn?.(warning);
    if (result.causes) throw invalidObject(resource, requested.metadata.name ?? '', result.causes);
    for (const warning of strategy.warnings?.(result.object, old) ?? []) options.warn?.(warning);
    if (context.admission.validate) await runValidatingAdmission(context, strategy, createAttributes(), result.object);
    const stored = runSteps(context.store, dryRun, () =>
      storeOrRemove(context, strategy, key, { current, object: result.object }, options),
    );
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
  ...writeAttributes('UpdateOptions', options),
});

/** Stores the object, or removes it if this update removed its last finalizer. */
function storeOrRemove(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  { current, object }: { readonly current: ApiObject; readonly object: ApiObject },
  { preconditions, dryRun = false }: UpdateOptions,
): DeleteResult | undefined {
  const store = storeOf(context, strategy);
  const { resource } = strategy;
  const encoded = ignoreTimeOnlyChange(current, strategy.encode(object));
  if (store.find(resource, key) !== current) return undefined;
  if (!shouldDeleteDuringUpdate(strategy, object, current)) {
    return { object: store.update(resource, key, () => encoded, preconditions, ownershipOf(strategy)), isRemoved: false };
  }
  const deleted = store.delete(resource, key, preconditions);
  if (!dryRun) afterDelete(context, strategy, deleted);
  return { object: encoded, isRemoved: true };
}

/** Mirrors ShouldDeleteDuringUpdate. */
function shouldDeleteDuringUpdate({ isRemovable }: ResourceStrategy, object: ApiObject, { metadata: before }: ApiObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || before.deletionTimestamp === undefined) return false;
  return (before.deletionGracePeriodSeconds ?? 0) === 0 && (isRemovable?.(object) ?? true);
}

/** Without a resourceVersion, updates the current version if the resource allows it. @throws ApiError Conflict, Invalid */
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
