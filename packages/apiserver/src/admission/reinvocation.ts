import type { ApiObject } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** Which webhooks and functions were called for an object, and which must be called again because the object changed afterwards. */
export interface ReinvocationState {
  /** Whether this is the second round, which is the last. */
  isReinvocation: boolean;
  /** Ids of reinvocable webhooks and functions that were called since the last change. */
  calledReinvocableIds: ReadonlySet<unknown>;
  /** Ids of webhooks and functions to call in the second round. */
  idsToReinvoke: ReadonlySet<unknown>;
}

export interface CallOutcome {
  readonly changed: boolean;
  /** Whether to call the webhook or function again after later changes. */
  readonly reinvocable: boolean;
}

const emptySet: ReadonlySet<unknown> = new Set();

/** Mirrors webhookReinvokeContext and the reinvoker around all plugins (1.36, apiserver/pkg/admission). */
export const createReinvocationState = (): ReinvocationState => ({
  isReinvocation: false,
  calledReinvocableIds: emptySet,
  idsToReinvoke: emptySet,
});

/** Whether a webhook or function may be called: in the first round always, in the second round only if its id is in `idsToReinvoke`. */
export const shouldCall = ({ isReinvocation, idsToReinvoke }: ReinvocationState, id: unknown): boolean =>
  !isReinvocation || idsToReinvoke.has(id);

/** Records a call. If the call changed the object, the reinvocable webhooks and functions called before must be called again. */
export function recordCall(reinvocation: ReinvocationState, id: unknown, { changed, reinvocable }: CallOutcome): void {
  if (changed) {
    reinvocation.idsToReinvoke = new Set([...reinvocation.idsToReinvoke, ...reinvocation.calledReinvocableIds]);
    reinvocation.calledReinvocableIds = emptySet;
  }
  if (reinvocable) reinvocation.calledReinvocableIds = new Set([...reinvocation.calledReinvocableIds, id]);
}

/** Starts the second round if there are webhooks or functions to reinvoke. @returns whether it started */
export function startReinvocation(reinvocation: ReinvocationState): boolean {
  if (reinvocation.isReinvocation || reinvocation.idsToReinvoke.size === 0) return false;
  reinvocation.isReinvocation = true;
  return true;
}

/** Copies a request with `object` as its object. */
export function withObject(request: AdmissionRequest, object: ApiObject): AdmissionRequest {
  const { operation, resource, subresource, key, old, dryRun, user, options, warn } = request;
  return {
    operation,
    resource,
    ...(subresource !== undefined && { subresource }),
    key,
    object,
    ...(old && { old }),
    dryRun,
    ...(user && { user }),
    options,
    ...(warn && { warn }),
  };
}
