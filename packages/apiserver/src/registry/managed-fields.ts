import type { ApiObject } from 'kube-endpoints/port';
import { changesOnlyTimes, type FieldManager } from '../patch/index.ts';
import type { RegistryContext } from './context.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Who manages what is written from now on. */
export interface ManagerOptions {
  readonly fieldManager?: string;
  /** Who does where the call does not say: over HTTP, the client by the name of its program. */
  readonly defaultManager?: string;
  /** Whether this write keeps managed fields, whatever the registry does by default. */
  readonly managesFields?: boolean;
  /** The subresource under which fields are managed, where what is written through it is the object itself: "scale". */
  readonly managedAs?: string;
}

interface TrackOptions extends ManagerOptions {
  readonly subresource?: string;
  readonly applied?: boolean;
}

/** The object with the fields that its writer manages from now on, where they are kept at all. */
export function tracked(
  context: RegistryContext,
  strategy: ResourceStrategy,
  live: ApiObject | undefined,
  object: ApiObject,
  { subresource, managedAs = subresource, applied = false, managesFields = context.managesFields, ...names }: TrackOptions,
): ApiObject {
  if (!managesFields || applied)
    return object.metadata.managedFields?.length === 0 ? withMetadata(object, { managedFields: undefined }) : object;
  // When somebody wrote through another form of the object, the real server does not note.
  const write = { manager: managerIn(names), now: managedAs === subresource ? context.timestamp() : '' };
  const entries = fieldManagerFor(context, strategy, managedAs).managedFieldsOf(live, strategy.encode(object), write);
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

export const managerIn = ({ fieldManager, defaultManager }: ManagerOptions): string => fieldManager || defaultManager || 'unknown';

/** A write that would change nothing but the times of managed fields is none: what is stored stays. */
export const unlessOnlyTimes = (live: ApiObject, object: ApiObject): ApiObject =>
  changesOnlyTimes(live as Record<string, unknown>, object as Record<string, unknown>) ? live : object;

export const fieldManagerFor = ({ managers }: RegistryContext, strategy: ResourceStrategy, subresource: string | undefined): FieldManager =>
  managers.managerFor(strategy, subresource);
