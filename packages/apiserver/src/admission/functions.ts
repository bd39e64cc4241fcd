import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, internalError } from '../registry/index.ts';
import { sameValue } from '../resources/field/read.ts';
import { parseExactly, stringifyExactly } from '../store/index.ts';
import { deepFreeze } from '../store/shared.ts';
import { type ReinvocableAdmission, withReinvocation } from './compose.ts';
import { createNotModifiableError, type DenialStatus, toStatusError, WebhookCallError } from './denial.ts';
import { applyAdmissionPatch } from './patch.ts';
import { type ReinvocationState, recordCall, shouldCall, withObject } from './reinvocation.ts';
import { attributesOf, matchesRule, type Rule } from './rules.ts';

/** A refusal: its message, or the fields of a webhook's refusal. */
export type Refusal = string | { readonly allowed: false; readonly status?: DenialStatus };

/** The result of a mutating function: the changed object, a JSON Patch, a refusal, or undefined for no change. */
export type MutationAnswer = ApiObject | readonly object[] | Refusal | undefined;
export type ValidationAnswer = Refusal | undefined;

/**
 * A function that acts like a webhook and gets a frozen copy of the request. If the function throws an ApiError, the request fails with
 * that error; any other error becomes an internal error.
 */
export interface AdmissionFunction extends Partial<Omit<Rule, 'operations' | 'resources'>>, Pick<Rule, 'operations' | 'resources'> {
  /** Used in messages. Default: "function". */
  readonly name?: string;
  /** Whether to call `mutate` again if later admissions change the object. Default: Never. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly mutate?: (request: AdmissionRequest) => MutationAnswer | Promise<MutationAnswer>;
  readonly validate?: (request: AdmissionRequest) => ValidationAnswer | Promise<ValidationAnswer>;
}

/** Creates admission from functions. Mutating functions run in order, validating functions in parallel. */
export function createFunctionAdmission(functions: readonly AdmissionFunction[]): ReinvocableAdmission {
  const registeredFunctions = functions.map((each) => ({ ...each, rule: createRule(each), name: each.name ?? 'function' }));
  const mutatingFunctions = registeredFunctions.filter(({ mutate }) => mutate);
  const validatingFunctions = registeredFunctions.filter(({ validate }) => validate);
  return withReinvocation({
    ...(mutatingFunctions.length > 0 && { mutateReinvocably: (request, reinvocation) => mutate(mutatingFunctions, request, reinvocation) }),
    ...(validatingFunctions.length > 0 && { validate: (request) => validate(validatingFunctions, request) }),
  });
}

interface RegisteredFunction extends Pick<AdmissionFunction, 'mutate' | 'validate' | 'reinvocationPolicy'> {
  readonly name: string;
  readonly rule: Rule;
}

const createRule = ({ operations, resources, apiGroups = ['*'], apiVersions = ['*'], scope = '*' }: AdmissionFunction): Rule => ({
  operations,
  resources,
  apiGroups,
  apiVersions,
  scope,
});

function mutate(
  functions: readonly RegisteredFunction[],
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> | undefined {
  const attributes = attributesOf(request);
  const matchingFunctions = functions.filter((each) => matchesRule(each.rule, attributes) && shouldCall(reinvocation, each));
  return matchingFunctions.length > 0 ? mutateInOrder(matchingFunctions, request, reinvocation) : undefined;
}

async function mutateInOrder(
  functions: readonly RegisteredFunction[],
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  let currentRequest = request;
  for (const each of functions) {
    const answer = await callFunction(each.name, () => each.mutate?.(copyRequest(currentRequest)));
    const object = applyAnswer(each.name, answer, currentRequest);
    const changed = object !== undefined && !sameValue(object, currentRequest.object);
    if (changed) currentRequest = withObject(currentRequest, object);
    recordCall(reinvocation, each, { changed, reinvocable: each.reinvocationPolicy === 'IfNeeded' });
  }
  return currentRequest === request ? undefined : currentRequest.object;
}

function validate(functions: readonly RegisteredFunction[], request: AdmissionRequest): Promise<void> | undefined {
  const attributes = attributesOf(request);
  const matchingFunctions = functions.filter(({ rule }) => matchesRule(rule, attributes));
  return matchingFunctions.length > 0 ? validateAll(matchingFunctions, request) : undefined;
}

async function validateAll(functions: readonly RegisteredFunction[], request: AdmissionRequest): Promise<void> {
  const copy = copyRequest(request);
  const answers = functions.map(async ({ name, validate }) => {
    const answer = await callFunction(name, () => validate?.(copy));
    if (answer === undefined) return;
    if (!isRefusal(answer)) throw createFunctionError(name, 'a function that validates may only refuse');
    throw createDenial(name, answer);
  });
  for (const outcome of await Promise.allSettled(answers)) if (outcome.status === 'rejected') throw outcome.reason;
}

async function callFunction<T>(name: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw createFunctionError(name, error instanceof Error ? error.message : String(error), error);
  }
}

function createFunctionError(name: string, reason: string, cause?: unknown): ApiError {
  const failure = new WebhookCallError(name, reason, { cause });
  return new ApiError(internalError(failure.message).status, { cause: failure });
}

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'string' ||
  (typeof answer === 'object' && answer !== null && (answer as { readonly allowed?: unknown }).allowed === false);

const createDenial = (name: string, refusal: Refusal): ApiError =>
  toStatusError(name, typeof refusal === 'string' ? { message: refusal, code: 403, reason: 'Forbidden' } : refusal.status);

/**
 * Applies an answer to the object of the request; returns undefined if the answer is undefined.
 * @throws ApiError if the answer is a refusal or not JSON, the request has no object, or the result has a different kind, name or namespace
 */
function applyAnswer(name: string, answer: MutationAnswer, request: AdmissionRequest): ApiObject | undefined {
  if (answer === undefined) return undefined;
  if (isRefusal(answer)) throw createDenial(name, answer);
  const { object } = request;
  if (!object) throw createNotModifiableError(name);
  const changedObject = Array.isArray(answer) ? applyAdmissionPatch(object, copyJson(name, answer)) : copyJson(name, answer);
  requireSameObject(name, object, changedObject);
  return changedObject as ApiObject;
}

/** Copies JSON data. @throws ApiError InternalError if the value cannot be represented in JSON */
function copyJson<T>(name: string, value: T): T {
  try {
    return parseExactly(stringifyExactly(value)) as T;
  } catch (error) {
    throw createFunctionError(name, `its answer is not JSON: ${(error as Error).message.split('\n')[0]}`, error);
  }
}

function requireSameObject(name: string, original: ApiObject, answer: unknown): asserts answer is ApiObject {
  const { apiVersion = original.apiVersion, kind = original.kind, metadata } = (answer ?? {}) as Partial<ApiObject>;
  const originalMetadata = original.metadata;
  if (typeof metadata !== 'object' || metadata === null)
    throw createFunctionError(name, 'its answer is not an API object: it has no metadata');
  if (apiVersion !== original.apiVersion || kind !== original.kind) {
    throw createFunctionError(
      name,
      `its answer has another kind: ${apiVersion} ${kind} instead of ${original.apiVersion} ${original.kind}`,
    );
  }
  if (
    (metadata.name ?? '') !== (originalMetadata.name ?? '') ||
    (metadata.namespace ?? originalMetadata.namespace) !== originalMetadata.namespace
  ) {
    throw createFunctionError(name, `its answer is another object: ${quoteName(metadata)} instead of ${quoteName(originalMetadata)}`);
  }
}

const quoteName = ({ namespace, name = '' }: ApiObject['metadata']): string => JSON.stringify(namespace ? `${namespace}/${name}` : name);

/** Copies a request with frozen objects, because functions must not change the objects of the request. */
function copyRequest(request: AdmissionRequest): AdmissionRequest {
  const { object, old } = request;
  const copy = object ? withObject(request, deepFreeze(structuredClone(object))) : { ...request };
  return { ...copy, ...(old && { old: deepFreeze(structuredClone(old)) }) };
}
