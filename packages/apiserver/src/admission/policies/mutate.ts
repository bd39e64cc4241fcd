import { apiVersionOf, messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type Resource } from 'kube-endpoints/port';
import {
  type AdmissionExpression,
  BudgetExceeded,
  type createAdmissionCompilers,
  EvaluationFailure,
  type Evaluator,
} from '../../cel/admission-expressions.ts';
import { findTypeNameProblems } from '../../cel/patch-types.ts';
import { toConfiguration, toPatchValue } from '../../cel/patch-values.ts';
import { builtInKind, deducedType, MergeProblem, mergeConfiguration, type TypeRef } from '../../patch/index.ts';
import { type AdmissionRequest, forbidden, internalError } from '../../registry/index.ts';
import { child, list, sameValue, text } from '../../resources/field/read.ts';
import { formatUnknownField } from '../../resources/index.ts';
import { meetsConditions } from '../conditions.ts';
import { applyPatch, PatchFailure } from '../patch.ts';
import { type ReinvocationState, recordCall, shouldCall, withObject } from '../reinvocation.ts';
import { findInvocations, type Invocation, type Misconfiguration } from './invocations.ts';
import { compilePolicy, createPolicyEvaluator, createPolicyInput, type Policy, type PolicyContext, type PolicyInput } from './policy.ts';
import type { PolicyHook } from './source.ts';
import { nameOf } from './validate.ts';

/** A compiled MutatingAdmissionPolicy. */
export interface MutatingPolicy extends Policy {
  readonly mutations: readonly Mutation[];
  /** Whether reinvocationPolicy is IfNeeded. */
  readonly reinvocable: boolean;
}

interface Mutation {
  readonly isJsonPatch: boolean;
  readonly expression: AdmissionExpression;
}

/** Mirrors compilePolicy (1.36, apiserver/pkg/admission/plugin/policy/mutating/compilation.go). */
export function compileMutatingPolicy(object: ApiObject, createCompiler: ReturnType<typeof createAdmissionCompilers>): MutatingPolicy {
  const { spec, ...policy } = compilePolicy(object, createCompiler);
  return {
    ...policy,
    mutations: list(spec, 'mutations').map((mutation) => {
      const isJsonPatch = text(mutation, 'patchType') === 'JSONPatch';
      const source = text(child(mutation, isJsonPatch ? 'jsonPatch' : 'applyConfiguration'), 'expression');
      const type = isJsonPatch ? 'list<JSONPatch>' : 'Object';
      return { isJsonPatch, expression: policy.compiler.compile(source, [type], { hasPatchTypes: true }) };
    }),
    reinvocable: text(spec, 'reinvocationPolicy') === 'IfNeeded',
  };
}

/**
 * Applies policies in order, each to the object as the previous ones left it.
 *
 * Mirrors dispatcher.dispatchInvocations (1.36, apiserver/pkg/admission/plugin/policy/mutating) and policyDispatcher.Dispatch.
 * @returns the resulting object, or undefined if it did not change
 * @throws ApiError Forbidden if a policy cannot be applied and its failurePolicy is Fail
 */
export async function mutateByPolicies(
  context: PolicyContext,
  hooks: readonly PolicyHook<MutatingPolicy>[],
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  const found = hooks.flatMap((hook) => findInvocations(context, hook, request));
  if (found.length === 0) return undefined;
  const failures = found.flatMap((each) => ('problem' in each ? [describeMisconfiguration(each)] : []));
  let currentRequest = request;
  for (const invocation of found) {
    if ('problem' in invocation) continue;
    const outcome = await applyInvocation(context, invocation, currentRequest, reinvocation);
    failures.push(...outcome.failures);
    currentRequest = outcome.request;
  }
  const counted = failures.filter(({ policy }) => !policy.ignoresFailure);
  if (counted.length > 0) throw createDenial(request, counted);
  return currentRequest === request ? undefined : currentRequest.object;
}

interface Failure {
  readonly policy: Policy;
  readonly message: string;
  /** Whether the reason of the Status is Invalid, as for failures of an expression. */
  readonly isInvalid: boolean;
}

const describeMisconfiguration = ({ policy, binding, problem }: Misconfiguration<MutatingPolicy>): Failure => ({
  policy,
  message: binding
    ? `policy '${policy.name}' with binding '${binding.name}' denied request: failed to configure binding: ${problem}`
    : `policy ${JSON.stringify(policy.name)} denied request: failed to configure policy: ${problem}`,
  isInvalid: false,
});

interface Outcome {
  readonly request: AdmissionRequest;
  readonly failures: readonly Failure[];
}

async function applyInvocation(
  context: PolicyContext,
  invocation: Invocation<MutatingPolicy>,
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<Outcome> {
  const { policy, binding, resource, params } = invocation;
  const failures: Failure[] = [];
  const attempt = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (error) {
      if (!isPolicyFailure(error)) throw error;
      const message = `policy '${policy.name}' with binding '${binding.name}' denied request: ${messageOf(error)}`;
      failures.push({ policy, message, isInvalid: true });
      return undefined;
    }
  };
  const firstInput = await createPolicyInput(context, request, resource, params);
  const matches = await attempt(async () => meetsConditions(policy, firstInput.conditionValues, firstInput.authorizer));
  const id = [policy.name, binding.name, params?.metadata.namespace, params?.metadata.name].join('/');
  if (!matches || !shouldCall(reinvocation, id)) return { request, failures };
  let currentRequest = request;
  for (const mutation of request.object ? policy.mutations : []) {
    const input = currentRequest === request ? firstInput : await createPolicyInput(context, currentRequest, resource, params);
    const mutatedObject = await attempt(() => applyMutation(context, invocation, mutation, input, request.resource));
    if (mutatedObject) currentRequest = withObject(currentRequest, mutatedObject);
  }
  const changed = !sameValue(currentRequest.object, request.object);
  recordCall(reinvocation, id, { changed, reinvocable: policy.reinvocable });
  return { request: changed ? currentRequest : request, failures };
}

const isPolicyFailure = (error: unknown): boolean =>
  [EvaluationFailure, BudgetExceeded, MergeProblem, PatchFailure].some((each) => error instanceof each);

/**
 * Returns the mutated object in the form of the target; undefined if it does not change. Mirrors dispatchOne.
 * @throws ApiError if the result cannot be decoded; an error that denies the request by the policy
 */
async function applyMutation(
  context: PolicyContext,
  { policy, resource }: Invocation<MutatingPolicy>,
  mutation: Mutation,
  input: PolicyInput,
  target: Resource,
): Promise<ApiObject | undefined> {
  const { converter } = context;
  const value = evaluate(createPolicyEvaluator(policy, input), mutation.expression);
  const object = input.object as ApiObject;
  const patched = mutation.isJsonPatch ? patch(context, resource, object, value) : applyConfiguration(context, resource, object, value);
  if (patched === undefined) return undefined;
  return converter.convert(converter.decodeAndDefault(resource, patched), resource, target);
}

/** @throws EvaluationFailure if the expression has no value; BudgetExceeded */
function evaluate(evaluator: Evaluator, expression: AdmissionExpression): unknown {
  const { problem } = expression.compiled;
  const result = problem === undefined ? evaluator.evaluate(expression) : { problem };
  if (result.problem !== undefined) throw new EvaluationFailure(result.problem);
  return result.value;
}

/** Applies the value of `applyConfiguration`. Mirrors applyConfigPatcher.Patch. */
function applyConfiguration(context: PolicyContext, resource: Resource, object: ApiObject, value: unknown): unknown {
  requireTypeNames(value);
  const configuration = { ...toConfiguration(value), apiVersion: apiVersionOf(resource), kind: resource.kind };
  try {
    return mergeConfiguration(object as Record<string, unknown>, configuration, typeOf(context, resource));
  } catch (error) {
    throw error instanceof MergeProblem ? new MergeProblem(`error applying patch: ${error.message}`) : error;
  }
}

const typeOf = ({ getServed }: PolicyContext, resource: Resource): TypeRef =>
  getServed().strategyFor(resource).patchType ?? builtInKind(apiVersionOf(resource), resource.kind)?.type ?? deducedType;

/** Applies the value of `jsonPatch`; returns undefined if a test operation fails. Mirrors jsonPatcher.Patch. */
function patch({ getServed }: PolicyContext, resource: Resource, object: ApiObject, value: unknown): unknown {
  const operations = (value as readonly ReadonlyMap<string, unknown>[]).map((operation) => {
    const value = operation.get('value');
    requireTypeNames(value);
    const fields = Object.fromEntries(operation);
    return { op: '', path: '', ...fields, ...(value !== undefined && { value: toPatchValue(value) }) };
  });
  try {
    const patched = applyPatch(object, operations);
    const { problem, unknown } = getServed().strategyFor(resource).decode(patched);
    if (problem === undefined && unknown.length > 0)
      throw internalError(`strict decoding error: ${unknown.map(formatUnknownField).join(', ')}`);
    return patched;
  } catch (error) {
    if (!(error instanceof PatchFailure)) throw error;
    if (error.message.endsWith(': test failed')) return undefined;
    throw new PatchFailure(`JSON Patch: ${error.message}`);
  }
}

function requireTypeNames(value: unknown): void {
  const problems = findTypeNameProblems(value);
  if (problems.length > 0) throw new EvaluationFailure(`type mismatch: ${problems.join('\n')}`);
}

/** Unlike other Forbidden errors, the message has no prefix, and the reason may be Invalid. */
function createDenial(request: AdmissionRequest, failures: readonly Failure[]): ApiError {
  const [first] = failures as [Failure, ...Failure[]];
  const causes = failures.map(({ message }) => ({ message }));
  const { status } = forbidden(request.resource, nameOf(request), '', causes);
  return new ApiError({ ...status, message: first.message, ...(first.isInvalid && { reason: 'Invalid' }) });
}
