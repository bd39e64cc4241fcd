import { quote } from 'kube-endpoints/internal';
import { apiVersionOf, type Resource } from 'kube-endpoints/port';
import { isFields } from '../resources/field/read.ts';
import type { RegistryContext } from './context.ts';
import type { ResourceStrategy } from './strategy.ts';

/**
 * Why what a JSON patch or merge patch made is no object of the resource: by its own account it is another kind, or none. What it does not
 * say of its kind is taken for granted.
 *
 * Mirrors the decoder that DecodeInto is given (apimachinery/pkg/runtime/serializer/json and versioning, 1.36).
 */
export function kindProblem(context: RegistryContext, { resource }: ResourceStrategy, patched: unknown): string | undefined {
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

/** What says nothing of its version is read in none, in which no field has a name. */
export const saysNoVersion = (patched: unknown): boolean => isFields(patched) && !patched['apiVersion'];

const unreadable = "couldn't get version/kind; json parse error: json: cannot unmarshal";
const kindAndVersion = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const nameOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value);

/** Events are one type to the real server, whatever their group. */
const internalTypeOf = ({ group, kind }: Resource): string =>
  `${group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]}.${kind}`;
