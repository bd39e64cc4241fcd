import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type Resource } from 'kube-endpoints/port';
import {
  type AdmissionExpression,
  BudgetExceeded,
  type createAdmissionCompilers,
  EvaluationFailure,
  type Evaluator,
} from '../../cel/admission-expressions.ts';
import { type AdmissionRequest, forbidden } from '../../registry/index.ts';
import { list, text } from '../../resources/field/read.ts';
import { findMatchingResource } from './match.ts';
import { ConfigurationError, collectParams, findParamResource } from './params.ts';
import {
  compilePolicy,
  createPolicyEvaluator,
  createPolicyInput,
  meetsConditions,
  type Policy,
  type PolicyContext,
  type PolicyInput,
} from './policy.ts';
import type { Binding, PolicyHook } from './source.ts';

/** A compiled ValidatingAdmissionPolicy. */
export interface ValidatingPolicy extends Policy {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AdmissionExpression[];
}

interface Validation {
  readonly expression: AdmissionExpression;
  readonly message: string;
  readonly messageExpression: AdmissionExpression | undefined;
  readonly reason: string;
}

/** Mirrors compilePolicy (1.36, apiserver/pkg/admission/plugin/policy/validating/plugin.go). */
export function compileValidatingPolicy(object: ApiObject, createCompiler: ReturnType<typeof createAdmissionCompilers>): ValidatingPolicy {
  const { spec, ...policy } = compilePolicy(object, createCompiler);
  const { compile } = policy.compiler;
  return {
    ...policy,
    validations: list(spec, 'validations').map((each) => {
      const messageExpression = text(each, 'messageExpression');
      return {
        expression: compile(text(each, 'expression'), ['bool']),
        message: text(each, 'message'),
        messageExpression: messageExpression === '' ? undefined : compile(messageExpression, ['string'], { hasAuthorizer: false }),
        reason: text(each, 'reason'),
      };
    }),
    auditAnnotations: list(spec, 'auditAnnotations').map((each) => compile(text(each, 'valueExpression'), ['string', 'null'])),
  };
}

/** Why a request is denied. */
interface Denial {
  readonly message: string;
  /** The reason of the Status; empty for Invalid. */
  readonly reason: string;
}

/**
 * Evaluates policies in order.
 *
 * Mirrors dispatcher.Dispatch (1.36, apiserver/pkg/admission/plugin/policy/validating).
 * @throws ApiError with the first denial
 */
export function validateByPolicies(
  context: PolicyContext,
  hooks: readonly PolicyHook<ValidatingPolicy>[],
  request: AdmissionRequest,
): void {
  const denials = hooks.flatMap((hook) => applyPolicy(context, hook, request));
  const [first] = denials;
  if (first) throw createDenial(request, first);
}

function applyPolicy(
  context: PolicyContext,
  { policy, bindings }: PolicyHook<ValidatingPolicy>,
  request: AdmissionRequest,
): readonly Denial[] {
  const denyPolicy = (message: string): readonly Denial[] =>
    denyIfFails(policy, `ValidatingAdmissionPolicy '${policy.name}' denied request: failed to configure policy: ${message}`);
  const configuration = attempt(() => {
    const matched = findMatchingResource(context, policy.match, request);
    return matched && { resource: matched, params: policy.paramKind && findParamResource(context.getServed(), policy.paramKind) };
  });
  if (configuration.problem !== undefined) return denyPolicy(configuration.problem);
  const { value } = configuration;
  return value ? bindings.flatMap((binding) => applyBinding(context, { policy, binding, ...value }, request)) : [];
}

interface Invocation {
  readonly policy: ValidatingPolicy;
  readonly binding: Binding;
  /** The resource to which objects are converted. */
  readonly resource: Resource;
  /** The resource of the params; undefined without a paramKind. */
  readonly params: Resource | undefined;
}

function applyBinding(context: PolicyContext, invocation: Invocation, request: AdmissionRequest): readonly Denial[] {
  const { policy, binding, resource } = invocation;
  const prefix = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}' denied request: `;
  const configuration = attempt(() => {
    if (binding.match && !findMatchingResource(context, binding.match, request)) return [];
    return collectParams(context.getServed(), invocation.params, binding.paramRef, request);
  });
  if (configuration.problem !== undefined) return denyIfFails(policy, `${prefix}failed to configure binding: ${configuration.problem}`);
  return configuration.value.flatMap((params) => {
    const { failures, auditProblems } = evaluatePolicy(policy, createPolicyInput(context, request, resource, params));
    if (binding.validationActions.includes('Warn')) warn(request, invocation, failures);
    const denials = binding.validationActions.includes('Deny') ? failures : [];
    return [...denials, ...auditProblems].map(({ message, reason }) => ({ message: `${prefix}${message}`, reason }));
  });
}

function warn(request: AdmissionRequest, { policy, binding }: Invocation, failures: readonly Denial[]): void {
  for (const { message } of failures)
    request.warn?.(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`);
}

const denyIfFails = ({ ignoresFailure }: Policy, message: string): readonly Denial[] => (ignoresFailure ? [] : [{ message, reason: '' }]);

type Attempt<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: string };

/** Returns the message of an error in the configuration. Other errors are rethrown. */
function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}

interface Outcome {
  /** The validations that fail, and with failurePolicy Fail those without a value. */
  readonly failures: readonly Denial[];
  /** The audit annotations without a value; they deny a request whatever the actions are. */
  readonly auditProblems: readonly Denial[];
}

/** Mirrors validator.Validate (1.36, apiserver/pkg/admission/plugin/policy/validating/validator.go). */
function evaluatePolicy(policy: ValidatingPolicy, input: PolicyInput): Outcome {
  try {
    if (!meetsConditions(policy, input)) return { failures: [], auditProblems: [] };
    const failures = evaluateValidations(policy, input);
    return { failures, auditProblems: evaluateAuditAnnotations(policy, input) };
  } catch (error) {
    if (!(error instanceof EvaluationFailure || error instanceof BudgetExceeded)) throw error;
    return { failures: denyIfFails(policy, error.message), auditProblems: [] };
  }
}

function evaluateValidations(policy: ValidatingPolicy, input: PolicyInput): readonly Denial[] {
  const evaluator = createPolicyEvaluator(policy, input);
  const results = policy.validations.map(({ expression }) => evaluate(evaluator, expression));
  const messageEvaluator = createPolicyEvaluator(policy, input, { hasAuthorizer: false, budget: evaluator.remainingCost() });
  const messages = evaluateMessages(policy, messageEvaluator);
  return policy.validations.flatMap((validation, i): readonly Denial[] => {
    const result = results[i] as Attempt<unknown>;
    if (result.problem !== undefined) return denyIfFails(policy, result.problem);
    if (messages.problem !== undefined) return denyIfFails(policy, `failed messageExpression: ${messages.problem}`);
    return result.value === true ? [] : [{ message: chooseMessage(validation, messages.value[i]), reason: validation.reason }];
  });
}

/** Evaluates an expression. @throws BudgetExceeded */
function evaluate(evaluator: Evaluator, expression: AdmissionExpression): Attempt<unknown> {
  try {
    return { value: evaluator.evaluate(expression) };
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error;
    return { problem: messageOf(error) };
  }
}

/** Evaluates all message expressions, as upstream even those of validations that pass. */
function evaluateMessages({ validations }: ValidatingPolicy, evaluator: Evaluator): Attempt<readonly unknown[]> {
  try {
    return {
      value: validations.map(({ messageExpression }) => {
        if (!messageExpression) return undefined;
        const result = evaluate(evaluator, messageExpression);
        return result.problem === undefined ? result.value : undefined;
      }),
    };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

const maxMessageBytes = 5 * 1024;

/** Returns the evaluated message unless it is unusable, otherwise the fixed message or the expression. */
function chooseMessage({ message, expression }: Validation, evaluated: unknown): string {
  const text = typeof evaluated === 'string' ? evaluated.trim() : '';
  const isUsable = Buffer.byteLength(text) <= maxMessageBytes && !text.includes('\n');
  return (isUsable ? text : '') || message.trim() || `failed expression: ${expression.source.trim()}`;
}

/** Evaluates the audit annotations. As upstream, they are compiled with an authorizer but evaluated without one. There is no audit log. */
function evaluateAuditAnnotations(policy: ValidatingPolicy, input: PolicyInput): readonly Denial[] {
  const evaluator = createPolicyEvaluator(policy, input, { hasAuthorizer: false });
  return policy.auditAnnotations.flatMap((annotation) => {
    const { problem } = evaluate(evaluator, annotation);
    return problem === undefined ? [] : denyIfFails(policy, problem);
  });
}

const codesByReason: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function createDenial(request: AdmissionRequest, { message, reason }: Denial): ApiError {
  const { status } = forbidden(request.resource, nameOf(request), message, [{ message }]);
  return new ApiError({ ...status, reason: reason || 'Invalid', code: codesByReason[reason] ?? 422 });
}

/** The name in messages: an object without a name yet is called by its generateName. */
export const nameOf = ({ key, object }: AdmissionRequest): string =>
  key.name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown';
