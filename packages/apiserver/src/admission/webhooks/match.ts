import type { Resource } from 'kube-endpoints/port';
import { BudgetExceeded, convertSubject, createAuthorizerValue, EvaluationFailure } from '../../cel/admission-expressions.ts';
import type { CelAuthorizer } from '../../cel/authorizer.ts';
import type { MatchConditions } from '../../cel/match-conditions.ts';
import { type AdmissionRequest, forbidden } from '../../registry/index.ts';
import type { Store } from '../../store/index.ts';
import { meetsConditions } from '../conditions.ts';
import { matchesNamespaceLabels, matchesObjectLabels } from '../labels.ts';
import { convertObjects, type ObjectConverter } from '../object-converter.ts';
import { findMatchingResource } from '../rules.ts';
import type { Webhook } from './configurations.ts';
import { createReviewRequest, defaultUser } from './review.ts';

export interface MatchContext {
  readonly store: Pick<Store, 'get'>;
  readonly converter: ObjectConverter;
  readonly conditions: MatchConditions;
  readonly authorizer: CelAuthorizer;
}

/** A webhook to call, and the resource to which the object must be converted for it. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly resource: Resource;
}

/**
 * Decides whether to call a webhook, and with which representation of the object. Returns undefined if the webhook does not match.
 *
 * Mirrors ShouldCallHook (1.36, apiserver/pkg/admission/plugin/webhook/generic): evaluates selectors and conditions only if the rules match.
 * @throws ApiError NotFound for a missing namespace; Forbidden if a match condition cannot be evaluated and failurePolicy is Fail
 */
export async function findInvocation(context: MatchContext, webhook: Webhook, request: AdmissionRequest): Promise<Invocation | undefined> {
  const resource = findMatchingResource(webhook, request, context.converter.findEquivalents);
  if (!resource || !matchesLabels(context, webhook, request) || !(await meetsWebhookConditions(context, webhook, resource, request)))
    return undefined;
  return { webhook, resource };
}

const matchesLabels = ({ store }: MatchContext, { matchesNamespace, matchesObject }: Webhook, request: AdmissionRequest): boolean =>
  matchesObjectLabels(matchesObject, request) && matchesNamespaceLabels(store, matchesNamespace, request);

/** @throws ApiError Forbidden if a condition cannot be evaluated and failurePolicy is Fail */
async function meetsWebhookConditions(
  { conditions, converter, authorizer }: MatchContext,
  { matchConditions, ignoresFailure }: Webhook,
  resource: Resource,
  request: AdmissionRequest,
): Promise<boolean> {
  if (matchConditions.length === 0) return true;
  const input = { uid: '', request, resource, ...(await convertObjects(converter, request, resource)) };
  const { object, oldObject, uid: _, ...reviewRequest } = createReviewRequest(input);
  // As upstream, `request.resource` is that of the request in match conditions.
  const subject = { object, oldObject, request: { ...reviewRequest, resource: reviewRequest['requestResource'] } };
  const compiledConditions = matchConditions.map(({ expression }) => conditions.compile(expression));
  const authorizerValue = createAuthorizerValue({ authorizer, user: request.user ?? defaultUser }, subject.request);
  try {
    const webhookConditions = { conditions: compiledConditions, compiler: { variables: new Map() }, ignoresFailure };
    return meetsConditions(webhookConditions, convertSubject(subject), authorizerValue);
  } catch (error) {
    if (!(error instanceof EvaluationFailure || error instanceof BudgetExceeded)) throw error;
    throw forbidden(request.resource, request.key.name, error.message);
  }
}
