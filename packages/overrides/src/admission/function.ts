import type { OverrideResult, Overrides } from '../overrides.ts';
import { namesOf, type ReviewedRequest, type Shaped } from './reading.ts';
import { type ReviewContext, refusalMessage, warningsOf } from './review.ts';

export interface AdmissionFunctionOptions {
  readonly context?: ((request: ReviewedRequest) => ReviewContext | undefined) | undefined;
  readonly now: () => Date;
  /** By default "endpoint-overrides". */
  readonly name?: string | undefined;
  /** Told of every request that rules were asked about, dry runs left out: a host that kicks looks at `due`. */
  readonly onResult?: ((request: ReviewedRequest, result: OverrideResult) => void) | undefined;
}

/** What `createFunctionAdmission` of the API server takes, as far as it is used. */
export interface OverridesFunction {
  readonly name: string;
  readonly operations: string[];
  readonly apiGroups: string[];
  readonly apiVersions: string[];
  readonly resources: string[];
  readonly reinvocationPolicy: 'IfNeeded';
  readonly mutate: (request: OverridesFunctionRequest) => readonly object[] | FunctionRefusal | undefined;
}

/** What such a function is asked about, as far as it looks. */
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
 * The rules as an admission function of the embedded API server, in the place of a webhook.
 * @param overrides rules, or what gives those that are in force at the moment
 */
export function admissionFunctionOf(
  overrides: Overrides | (() => Overrides),
  { context, now, name = 'endpoint-overrides', onResult }: AdmissionFunctionOptions,
): OverridesFunction {
  const current = typeof overrides === 'function' ? overrides : () => overrides;
  return {
    name,
    operations: ['CREATE', 'UPDATE'],
    apiGroups: ['', 'discovery.k8s.io'],
    apiVersions: ['v1'],
    resources: ['endpoints', 'endpointslices'],
    reinvocationPolicy: 'IfNeeded',
    mutate(given) {
      const request = requestOf(given);
      if (!request || !given.object) return undefined;
      const { service, pods, siblings } = context?.(request) ?? {};
      const [object, oldObject] = [given.object as Shaped, given.old as Shaped | undefined];
      const result = current().apply({ operation: request.operation, object, oldObject, service, pods, siblings, now: now() });
      if (!request.dryRun) onResult?.(request, result);
      for (const warning of warningsOf(result)) given.warn?.(warning);
      if (result.refused) return { allowed: false, status: { message: refusalMessage(result.refused), code: 403, reason: 'Forbidden' } };
      return result.changed ? result.patch : undefined;
    },
  };
}

/** Undefined where rules are not about it. */
function requestOf({ operation, resource, subresource, key, object, dryRun }: OverridesFunctionRequest): ReviewedRequest | undefined {
  const { kind } = resource;
  if (subresource || (kind !== 'Endpoints' && kind !== 'EndpointSlice') || (operation !== 'CREATE' && operation !== 'UPDATE'))
    return undefined;
  const names = namesOf(kind, (object ?? {}) as Shaped);
  return { uid: '', kind, operation, namespace: key.namespace ?? '', dryRun, serviceName: names.serviceName, name: key.name ?? names.name };
}
