import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { Resource } from 'kube-endpoints/port';
import type { CelAuthorizer } from '../../cel/authorizer.ts';
import type { MatchConditions } from '../../cel/match-conditions.ts';
import { type AdmissionRequest, forbidden, formatProblems } from '../../registry/index.ts';
import type { Store } from '../../store/index.ts';
import { matchesNamespaceLabels, matchesObjectLabels } from '../labels.ts';
import { convertObjects, type ObjectConverter } from '../object-converter.ts';
import { findMatchingResource } from '../rules.ts';
import type { Webhook } from './configurations.ts';
import { createReviewRequest, defaultUser } from './review.ts';

export interface MatchContext {
  readonly store: Pick<Store, 'get'>;
  readonly converter: ObjectConverter;
  readonly conditions: Pick<MatchConditions, 'createEvaluator'>;
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
  if (!resource || !matchesLabels(context, webhook, request) || !(await meetsConditions(context, webhook, resource, request)))
    return undefined;
  return { webhook, resource };
}

const matchesLabels = ({ store }: MatchContext, { matchesNamespace, matchesObject }: Webhook, request: AdmissionRequest): boolean =>
  matchesObjectLabels(matchesObject, request) && matchesNamespaceLabels(store, matchesNamespace, request);

/**
 * Whether all match conditions are true. As in Matcher.Match (1.36, apiserver/pkg/admission/plugin/webhook/matchconditions), errors of
 * conditions are ignored if one condition is false.
 * @throws ApiError Forbidden if a condition cannot be evaluated and failurePolicy is Fail
 */
async function meetsConditions(
  { conditions, converter, authorizer }: MatchContext,
  webhook: Webhook,
  resource: Resource,
  request: AdmissionRequest,
): Promise<boolean> {
  if (webhook.matchConditions.length === 0) return true;
  const input = { uid: '', request, resource, ...(await convertObjects(converter, request, resource)) };
  const { object, oldObject, uid: _, ...reviewRequest } = createReviewRequest(input);
  // As upstream, `request.resource` is that of the request in match conditions.
  const subject = { object, oldObject, request: { ...reviewRequest, resource: reviewRequest['requestResource'] } };
  const evaluate = conditions.createEvaluator(subject, { authorizer, user: request.user ?? defaultUser });
  const problems: string[] = [];
  for (const { expression } of webhook.matchConditions) {
    try {
      if (!evaluate(expression)) return false;
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  if (problems.length === 0) return true;
  if (webhook.ignoresFailure) return false;
  throw forbidden(request.resource, request.key.name, formatProblems(problems));
}
