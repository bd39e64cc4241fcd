import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, internalError } from '../registry/index.ts';
import { sameValue } from '../resources/field/read.ts';
import { type RoundedAdmission, withRounds } from './compose.ts';
import { CallingFailed, denial, notModifiable, type Reason } from './denial.ts';
import { applyAdmissionPatch } from './patch.ts';
import { mayAsk, noteAsked, type Rounds, withObject } from './rounds.ts';
import { matchesRule, type Rule, targetOf } from './rules.ts';

/** A refusal: its message, or an answer in the form of a webhook's. */
export type Refusal = string | { readonly allowed: false; readonly status?: Reason };

/** The result of a mutating function: the changed object, a JSON Patch, a refusal, or undefined for no change. */
export type MutationAnswer = ApiObject | readonly object[] | Refusal | undefined;
export type ValidationAnswer = Refusal | undefined;

/**
 * A function that acts like a webhook. It gets a frozen copy of the request. If it throws, the request fails with an internal error, or
 * with the thrown ApiError.
 */
export interface AdmissionFunction extends Partial<Omit<Rule, 'operations' | 'resources'>>, Pick<Rule, 'operations' | 'resources'> {
  /** Used in messages. Default: "function". */
  readonly name?: string;
  /** Whether to call it again if later admissions change the object. Default: Never. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly mutate?: (request: AdmissionRequest) => MutationAnswer | Promise<MutationAnswer>;
  readonly validate?: (request: AdmissionRequest) => ValidationAnswer | Promise<ValidationAnswer>;
}

/** Creates admission from functions: mutating ones run in order, validating ones in parallel. */
export function createFunctionAdmission(functions: readonly AdmissionFunction[]): RoundedAdmission {
  const known = functions.map((each) => ({ ...each, rule: ruleOf(each), name: each.name ?? 'function' }));
  const mutating = known.filter(({ mutate }) => mutate);
  const validating = known.filter(({ validate }) => validate);
  return withRounds({
    ...(mutating.length > 0 && { mutateInRound: (request, rounds) => mutate(mutating, request, rounds) }),
    ...(validating.length > 0 && { validate: (request) => validate(validating, request) }),
  });
}

interface Known extends Pick<AdmissionFunction, 'mutate' | 'validate' | 'reinvocationPolicy'> {
  readonly name: string;
  readonly rule: Rule;
}

const ruleOf = ({ operations, resources, apiGroups = ['*'], apiVersions = ['*'], scope = '*' }: AdmissionFunction): Rule => ({
  operations,
  resources,
  apiGroups,
  apiVersions,
  scope,
});

function mutate(functions: readonly Known[], request: AdmissionRequest, rounds: Rounds): Promise<ApiObject | undefined> | undefined {
  const target = targetOf(request);
  const asked = functions.filter((each) => matchesRule(each.rule, target) && mayAsk(rounds, each));
  return asked.length > 0 ? mutateInOrder(asked, request, rounds) : undefined;
}

async function mutateInOrder(functions: readonly Known[], request: AdmissionRequest, rounds: Rounds): Promise<ApiObject | undefined> {
  let current = request;
  for (const each of functions) {
    const answer = await answerOf(each.name, () => each.mutate?.(copyOf(current)));
    const object = objectIn(each.name, answer, current);
    const changed = object !== undefined && !sameValue(object, current.object);
    if (changed) current = withObject(current, object);
    noteAsked(rounds, each, { changed, reinvocable: each.reinvocationPolicy === 'IfNeeded' });
  }
  return current === request ? undefined : current.object;
}

function validate(functions: readonly Known[], request: AdmissionRequest): Promise<void> | undefined {
  const target = targetOf(request);
  const asked = functions.filter(({ rule }) => matchesRule(rule, target));
  return asked.length > 0 ? validateAll(asked, request) : undefined;
}

async function validateAll(functions: readonly Known[], request: AdmissionRequest): Promise<void> {
  const copy = copyOf(request);
  const answers = functions.map(async ({ name, validate }) => {
    const answer = await answerOf(name, () => validate?.(copy));
    if (answer === undefined) return;
    if (!isRefusal(answer)) throw failed(name, 'a function that validates may only refuse');
    throw refused(name, answer);
  });
  for (const outcome of await Promise.allSettled(answers)) if (outcome.status === 'rejected') throw outcome.reason;
}

async function answerOf<T>(name: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw failed(name, error instanceof Error ? error.message : String(error), error);
  }
}

function failed(name: string, why: string, cause?: unknown): ApiError {
  const failure = new CallingFailed(name, why, { cause });
  return new ApiError(internalError(failure.message).status, { cause: failure });
}

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'string' ||
  (typeof answer === 'object' && answer !== null && (answer as { readonly allowed?: unknown }).allowed === false);

const refused = (name: string, refusal: Refusal): ApiError =>
  denial(name, typeof refusal === 'string' ? { message: refusal, code: 403, reason: 'Forbidden' } : refusal.status);

/** The object that results from an answer; undefined if nothing changes. */
function objectIn(name: string, answer: MutationAnswer, request: AdmissionRequest): ApiObject | undefined {
  if (answer === undefined) return undefined;
  if (isRefusal(answer)) throw refused(name, answer);
  const { object } = request;
  if (!object) throw notModifiable(name);
  const next = Array.isArray(answer) ? applyAdmissionPatch(object, plain(name, answer)) : plain(name, answer);
  requireSame(name, object, next);
  return next as ApiObject;
}

/** Copies JSON data. @throws ApiError InternalError if the value cannot be represented in JSON */
function plain<T>(name: string, value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T;
  } catch (error) {
    throw failed(name, `its answer is no JSON: ${(error as Error).message.split('\n')[0]}`, error);
  }
}

function requireSame(name: string, before: ApiObject, after: unknown): asserts after is ApiObject {
  const { apiVersion = before.apiVersion, kind = before.kind, metadata } = (after ?? {}) as Partial<ApiObject>;
  const own = before.metadata;
  if (typeof metadata !== 'object' || metadata === null) throw failed(name, 'its answer is no object of the API: it has no metadata');
  if (apiVersion !== before.apiVersion || kind !== before.kind) {
    throw failed(name, `its answer is of another kind: ${apiVersion} ${kind} in the place of ${before.apiVersion} ${before.kind}`);
  }
  if ((metadata.name ?? '') !== (own.name ?? '') || (metadata.namespace ?? own.namespace) !== own.namespace) {
    throw failed(name, `its answer is another object: ${nameOf(metadata)} in the place of ${nameOf(own)}`);
  }
}

const nameOf = ({ namespace, name = '' }: ApiObject['metadata']): string => JSON.stringify(namespace ? `${namespace}/${name}` : name);

/** A frozen copy: functions must not change the objects of the request. */
function copyOf(request: AdmissionRequest): AdmissionRequest {
  const { object, old } = request;
  const copied = object ? withObject(request, frozen(structuredClone(object))) : { ...request };
  return { ...copied, ...(old && { old: frozen(structuredClone(old)) }) };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
