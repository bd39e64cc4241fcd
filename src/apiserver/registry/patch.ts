import { type ApiObject, apiVersionOf, type ObjectKey, type PatchOptions } from '../../port/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, builtInKind, type PatchedDocument } from '../patch/index.ts';
import { conflict, notFound } from '../store/index.ts';
import type { RegistryContext } from './context.ts';
import { decodePatched } from './decode.ts';
import { unsupportedPatch } from './errors.ts';
import { fieldManagerFor, managerIn } from './managed-fields.ts';
import type { ResourceStrategy } from './strategy.ts';
import { type UpdateOptions, update } from './update.ts';

/** What a patch is told beside its options. */
export type PatchCall = Pick<UpdateOptions, 'defaultManager' | 'managesFields' | 'onCreate' | 'user' | 'warn'>;

/**
 * Patches an object. Only server-side apply creates one that is not there.
 *
 * Mirrors patcher (1.36, apiserver/pkg/endpoints/handlers/patch.go).
 */
export function patch(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  given: unknown,
  options: PatchOptions & PatchCall,
): Promise<ApiObject> {
  const { type } = options;
  const { resource } = strategy;
  const isApply = type === 'apply';
  const change = (current: ApiObject | undefined): ApiObject => {
    if (!current && !isApply) throw notFound(resource, key.name);
    const { value, strictErrors } = patched(context, strategy, current, given, options);
    const object = decodePatched(strategy, value, { ...options, strictErrors });
    if (current || !object.metadata.uid) return object;
    const why = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw conflict(resource, key.name, why);
  };
  const { type: _, force: __, signal: ___, ...rest } = options;
  return update(context, strategy, key, change, { ...rest, applied: isApply, decoded: true, mayCreate: isApply });
}

function patched(
  context: RegistryContext,
  strategy: ResourceStrategy,
  current: ApiObject | undefined,
  given: unknown,
  { type, fieldValidation, force = false, subresource, ...names }: PatchOptions & PatchCall,
): PatchedDocument {
  const live = current as Record<string, unknown> | undefined;
  if (type === 'apply') {
    const write = { manager: managerIn(names), now: context.timestamp(), force };
    return whole(fieldManagerFor(context, strategy, subresource).apply(live, given as Record<string, unknown>, write));
  }
  const object = live ?? {};
  if (type === 'json') return applyJsonPatch(object, given, fieldValidation);
  if (type === 'merge') return applyMergePatch(object, given, fieldValidation);
  const known = builtInKind(apiVersionOf(strategy.resource), strategy.resource.kind);
  if (!known) throw unsupportedPatch(['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']);
  return whole(applyStrategicMergePatch(object, given, known.type));
}

const whole = (value: unknown): PatchedDocument => ({ value, strictErrors: [] });
