import { serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { Kind } from '../view/view.ts';

/** The part of an AdmissionRequest that a host uses to look up context. */
export interface ReviewedRequest {
  readonly uid: string;
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly namespace: string;
  /** Name of the object; empty if it is still to be generated. */
  readonly name: string;
  /** Name of the object's Service; for a slice from its label `kubernetes.io/service-name`. */
  readonly serviceName: string | undefined;
  readonly dryRun: boolean;
}

/** A review of an object that rules apply to. */
export interface RelevantReview {
  readonly isRelevant: true;
  readonly request: ReviewedRequest;
  readonly object: ValidatedObject;
  readonly oldObject: ValidatedObject | undefined;
}

/**
 * Parses the body of a review. Returns an error message if the review is invalid, and `{ isRelevant: false }` if rules do not apply to the
 * kind, subresource or operation.
 */
export function readReview(body: unknown): RelevantReview | { readonly isRelevant: false } | string {
  if (!isMap(body) || body['kind'] !== 'AdmissionReview') return 'the body is not an AdmissionReview';
  const { apiVersion, request } = body;
  if (apiVersion !== 'admission.k8s.io/v1') {
    return `apiVersion ${JSON.stringify(apiVersion ?? null)} is not supported: set admissionReviewVersions to ["v1"]`;
  }
  if (!isMap(request)) return 'the review has no request';
  if (typeof request['uid'] !== 'string' || request['uid'] === '') return 'the request has no uid';
  const kind = kindOf(request['kind']);
  const { operation, subResource } = request;
  if (!kind || subResource || (operation !== 'CREATE' && operation !== 'UPDATE')) return { isRelevant: false };
  const { object, oldObject } = request;
  const problem = validateFields(object, kind) ?? (isMap(oldObject) ? validateFields(oldObject, kind) : undefined);
  if (problem !== undefined) return `the object is invalid: ${problem}`;
  const namespace = typeof request['namespace'] === 'string' ? request['namespace'] : '';
  const validatedObject = withNamespace(object as ValidatedObject, namespace);
  const requestFields = { uid: request['uid'], kind, operation, namespace, dryRun: request['dryRun'] === true } as const;
  return {
    isRelevant: true,
    request: { ...requestFields, ...namesOf(kind, validatedObject) },
    object: validatedObject,
    oldObject: isMap(oldObject) ? withNamespace(oldObject, namespace) : undefined,
  };
}

function kindOf(value: unknown): Kind | undefined {
  if (!isMap(value) || value['version'] !== 'v1') return undefined;
  const { group, kind } = value;
  if ((group ?? '') === '' && kind === 'Endpoints') return kind;
  return group === 'discovery.k8s.io' && kind === 'EndpointSlice' ? kind : undefined;
}

/** Returns the names of an object and of its Service. */
export function namesOf(kind: Kind, { metadata }: ValidatedObject): Pick<ReviewedRequest, 'name' | 'serviceName'> {
  const name = metadata?.name ?? '';
  return { name, serviceName: kind === 'Endpoints' ? name : metadata?.labels?.[serviceNameLabel] };
}

/** Fills in the namespace of the request if the object has none. */
const withNamespace = (object: ValidatedObject, namespace: string): ValidatedObject =>
  object.metadata && !object.metadata.namespace && namespace !== '' ? { ...object, metadata: { ...object.metadata, namespace } } : object;

/**
 * Returns an error message if an object has invalid fields among those that rules read; otherwise undefined. API servers never send such
 * objects.
 */
export function validateFields(object: unknown, kind: Kind): string | undefined {
  if (!isMap(object)) return 'it is not an object';
  const { metadata } = object;
  if (!isAbsent(metadata) && !isMap(metadata)) return 'its metadata must be an object';
  const problem = metadata && ['labels', 'annotations'].find((name) => !isAbsent(metadata[name]) && !isTextMap(metadata[name]));
  if (problem) return `its ${problem} must map strings to strings`;
  return kind === 'Endpoints' ? validateSubsets(object) : validateEndpoints(object);
}

/** An object whose fields have been validated. */
export type ValidatedObject = EndpointsInput | EndpointSliceInput;

function validateSubsets({ subsets }: Fields): string | undefined {
  if (!isListOfOrAbsent(subsets, isMap)) return 'its subsets must be a list of objects';
  for (const { addresses, notReadyAddresses, ports } of subsets ?? []) {
    for (const list of [addresses, notReadyAddresses])
      if (!isListOfOrAbsent(list, isAddress)) return 'its addresses must be a list of addresses';
    if (!isListOfOrAbsent(ports, isMap)) return 'its ports must be a list of objects';
  }
  return undefined;
}

function validateEndpoints({ endpoints, ports }: Fields): string | undefined {
  if (!isListOfOrAbsent(endpoints, isEndpoint)) return 'its endpoints must be a list of endpoints';
  return isListOfOrAbsent(ports, isMap) ? undefined : 'its ports must be a list of objects';
}

type Fields = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrAbsent = (value: unknown): boolean => isAbsent(value) || isText(value);
const isTextMap = (value: unknown): boolean => isMap(value) && Object.values(value).every(isText);

function isListOfOrAbsent<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] | undefined | null {
  return isAbsent(value) || (Array.isArray(value) && value.every(isItem));
}

const isReferenceOrAbsent = (value: unknown): boolean => isAbsent(value) || (isMap(value) && Object.values(value).every(isTextOrAbsent));

const isAddress = (value: unknown): value is Fields =>
  isMap(value) &&
  isText(value['ip']) &&
  isReferenceOrAbsent(value['targetRef']) &&
  ['hostname', 'nodeName'].every((name) => isTextOrAbsent(value[name]));

const isEndpoint = (value: unknown): value is Fields =>
  isMap(value) &&
  isListOfOrAbsent(value['addresses'], isText) &&
  (isAbsent(value['conditions']) || isMap(value['conditions'])) &&
  isReferenceOrAbsent(value['targetRef']) &&
  areHintsOrAbsent(value['hints']) &&
  ['hostname', 'nodeName', 'zone'].every((name) => isTextOrAbsent(value[name]));

const areHintsOrAbsent = (value: unknown): boolean =>
  isAbsent(value) || (isMap(value) && ['forZones', 'forNodes'].every((name) => isListOfOrAbsent(value[name], isMap)));
