import { type ApiObject, apiVersionOf, type ObjectKey, type PatchOptions } from '../../port/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, builtInKind, type PatchedDocument } from '../patch/index.ts';
import { conflict, notFound } from '../store/index.ts';
import type { RegistryContext } from './context.ts';
import { decodePatched } from './decode.ts';
import { unsupportedPatch } from './errors.ts';
import { fieldManagerFor } from './managed-fields.ts';
import type { ResourceStrategy } from './strategy.ts';
import { timestamp } from './time.ts';
import { type UpdateOptions, update } from './update.ts';

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
  options: PatchOptions & Pick<UpdateOptions, 'warn'>,
): Promise<ApiObject> {
  const { type } = options;
  const { resource } = strategy;
  const isApply = type === 'apply';
  const change = (current: ApiObject | undefined): ApiObject => {
    if (!current && !isApply) throw notFound(resource, key.name);
    const { value, strictErrors } = patched(context, strategy, current, given, options);
    const object = decodePatched(strategy, value, strictErrors, options);
    if (current || !object.metadata.uid) return object;
    const why = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw conflict(resource, key.name, why);
  };
  const { type: _, force: __, fieldValidation: ___, signal: ____, ...rest } = options;
  return update(context, { ...strategy, createOnUpdate: isApply }, key, change, { ...rest, applied: isApply });
}

function patched(
  context: RegistryContext,
  strategy: ResourceStrategy,
  current: ApiObject | undefined,
  given: unknown,
  { type, fieldManager = 'unknown', fieldValidation, force = false, subresource }: PatchOptions,
): PatchedDocument {
  const live = current as Record<string, unknown> | undefined;
  if (type === 'apply') {
    const write = { manager: fieldManager, now: timestamp(context.clock), force };
    return whole(fieldManagerFor(strategy, subresource).apply(live, given as Record<string, unknown>, write));
  }
  const object = live ?? {};
  if (type === 'json') return applyJsonPatch(object, given, fieldValidation);
  if (type === 'merge') return applyMergePatch(object, given, fieldValidation);
  const known = builtInKind(apiVersionOf(strategy.resource), strategy.resource.kind);
  if (!known) throw unsupportedPatch(['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']);
  return whole(applyStrategicMergePatch(object, given, known.type));
}

const whole = (value: unknown): PatchedDocument => ({ value, strictErrors: [] });
