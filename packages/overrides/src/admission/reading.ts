import { serviceNameLabel } from 'kube-endpoints/internal';
import type { Kind } from '../view/kind.ts';
import { isMap, type Shaped, wrongShape } from './shape.ts';

/** The part of an AdmissionRequest that a host looks up its context by. */
export interface ReviewedRequest {
  readonly uid: string;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly namespace: string;
  /** Of the object. Empty where it is still to be generated. */
  readonly name: string;
  /** Of the Service the object belongs to; for a slice by its label `kubernetes.io/service-name`. */
  readonly serviceName: string | undefined;
  readonly dryRun: boolean;
}

/** A review of what rules are about. */
export interface ConcernedReview {
  readonly concerned: true;
  readonly request: ReviewedRequest;
  readonly object: Shaped;
  readonly oldObject: Shaped | undefined;
}

/** Reads the body of a review; text tells why it is none. */
export function readReview(body: unknown): ConcernedReview | { readonly concerned: false } | string {
  if (!isMap(body) || body['kind'] !== 'AdmissionReview') return 'the body is no AdmissionReview';
  const { apiVersion, request } = body;
  if (apiVersion !== 'admission.k8s.io/v1') {
    return `${JSON.stringify(apiVersion ?? null)} is not spoken here: give admission.k8s.io/v1 alone in admissionReviewVersions`;
  }
  if (!isMap(request)) return 'the review has no request';
  if (typeof request['uid'] !== 'string' || request['uid'] === '') return 'the request has no uid';
  const kind = kindOf(request['kind']);
  const { operation, subResource } = request;
  if (!kind || subResource || (operation !== 'CREATE' && operation !== 'UPDATE')) return { concerned: false };
  const { object, oldObject } = request;
  const wrong = wrongShape(object, kind) ?? (isMap(oldObject) ? wrongShape(oldObject, kind) : undefined);
  if (wrong !== undefined) return `the object cannot be read: ${wrong}`;
  const namespace = typeof request['namespace'] === 'string' ? request['namespace'] : '';
  const shaped = withNamespace(object as Shaped, namespace);
  const about = { uid: request['uid'], kind, operation, namespace, dryRun: request['dryRun'] === true } as const;
  return {
    concerned: true,
    request: { ...about, ...namesOf(kind, shaped) },
    object: shaped,
    oldObject: isMap(oldObject) ? withNamespace(oldObject, namespace) : undefined,
  };
}

function kindOf(value: unknown): Kind | undefined {
  if (!isMap(value) || value['version'] !== 'v1') return undefined;
  const { group, kind } = value;
  if ((group ?? '') === '' && kind === 'Endpoints') return kind;
  return group === 'discovery.k8s.io' && kind === 'EndpointSlice' ? kind : undefined;
}

/** Of what an object is. */
export function namesOf(kind: Kind, { metadata }: Shaped): Pick<ReviewedRequest, 'name' | 'serviceName'> {
  const name = metadata?.name ?? '';
  return { name, serviceName: kind === 'Endpoints' ? name : metadata?.labels?.[serviceNameLabel] };
}

/** An object is in the namespace of its request, whether or not it says so. */
const withNamespace = (object: Shaped, namespace: string): Shaped =>
  object.metadata && !object.metadata.namespace && namespace !== '' ? { ...object, metadata: { ...object.metadata, namespace } } : object;
