import type { ApiObject } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** Records which webhooks were called for an object, and which must be called again because the object changed afterwards. */
export interface Rounds {
  /** Whether this is the second round, which is the last. */
  second: boolean;
  /** Reinvocable webhooks that were called since the last change. */
  waiting: ReadonlySet<unknown>;
  /** Webhooks to call in the second round. */
  wanted: ReadonlySet<unknown>;
}

/** The outcome of calling a webhook. */
export interface Outcome {
  /** Whether it changed the object. */
  readonly changed: boolean;
  /** Whether to call it again after later changes. */
  readonly reinvocable: boolean;
}

const nobody: ReadonlySet<unknown> = new Set();

/** Mirrors webhookReinvokeContext and the reinvoker around all plugins (1.36, apiserver/pkg/admission). */
export const createRounds = (): Rounds => ({ second: false, waiting: nobody, wanted: nobody });

/** Whether a webhook may be called: in the second round, only those in `wanted`. */
export const mayAsk = ({ second, wanted }: Rounds, id: unknown): boolean => !second || wanted.has(id);

/** Records that a webhook was called. */
export function noteAsked(rounds: Rounds, id: unknown, { changed, reinvocable }: Outcome): void {
  if (changed) {
    rounds.wanted = new Set([...rounds.wanted, ...rounds.waiting]);
    rounds.waiting = nobody;
  }
  if (reinvocable) rounds.waiting = new Set([...rounds.waiting, id]);
}

/** Starts the second round if there are webhooks to reinvoke. @returns whether it started */
export function beginAgain(rounds: Rounds): boolean {
  if (rounds.second || rounds.wanted.size === 0) return false;
  rounds.second = true;
  return true;
}

/** Returns the request with another object. */
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
