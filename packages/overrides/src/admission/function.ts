import type { OverrideResult, Overrides } from '../overrides.ts';
import { namesOf, type ReviewedRequest, type ValidatedObject } from './read-review.ts';
import { createWarnings, formatRefusal, type ReviewContext } from './review.ts';

export interface AdmissionFunctionOptions {
  readonly context?: ((request: ReviewedRequest) => ReviewContext | undefined) | undefined;
  readonly now: () => Date;
  /** Default: "endpoint-overrides". */
  readonly name?: string | undefined;
  /** Called with the result of every request that rules were applied to, except dry runs. A host that resyncs Services uses its `due`. */
  readonly onResult?: ((request: ReviewedRequest, result: OverrideResult) => void) | undefined;
}

/** The argument of the API server's `createFunctionAdmission`, with the fields used here. */
export interface OverridesFunction {
  readonly name: string;
  readonly operations: string[];
  readonly apiGroups: string[];
  readonly apiVersions: string[];
  readonly resources: string[];
  readonly reinvocationPolicy: 'IfNeeded';
  readonly mutate: (request: OverridesFunctionRequest) => readonly object[] | FunctionRefusal | undefined;
}

/** The request of an admission function, with the fields used here. */
export interface OverridesFunctionRequest {
  readonly operation: string;
  readonly subresource?: string | undefined;
  readonly resource: { readonly kind: string };
  readonly key: { readonly namespace?: string; readonly name?: string };
  readonly object?: object | undefined;
  readonly old?: object | undefined;
  readonly dryRun: boolean;
  readonly warn?: ((warning: string) => void) | undefined;
}

export interface FunctionRefusal {
  readonly allowed: false;
  readonly status: { readonly message: string; readonly code: number; readonly reason: string };
}

/**
 * Wraps rules as an admission function of the embedded API server, as an alternative to a webhook.
 * @param overrides rules, or a function that returns the rules in force
 */
export function admissionFunctionOf(
  overrides: Overrides | (() => Overrides),
  { context, now, name = 'endpoint-overrides', onResult }: AdmissionFunctionOptions,
): OverridesFunction {
  const getOverrides = typeof overrides === 'function' ? overrides : () => overrides;
  return {
    name,
    operations: ['CREATE', 'UPDATE'],
    apiGroups: ['', 'discovery.k8s.io'],
    apiVersions: ['v1'],
    resources: ['endpoints', 'endpointslices'],
    reinvocationPolicy: 'IfNeeded',
    mutate(functionRequest) {
      const request = toReviewedRequest(functionRequest);
      if (!request || !functionRequest.object) return undefined;
      const { service, pods, otherSlices } = context?.(request) ?? {};
      const [object, oldObject] = [functionRequest.object as ValidatedObject, functionRequest.old as ValidatedObject | undefined];
      const result = getOverrides().apply({
        operation: request.operation,
        object,
        oldObject,
        service,
        pods,
        otherSlices,
        now: now(),
      });
      if (!request.dryRun) onResult?.(request, result);
      for (const warning of createWarnings(result)) functionRequest.warn?.(warning);
      if (result.refused) return { allowed: false, status: { message: formatRefusal(result.refused), code: 403, reason: 'Forbidden' } };
      return result.changed ? result.patch : undefined;
    },
  };
}

/** Converts a request; undefined if rules do not apply to the kind, subresource or operation. */
function toReviewedRequest({
  operation,
  resource,
  subresource,
  key,
  object,
  dryRun,
}: OverridesFunctionRequest): ReviewedRequest | undefined {
  const { kind } = resource;
  if (subresource || (kind !== 'Endpoints' && kind !== 'EndpointSlice') || (operation !== 'CREATE' && operation !== 'UPDATE'))
    return undefined;
  const names = namesOf(kind, (object ?? {}) as ValidatedObject);
  return { uid: '', kind, operation, namespace: key.namespace ?? '', dryRun, serviceName: names.serviceName, name: key.name ?? names.name };
}
