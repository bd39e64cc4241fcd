import { type ApiObject, apiVersionOf, type ObjectKey, type PatchOptions } from 'kube-endpoints/port';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, builtInKind, strategicPatchText } from '../patch/index.ts';
import { printJson } from '../resources/field/causes.ts';
import { conflict, notFound } from '../store/index.ts';
import type { RegistryContext } from './context.ts';
import { decodePatched, invalidPatch, type PatchedOptions } from './decode.ts';
import { unsupportedPatch } from './errors.ts';
import { fieldManagerFor, managerIn } from './managed-fields.ts';
import { kindProblem, saysNoVersion } from './patched-kind.ts';
import type { ResourceStrategy } from './strategy.ts';
import { type UpdateOptions, update } from './update.ts';

/** What a patch is told beside its options. */
export type PatchCall = Pick<UpdateOptions, 'defaultManager' | 'managesFields' | 'onCreate' | 'strictErrors' | 'user' | 'warn'>;

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
  const { strictErrors: _, ...own } = options;
  const change = (current: ApiObject | undefined): ApiObject => {
    if (!current && !isApply) throw notFound(resource, key.name);
    const object = isApply
      ? decodePatched(strategy, applied(context, strategy, current, given, options), own)
      : patched(context, strategy, current as ApiObject, given, options);
    if (current || !object.metadata.uid) return object;
    const why = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw conflict(resource, key.name, why);
  };
  const { type: __, force: ___, signal: ____, ...rest } = own;
  return update(context, strategy, key, change, { ...rest, applied: isApply, decoded: true, mayCreate: isApply });
}

type Options = PatchOptions & PatchCall;

function applied(
  context: RegistryContext,
  strategy: ResourceStrategy,
  current: ApiObject | undefined,
  given: unknown,
  { force = false, subresource, ...names }: Options,
): unknown {
  const write = { manager: managerIn(names), now: context.timestamp(), force };
  const manager = fieldManagerFor(context, strategy, subresource);
  return manager.apply(current as Record<string, unknown> | undefined, given as Record<string, unknown>, write);
}

function patched(context: RegistryContext, strategy: ResourceStrategy, current: ApiObject, given: unknown, options: Options): ApiObject {
  const object = current as unknown as Record<string, unknown>;
  const { type, fieldValidation, strictErrors = [] } = options;
  const known = builtInKind(apiVersionOf(strategy.resource), strategy.resource.kind);
  if (type === 'strategic') {
    if (!known) throw unsupportedPatch(['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']);
    const value = applyStrategicMergePatch(object, given, known.type);
    const quoted = (): string => strategicPatchText(object, given, known.type);
    return decodePatched(strategy, value, { ...options, quoted, restored: true });
  }
  const { value, strictErrors: unknown } = (type === 'json' ? applyJsonPatch : applyMergePatch)(object, given, fieldValidation);
  const all: PatchedOptions = { ...options, strictErrors: [...strictErrors, ...unknown] };
  if (!known) return decodePatched(strategy, value, all);
  const problem = kindProblem(context, strategy, value);
  if (problem !== undefined) throw invalidPatch(printJson(value), problem);
  return decodePatched(saysNoVersion(value) ? nameless(strategy) : strategy, value, all);
}

/** Reads what says of no version that it is in it: none of its fields has a meaning. */
const nameless = (strategy: ResourceStrategy): ResourceStrategy => ({
  ...strategy,
  decode: (body) => ({
    object: { ...strategy.decode({}).object, metadata: {} },
    unknown: Object.keys(body as object).filter((name) => name !== 'kind' && name !== 'apiVersion'),
  }),
});
