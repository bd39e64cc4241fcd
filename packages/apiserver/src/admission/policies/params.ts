import type { ApiObject, Resource } from 'kube-endpoints/port';
import { formatGvk } from '../../patch/index.ts';
import { type AdmissionRequest, findKind, type Registry } from '../../registry/index.ts';
import { child, type Fields, has, text } from '../../resources/field/read.ts';
import { createLabelMatcher, type LabelMatcher } from '../labels.ts';
import { namespaceOf } from '../rules.ts';
import { withTypeMeta } from '../webhooks/review.ts';

/** `admissionregistration.k8s.io/v1`'s ParamKind. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** `admissionregistration.k8s.io/v1`'s ParamRef. */
export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  /** Undefined without a selector. */
  readonly selector: { readonly matches: LabelMatcher } | undefined;
  /** Whether parameterNotFoundAction is Deny. */
  readonly deniesMissing: boolean;
}

export const readParamKind = (spec: Fields): ParamKind | undefined =>
  has(spec, 'paramKind')
    ? { apiVersion: text(child(spec, 'paramKind'), 'apiVersion'), kind: text(child(spec, 'paramKind'), 'kind') }
    : undefined;

export function readParamRef(spec: Fields): ParamRef | undefined {
  if (!has(spec, 'paramRef')) return undefined;
  const paramRef = child(spec, 'paramRef');
  return {
    name: text(paramRef, 'name'),
    namespace: text(paramRef, 'namespace'),
    selector: has(paramRef, 'selector') ? { matches: createLabelMatcher(child(paramRef, 'selector')) } : undefined,
    deniesMissing: text(paramRef, 'parameterNotFoundAction') === 'Deny',
  };
}

/** A policy or binding cannot be applied as it is configured. */
export class ConfigurationError extends Error {}

type ServedParams = Pick<Registry, 'resources' | 'storeFor'>;

/** Finds the resource of a paramKind. @throws ConfigurationError if this server does not serve it */
export function findParamResource({ resources }: ServedParams, { apiVersion, kind }: ParamKind): Resource {
  const resource = findKind(resources, apiVersion, kind);
  if (resource) return resource;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${formatGvk({ apiVersion, kind })}'`);
}

/**
 * Returns the objects with which to evaluate a policy, once each; undefined stands for an evaluation without params.
 *
 * Mirrors CollectParams (1.36, apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go).
 * @throws ConfigurationError if the reference does not fit the resource, or the params are missing and must not be
 */
export function collectParams(
  served: ServedParams,
  resource: Resource | undefined,
  paramRef: ParamRef | undefined,
  request: AdmissionRequest,
): readonly (ApiObject | undefined)[] {
  if (!resource || !paramRef) return [undefined];
  const namespace = resource.namespaced ? paramRef.namespace || namespaceOf(request) : undefined;
  if (namespace === '')
    throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (namespace === undefined && paramRef.namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const params = findParams(served, resource, paramRef, namespace);
  if (params.length === 0 && paramRef.deniesMissing)
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return params.map((each) => withTypeMeta(resource, each) ?? undefined);
}

function findParams(
  served: ServedParams,
  resource: Resource,
  { name, selector }: ParamRef,
  namespace: string | undefined,
): readonly ApiObject[] {
  const store = served.storeFor(resource);
  if (name !== '') {
    const param = store.find(resource, namespace === undefined ? { name } : { namespace, name });
    return param ? [param] : [];
  }
  const { items } = store.list(resource, namespace === undefined ? {} : { namespace });
  const matches = selector?.matches;
  return matches ? items.filter(({ metadata }) => matches(metadata.labels ?? {})) : items;
}
