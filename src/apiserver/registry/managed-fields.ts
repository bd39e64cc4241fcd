import { type ApiObject, apiVersionOf } from '../../port/index.ts';
import { builtInKind, changesOnlyTimes, createFieldManager, deduced, type FieldManager } from '../patch/index.ts';
import type { RegistryContext } from './context.ts';
import { decodeBody } from './decode.ts';
import type { ResourceStrategy } from './strategy.ts';
import { timestamp } from './time.ts';

interface TrackOptions {
  readonly fieldManager?: string;
  readonly subresource?: string;
  readonly applied?: boolean;
}

/** The object with the fields that its writer manages from now on, where they are kept at all. */
export function tracked(
  context: RegistryContext,
  strategy: ResourceStrategy,
  live: ApiObject | undefined,
  object: ApiObject,
  { fieldManager = 'unknown', subresource, applied = false }: TrackOptions,
): ApiObject {
  if (!context.managesFields || applied) return object;
  const write = { manager: fieldManager, now: timestamp(context.clock) };
  const encoded = strategy.encode(object);
  const managed = fieldManagerFor(strategy, subresource).update(live, encoded, write) as unknown as ApiObject;
  return decodeBody(strategy, managed);
}

/** A write that would change nothing but the times of managed fields is none: what is stored stays. */
export const unlessOnlyTimes = (live: ApiObject, object: ApiObject): ApiObject =>
  changesOnlyTimes(live as Record<string, unknown>, object as Record<string, unknown>) ? live : object;

export function fieldManagerFor(strategy: ResourceStrategy, subresource: string | undefined): FieldManager {
  const { resource } = strategy;
  const apiVersion = apiVersionOf(resource);
  const known = builtInKind(apiVersion, resource.kind);
  return createFieldManager({
    apiVersion,
    kind: resource.kind,
    ...(subresource !== undefined && { subresource }),
    typeIn: (version) => (version === apiVersion ? (known?.type ?? deduced) : undefined),
    empty: known?.empty ?? { apiVersion, kind: resource.kind, metadata: {} },
    finish: (object) => strategy.encode(decodeBody(strategy, object)) as Record<string, unknown>,
  });
}
