import { apiVersionOf, quote } from 'kube-endpoints/internal';
import type { ApiObject, ObjectKey, PatchOptions, Resource } from 'kube-endpoints/port';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, builtInKind, strategicPatchText } from '../patch/index.ts';
import { printJson } from '../resources/field/causes.ts';
import { isFields } from '../resources/field/read.ts';
import { conflict, notFound } from '../store/index.ts';
import type { RegistryContext } from './context.ts';
import { decodePatched, invalidPatch, type PatchedOptions } from './decode.ts';
import { unsupportedPatch } from './errors.ts';
import { fieldManagerFor, managerIn } from './managed-fields.ts';
import type { ResourceStrategy } from './strategy.ts';
import { type UpdateOptions, update } from './update.ts';

/** Options of a patch in addition to PatchOptions. */
export type PatchCall = Pick<UpdateOptions, 'defaultManager' | 'managesFields' | 'onCreate' | 'strictErrors' | 'user' | 'warn'>;

/**
 * Patches an object. Only server-side apply creates a missing object.
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

/** Decodes an object without apiVersion: all of its fields are unknown. */
const nameless = (strategy: ResourceStrategy): ResourceStrategy => ({
  ...strategy,
  decode: (body) => ({
    object: { ...strategy.decode({}).object, metadata: {} },
    unknown: Object.keys(body as object).filter((name) => name !== 'kind' && name !== 'apiVersion'),
  }),
});

/**
 * Error if the result of a JSON patch or merge patch states another or an unknown kind. A missing kind or apiVersion is no error.
 *
 * Mirrors the decoder that DecodeInto gets (apimachinery/pkg/runtime/serializer/json and versioning, 1.36).
 */
function kindProblem(context: RegistryContext, { resource }: ResourceStrategy, patched: unknown): string | undefined {
  if (!isFields(patched)) return `${unreadable} array into Go value of type ${kindAndVersion}`;
  for (const name of ['apiVersion', 'kind']) {
    const type = patched[name] === undefined || patched[name] === null ? 'string' : nameOf(patched[name]);
    if (type !== 'string') return `${unreadable} ${type} into Go struct field .${name} of type string`;
  }
  const { kind, apiVersion } = patched as { readonly kind?: string; readonly apiVersion?: string };
  if ((apiVersion ?? '').split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const is = kind || resource.kind;
  if (!apiVersion || (is === resource.kind && apiVersion === apiVersionOf(resource))) return undefined;
  const strategies = [...context.strategies.values()];
  const other = strategies.find((each) => each.resource.kind === is && apiVersionOf(each.resource) === apiVersion);
  if (!other) return `no kind ${quote(is)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  const { problem } = other.decode(patched);
  return problem ?? `converting (${other.resource.version}.${is}) to (${internalTypeOf(resource)}): unknown conversion`;
}

/** Upstream decodes an object without apiVersion without a version, so it has no known fields. */
const saysNoVersion = (patched: unknown): boolean => isFields(patched) && !patched['apiVersion'];

const unreadable = "couldn't get version/kind; json parse error: json: cannot unmarshal";
const kindAndVersion = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const nameOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value);

/** Upstream uses one internal type for the Events of both groups. */
const internalTypeOf = ({ group, kind }: Resource): string =>
  `${group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]}.${kind}`;
