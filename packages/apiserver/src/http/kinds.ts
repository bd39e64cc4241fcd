import type { ApiError, Resource } from 'kube-endpoints/port';
import { formatTypeMetaError } from '../patch/errors.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import { formatNotRegistered } from '../registry/errors.ts';
import { internalTypeOf } from '../registry/patch.ts';
import { createUnreadableBodyError } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import { createUnrecognizedBodyError } from './errors.ts';

/** The type that a body must have. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name of the internal Go type into which the real server decodes the body. */
  readonly internalType: string;
}

/** Whether a CustomResourceDefinition defines the resource. CustomResourceDefinitions themselves are built in. */
export const isCustom = ({ schema, resource }: ServedResource): boolean =>
  schema.struct === undefined && resource.group !== 'apiextensions.k8s.io';

/**
 * Checks that the body has the expected type. A missing kind or apiVersion defaults to the expected one.
 * @throws ApiError BadRequest if the body has a different type
 */
export function requireKind(catalog: Catalog, expected: ExpectedKind, body: Readonly<Record<string, unknown>>, bytes: Uint8Array): void {
  const { kind, version, group } = readGroupVersionKind(body, expected, bytes);
  if (kind === expected.kind && version === expected.version && group === expected.group) return;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const createCannotHandleError = (problem: string): ApiError => createUnreadableBodyError({ kind, version }, problem, expected.kind);
  const registeredType = findRegisteredType(catalog, { group, version, kind });
  if (registeredType === undefined) throw createCannotHandleError(formatNotRegistered(kind, apiVersion));
  if (registeredType !== expected.internalType)
    throw createCannotHandleError(`converting (${version}.${kind}) to (${expected.internalType}): unknown conversion`);
  const expectedVersion = expected.group === '' ? expected.version : `${expected.group}/${expected.version}`;
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expectedVersion})`);
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Returns the kind, group and version of a body, with defaults from `expected`.
 * @throws ApiError BadRequest if kind or apiVersion is malformed
 */
export function readGroupVersionKind(
  body: Readonly<Record<string, unknown>>,
  expected: GroupVersionKind,
  bytes: Uint8Array,
): GroupVersionKind {
  const toError = (problem: string): ApiError => createUnrecognizedBodyError(expected.kind, problem, bytes);
  const kind = readField(body, 'kind', toError);
  const apiVersion = readField(body, 'apiVersion', toError);
  const parts = apiVersion.split('/');
  if (parts.length > 2) throw toError(`unexpected GroupVersion string: ${apiVersion}`);
  const [group, version] = parts.length === 2 ? (parts as [string, string]) : ['', apiVersion];
  return {
    kind: kind || expected.kind,
    ...(apiVersion === '' || (version === '' && group === expected.group)
      ? { group: expected.group, version: expected.version }
      : { group, version }),
  };
}

/**
 * Reads kind or apiVersion; returns an empty string if the field is absent. The real server reads them with a case-insensitive parser before
 * it decodes the body.
 */
function readField(body: Readonly<Record<string, unknown>>, name: 'kind' | 'apiVersion', toError: (problem: string) => ApiError): string {
  const key = Object.hasOwn(body, name) ? name : Object.keys(body).find((each) => each.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? undefined : body[key];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw toError(formatTypeMetaError(value, `struct field .${name} of type string`));
}

const isKnownVersion = ({ group, version: servedVersion }: Resource, version: string): boolean =>
  version === servedVersion || (olderVersions[group]?.includes(version) ?? false);

/** Versions that the real server knows but no longer serves. */
const olderVersions: Readonly<Record<string, readonly string[] | undefined>> = {
  'admissionregistration.k8s.io': ['v1beta1'],
  'coordination.k8s.io': ['v1beta1'],
  'discovery.k8s.io': ['v1beta1'],
  'events.k8s.io': ['v1beta1'],
};

/** Finds the name of the internal Go type of a kind. Returns undefined if the kind is not registered. */
function findRegisteredType(catalog: Catalog, { group, version, kind }: GroupVersionKind): string | undefined {
  if (version === 'v1' && group === '' && kind === 'List') return 'core.List';
  for (const servedResource of catalog.all()) {
    const { resource, listKind } = servedResource;
    if (isCustom(servedResource) || resource.group !== group || !isKnownVersion(resource, version)) continue;
    if (resource.kind === kind || listKind === kind) return internalTypeOf({ group, kind });
    const subresource = servedResource.subresources.find(
      ({ type }) => type?.group === group && type.version === version && type.kind === kind,
    );
    if (subresource) return internalTypeOf({ group, kind });
  }
  return undefined;
}
