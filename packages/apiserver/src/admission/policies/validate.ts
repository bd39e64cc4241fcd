import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import {
  type AdmissionExpression,
  BudgetExceeded,
  type createAdmissionCompilers,
  EvaluationFailure,
  type Evaluator,
} from '../../cel/admission-expressions.ts';
import { type AdmissionRequest, forbidden } from '../../registry/index.ts';
import { list, text } from '../../resources/field/read.ts';
import { meetsConditions } from '../conditions.ts';
import { findInvocations, type Invocation, type Misconfiguration } from './invocations.ts';
import { compilePolicy, createPolicyEvaluator, createPolicyInput, type Policy, type PolicyContext, type PolicyInput } from './policy.ts';
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
export async function validateByPolicies(
  context: PolicyContext,
  hooks: readonly PolicyHook<ValidatingPolicy>[],
  request: AdmissionRequest,
): Promise<void> {
  const invocations = hooks.flatMap((hook) => findInvocations(context, hook, request));
  const denials: Denial[] = [];
  for (const invocation of invocations)
    denials.push(...('problem' in invocation ? denyMisconfiguration(invocation) : await applyInvocation(context, invocation, request)));
  const [first] = denials;
  if (first) throw createDenial(request, first);
}

function denyMisconfiguration({ policy, binding, problem }: Misconfiguration<ValidatingPolicy>): readonly Denial[] {
  const message = binding ? `failed to configure binding: ${problem}` : `failed to configure policy: ${problem}`;
  return denyIfFails(policy, `${prefixOf(policy, binding)}${message}`);
}

const prefixOf = ({ name }: Policy, binding: Binding | undefined): string =>
  `ValidatingAdmissionPolicy '${name}' ${binding ? `with binding '${binding.name}' ` : ''}denied request: `;

async function applyInvocation(
  context: PolicyContext,
  { policy, binding, resource, params }: Invocation<ValidatingPolicy>,
  request: AdmissionRequest,
): Promise<readonly Denial[]> {
  const { failures, auditProblems } = evaluatePolicy(policy, await createPolicyInput(context, request, resource, params));
  if (binding.validationActions.includes('Warn'))
    for (const { message } of failures)
      request.warn?.(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`);
  const denials = binding.validationActions.includes('Deny') ? failures : [];
  return [...denials, ...auditProblems].map(({ message, reason }) => ({ message: `${prefixOf(policy, binding)}${message}`, reason }));
}

const denyIfFails = ({ ignoresFailure }: Policy, message: string): readonly Denial[] => (ignoresFailure ? [] : [{ message, reason: '' }]);

type Attempt<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: string };

interface Outcome {
  /** The validations that fail, and with failurePolicy Fail those without a value. */
  readonly failures: readonly Denial[];
  /** The audit annotations without a value; they deny a request whatever the actions are. */
  readonly auditProblems: readonly Denial[];
}

/** Mirrors validator.Validate (1.36, apiserver/pkg/admission/plugin/policy/validating/validator.go). */
function evaluatePolicy(policy: ValidatingPolicy, input: PolicyInput): Outcome {
  try {
    if (!meetsConditions(policy, input.conditionValues, input.authorizer)) return { failures: [], auditProblems: [] };
    const failures = evaluateValidations(policy, input);
    return { failures, auditProblems: evaluateAuditAnnotations(policy, input) };
  } catch (error) {
    if (!(error instanceof EvaluationFailure || error instanceof BudgetExceeded)) throw error;
    return { failures: denyIfFails(policy, error.message), auditProblems: [] };
  }
}

function evaluateValidations(policy: ValidatingPolicy, input: PolicyInput): readonly Denial[] {
  const evaluator = createPolicyEvaluator(policy, input);
  const results = policy.validations.map(({ expression }) => evaluator.evaluate(expression));
  const messageEvaluator = createPolicyEvaluator(policy, input, { hasAuthorizer: false, budget: evaluator.remainingCost() });
  const messages = evaluateMessages(policy, messageEvaluator);
  return policy.validations.flatMap((validation, i): readonly Denial[] => {
    const result = results[i] as Attempt<unknown>;
    if (result.problem !== undefined) return denyIfFails(policy, result.problem);
    if (messages.problem !== undefined) return denyIfFails(policy, `failed messageExpression: ${messages.problem}`);
    return result.value === true ? [] : [{ message: chooseMessage(validation, messages.value[i]), reason: validation.reason }];
  });
}

/** Evaluates all message expressions, as upstream even those of validations that pass. */
function evaluateMessages({ validations }: ValidatingPolicy, evaluator: Evaluator): Attempt<readonly unknown[]> {
  try {
    return {
      value: validations.map(({ messageExpression }) => {
        if (!messageExpression) return undefined;
        const result = evaluator.evaluate(messageExpression);
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
    const { problem } = evaluator.evaluate(annotation);
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
