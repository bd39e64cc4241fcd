import type { ApiObject } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** Who has been asked about an object, and who is asked once more because others changed it afterwards. */
export interface Rounds {
  /** Whether this is the second time that everybody could be asked. There is no third. */
  second: boolean;
  /** Those who were asked, and are to be asked again after a later change. */
  waiting: ReadonlySet<unknown>;
  /** Those whom the second round is for. */
  wanted: ReadonlySet<unknown>;
}

/** What came of asking. */
export interface Outcome {
  /** The object is another one since. */
  readonly changed: boolean;
  /** To be asked again after later changes. */
  readonly reinvocable: boolean;
}

const nobody: ReadonlySet<unknown> = new Set();

/** Mirrors webhookReinvokeContext and the reinvoker around all plugins (1.36, apiserver/pkg/admission). */
export const createRounds = (): Rounds => ({ second: false, waiting: nobody, wanted: nobody });

/** Whether somebody may be asked: everybody in the first round, in the second only those it is for. */
export const mayAsk = ({ second, wanted }: Rounds, id: unknown): boolean => !second || wanted.has(id);

/** Says that somebody was asked. */
export function noteAsked(rounds: Rounds, id: unknown, { changed, reinvocable }: Outcome): void {
  if (changed) {
    rounds.wanted = new Set([...rounds.wanted, ...rounds.waiting]);
    rounds.waiting = nobody;
  }
  if (reinvocable) rounds.waiting = new Set([...rounds.waiting, id]);
}

/** Begins the second round, where there is somebody that it is for. */
export function beginAgain(rounds: Rounds): boolean {
  if (rounds.second || rounds.wanted.size === 0) return false;
  rounds.second = true;
  return true;
}

/** The same request, about another object. */
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
