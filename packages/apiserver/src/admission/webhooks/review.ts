import { apiVersionOf, parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { type AdmissionRequest, toUserInfo, type User } from '../../registry/index.ts';
import type { ReviewVersion } from '../../webhook-client/index.ts';
import { namespaceOf } from '../rules.ts';

/** The content of a review: the request, and its objects converted to `resource`. */
export interface ReviewInput {
  readonly uid: string;
  readonly request: AdmissionRequest;
  readonly resource: Resource;
  readonly object?: ApiObject;
  readonly old?: ApiObject;
}

/** The user in reviews of in-process requests, which have no user. */
export const defaultUser: User = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** Mirrors CreateV1AdmissionReview and CreateV1beta1AdmissionReview (1.36, apiserver/pkg/admission/plugin/webhook/request). */
export const createReview = (version: ReviewVersion, input: ReviewInput): object => ({
  kind: 'AdmissionReview',
  apiVersion: `admission.k8s.io/${version}`,
  request: createReviewRequest(input),
});

interface ReviewRequest extends Readonly<Record<string, unknown>> {
  readonly object: ApiObject | null;
  readonly oldObject: ApiObject | null;
}

/** Creates the `request` of an AdmissionReview. */
export function createReviewRequest({ uid, request, resource, object, old }: ReviewInput): ReviewRequest {
  const { subresource, key, operation, dryRun, options, user = defaultUser } = request;
  const namespace = namespaceOf(request);
  return {
    uid,
    kind: toGroupVersionKind(resource, subresource, object),
    resource: toGroupVersionResource(resource),
    ...(subresource && { subResource: subresource }),
    requestKind: toGroupVersionKind(request.resource, subresource, object),
    requestResource: toGroupVersionResource(request.resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(key.name && { name: key.name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: toUserInfo(user),
    object: withTypeMeta(resource, object),
    oldObject: withTypeMeta(resource, old),
    dryRun,
    options: { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1', ...options },
  };
}

const optionKinds: Readonly<Record<AdmissionRequest['operation'], string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

/** Subresources whose objects have a kind of their own: Binding, Eviction. */
const subresourcesWithOwnKind: Readonly<Record<string, true>> = { binding: true, eviction: true };

export const hasOwnKind = (subresource: string | undefined): boolean =>
  subresource !== undefined && Object.hasOwn(subresourcesWithOwnKind, subresource);

function toGroupVersionKind(resource: Resource, subresource: string | undefined, object: ApiObject | undefined): object {
  const { apiVersion = '', kind } =
    hasOwnKind(subresource) && object ? object : { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return { ...parseApiVersion(apiVersion), kind };
}

const toGroupVersionResource = ({ group, version, plural }: Resource): object => ({ group, version, resource: plural });

/** Adds kind and apiVersion, which stored objects may omit. Returns null, as in an AdmissionReview, if there is no object. */
export function withTypeMeta(resource: Resource, object: ApiObject | undefined): ApiObject | null {
  if (!object) return null;
  const { kind = resource.kind, apiVersion = apiVersionOf(resource), ...fields } = object;
  return { kind, apiVersion, ...fields };
}
