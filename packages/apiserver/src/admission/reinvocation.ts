import type { ApiObject } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** Records which webhooks were called for an object, and which must be called again because the object changed afterwards. */
export interface ReinvocationState {
  /** Whether this is the second round, which is the last. */
  isReinvocation: boolean;
  /** Reinvocable webhooks that were called since the last change. */
  invokedReinvocable: ReadonlySet<unknown>;
  /** Webhooks to call in the second round. */
  toReinvoke: ReadonlySet<unknown>;
}

export interface CallOutcome {
  readonly changed: boolean;
  /** Whether to call it again after later changes. */
  readonly reinvocable: boolean;
}

const emptySet: ReadonlySet<unknown> = new Set();

/** Mirrors webhookReinvokeContext and the reinvoker around all plugins (1.36, apiserver/pkg/admission). */
export const createReinvocationState = (): ReinvocationState => ({
  isReinvocation: false,
  invokedReinvocable: emptySet,
  toReinvoke: emptySet,
});

/** Whether a webhook may be called: in the second round, only those in `toReinvoke`. */
export const shouldCall = ({ isReinvocation, toReinvoke }: ReinvocationState, id: unknown): boolean =>
  !isReinvocation || toReinvoke.has(id);

export function recordCall(reinvocation: ReinvocationState, id: unknown, { changed, reinvocable }: CallOutcome): void {
  if (changed) {
    reinvocation.toReinvoke = new Set([...reinvocation.toReinvoke, ...reinvocation.invokedReinvocable]);
    reinvocation.invokedReinvocable = emptySet;
  }
  if (reinvocable) reinvocation.invokedReinvocable = new Set([...reinvocation.invokedReinvocable, id]);
}

/** Starts the second round if there are webhooks to reinvoke. @returns whether it started */
export function startReinvocation(reinvocation: ReinvocationState): boolean {
  if (reinvocation.isReinvocation || reinvocation.toReinvoke.size === 0) return false;
  reinvocation.isReinvocation = true;
  return true;
}

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
