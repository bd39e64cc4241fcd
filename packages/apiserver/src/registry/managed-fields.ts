import type { ApiObject } from 'kube-endpoints/port';
import { changesOnlyTimes, type FieldManager } from '../patch/index.ts';
import type { RegistryContext } from './context.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** How a write is recorded in managedFields. */
export interface ManagerOptions {
  readonly fieldManager?: string;
  /** Manager if `fieldManager` is absent: over HTTP, the program name of the user agent. */
  readonly defaultManager?: string;
  /** True records managed fields for this write, overriding the registry's setting. */
  readonly managesFields?: boolean;
  /** The fields that a creation sets, if the caller knows them. They are computed by default. */
  readonly fieldsV1?: object;
  /** Subresource recorded in managedFields, if it differs from `subresource`: "scale", whose writes update the object itself. */
  readonly managedFieldsSubresource?: string;
}

interface TrackOptions extends ManagerOptions {
  readonly subresource?: string;
  /** True if the object is the result of a server-side apply. */
  readonly setsManagedFields?: boolean;
}

/**
 * Returns the object with managedFields updated for this write. If managed fields are not recorded, or an apply has already set them,
 * only removes an empty list.
 */
export function withManagedFields(
  context: RegistryContext,
  strategy: ResourceStrategy,
  live: ApiObject | undefined,
  object: ApiObject,
  {
    subresource,
    managedFieldsSubresource = subresource,
    setsManagedFields = false,
    managesFields = context.managesFields,
    fieldsV1,
    ...managerOptions
  }: TrackOptions,
): ApiObject {
  if (!managesFields || setsManagedFields)
    return object.metadata.managedFields?.length === 0 ? withMetadata(object, { managedFields: undefined }) : object;
  // Upstream records no time for writes through another representation, such as Scale.
  const write = { manager: resolveManager(managerOptions), now: managedFieldsSubresource === subresource ? context.timestamp() : '' };
  const { manager, now: time } = write;
  const entries = fieldsV1
    ? [{ manager, operation: 'Update', apiVersion: object.apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 }]
    : fieldManagerFor(context, strategy, managedFieldsSubresource).computeManagedFields(live, strategy.encode(object), write);
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

export const resolveManager = ({ fieldManager, defaultManager }: ManagerOptions): string => fieldManager || defaultManager || 'unknown';

/** Returns the live object if the write would change only the times of managed fields; else the new object. */
export const ignoreTimeOnlyChange = (live: ApiObject, object: ApiObject): ApiObject =>
  changesOnlyTimes(live as Record<string, unknown>, object as Record<string, unknown>) ? live : object;

export const fieldManagerFor = (
  { fieldManagers }: RegistryContext,
  strategy: ResourceStrategy,
  subresource: string | undefined,
): FieldManager => fieldManagers.managerFor(strategy, subresource);
