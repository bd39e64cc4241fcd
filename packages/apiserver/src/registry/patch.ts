import { apiVersionOf, quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ObjectKey, PatchOptions, Resource } from 'kube-endpoints/port';
import { formatTypeMetaError } from '../patch/errors.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, builtInKind, formatStrategicPatch } from '../patch/index.ts';
import { printJson } from '../resources/field/causes.ts';
import { isFields } from '../resources/field/read.ts';
import { conflict, notFound } from '../store/index.ts';
import type { RegistryContext } from './context.ts';
import { type DecodePatchedOptions, decodePatched, invalidPatch } from './decode.ts';
import { unsupportedPatch } from './errors.ts';
import { fieldManagerFor, resolveManager } from './managed-fields.ts';
import type { ResourceStrategy } from './strategy.ts';
import { type UpdateOptions, update } from './update.ts';

/** Options of a patch in addition to PatchOptions. */
export type PatchCallOptions = Pick<
  UpdateOptions,
  'defaultManager' | 'managesFields' | 'onCreate' | 'requireCreatable' | 'strictErrors' | 'user' | 'warn'
>;

/**
 * Patches an object. Only server-side apply creates a missing object.
 *
 * Mirrors patcher (1.36, apiserver/pkg/endpoints/handlers/patch.go).
 */
export function patch(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  body: unknown,
  options: PatchOptions & PatchCallOptions,
): Promise<ApiObject> {
  const { type } = options;
  const { resource } = strategy;
  const isApply = type === 'apply';
  const { strictErrors: _, ...decodeOptions } = options;
  const change = (current: ApiObject | undefined): ApiObject => {
    if (!current && !isApply) throw notFound(resource, key.name);
    const object = isApply
      ? decodePatched(strategy, applyConfiguration(context, strategy, current, body, options), decodeOptions)
      : applyPatch(context, strategy, current as ApiObject, body, options);
    if (current || !object.metadata.uid) return object;
    const problem = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw conflict(resource, key.name, problem);
  };
  const { type: __, force: ___, signal: ____, ...rest } = decodeOptions;
  return update(context, strategy, key, change, { ...rest, setsManagedFields: isApply, isDecoded: true, allowCreate: isApply });
}

type Options = PatchOptions & PatchCallOptions;

function applyConfiguration(
  context: RegistryContext,
  strategy: ResourceStrategy,
  current: ApiObject | undefined,
  body: unknown,
  { force = false, subresource, ...managerOptions }: Options,
): unknown {
  const write = { manager: resolveManager(managerOptions), now: context.timestamp(), force };
  const manager = fieldManagerFor(context, strategy, subresource);
  return manager.apply(current as Record<string, unknown> | undefined, body as Record<string, unknown>, write);
}

function applyPatch(context: RegistryContext, strategy: ResourceStrategy, current: ApiObject, body: unknown, options: Options): ApiObject {
  const object = current as unknown as Record<string, unknown>;
  const { type, fieldValidation, strictErrors = [] } = options;
  const builtInTypes = builtInKind(apiVersionOf(strategy.resource), strategy.resource.kind);
  if (type === 'strategic') {
    if (!builtInTypes)
      throw unsupportedPatch(['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']);
    const value = applyStrategicMergePatch(object, body, builtInTypes.type);
    const printQuoted = (): string => formatStrategicPatch(object, body, builtInTypes.type);
    return decodePatched(strategy, value, { ...options, printQuoted, isFromMap: true });
  }
  const { value, strictErrors: duplicateErrors } = (type === 'json' ? applyJsonPatch : applyMergePatch)(object, body, fieldValidation);
  const patchedOptions: DecodePatchedOptions = { ...options, strictErrors: [...strictErrors, ...duplicateErrors] };
  if (!builtInTypes) return decodePatched(strategy, value, patchedOptions);
  const problem = findKindProblem(context, strategy, value);
  if (problem !== undefined) throw invalidPatch(printJson(value), problem);
  return decodePatched(hasNoVersion(value) ? withoutKnownFields(strategy) : strategy, value, patchedOptions);
}

/** Returns a strategy for objects without apiVersion, which reports every field as unknown. */
const withoutKnownFields = (strategy: ResourceStrategy): ResourceStrategy => ({
  ...strategy,
  decode: (body) => ({
    object: { ...strategy.decode({}).object, metadata: {} },
    unknown: Object.keys(body as object).filter((name) => name !== 'kind' && name !== 'apiVersion'),
  }),
});

/**
 * Returns the error message if the result of a JSON patch or merge patch has a kind or apiVersion that differs from the resource's; else
 * undefined. A missing kind or apiVersion is not an error.
 *
 * Mirrors DecodeInto (apimachinery/pkg/runtime/serializer/json and versioning, 1.36).
 */
function findKindProblem(context: RegistryContext, { resource }: ResourceStrategy, patched: unknown): string | undefined {
  if (!isFields(patched)) return formatTypeMetaError(patched);
  for (const name of ['apiVersion', 'kind']) {
    const value = patched[name] ?? '';
    if (typeof value !== 'string') return formatTypeMetaError(value, `struct field .${name} of type string`);
  }
  const { kind, apiVersion } = patched as { readonly kind?: string; readonly apiVersion?: string };
  if ((apiVersion ?? '').split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const actualKind = kind || resource.kind;
  if (!apiVersion || (actualKind === resource.kind && apiVersion === apiVersionOf(resource))) return undefined;
  const strategies = [...context.strategies.values()];
  const otherStrategy = strategies.find((each) => each.resource.kind === actualKind && apiVersionOf(each.resource) === apiVersion);
  if (!otherStrategy)
    return `no kind ${quote(actualKind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  const { problem } = otherStrategy.decode(patched);
  return problem ?? `converting (${otherStrategy.resource.version}.${actualKind}) to (${internalTypeOf(resource)}): unknown conversion`;
}

/** Upstream decodes an object that lacks apiVersion as an object of no version, so none of its fields are known. */
const hasNoVersion = (patched: unknown): boolean => isFields(patched) && !patched['apiVersion'];

/** The internal type of a kind; upstream uses one for the Events of both groups. */
export const internalTypeOf = ({ group, kind }: Pick<Resource, 'group' | 'kind'>): string =>
  `${group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]}.${kind}`;
