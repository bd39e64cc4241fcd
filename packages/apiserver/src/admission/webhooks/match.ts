import { type Labels, messageOf } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { MatchConditions } from '../../cel/match-conditions.ts';
import { type AdmissionRequest, forbidden } from '../../registry/index.ts';
import type { Store } from '../../store/index.ts';
import type { ObjectConverter } from '../object-converter.ts';
import { attributesOf, isNamespacesResource, matchesAnyGroupVersion, matchesRule } from '../rules.ts';
import type { Webhook } from './configurations.ts';
import { createReviewRequest } from './review.ts';

export interface MatchContext {
  readonly store: Pick<Store, 'get'>;
  readonly converter: ObjectConverter;
  readonly conditions: Pick<MatchConditions, 'createEvaluator'>;
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
export function findInvocation(context: MatchContext, webhook: Webhook, request: AdmissionRequest): Invocation | undefined {
  const resource = findMatchingResource(context, webhook, request);
  if (!resource || !matchesLabels(context, webhook, request) || !meetsConditions(context, webhook, resource, request)) return undefined;
  return { webhook, resource };
}

function findMatchingResource(
  { converter }: MatchContext,
  { rules, matchesEquivalentResources }: Webhook,
  request: AdmissionRequest,
): Resource | undefined {
  const attributes = attributesOf(request);
  if (rules.some((rule) => matchesRule(rule, attributes))) return request.resource;
  if (!matchesEquivalentResources || !rules.some((rule) => matchesAnyGroupVersion(rule, attributes))) return undefined;
  const equivalentResources = converter.findEquivalents(request.resource, attributes.subresource);
  for (const rule of rules) {
    const matchingResource = equivalentResources.find((resource) => matchesRule(rule, { ...attributes, resource }));
    if (matchingResource) return matchingResource;
  }
  return undefined;
}

function matchesLabels({ store }: MatchContext, { matchesNamespace, matchesObject }: Webhook, request: AdmissionRequest): boolean {
  const { object, old } = matchesObject ? request : {};
  if (matchesObject && !(object && matchesObject(labelsOf(object))) && !(old && matchesObject(labelsOf(old)))) return false;
  if (!matchesNamespace) return true;
  const labels = getNamespaceLabels(store, request);
  return !labels || matchesNamespace(labels);
}

/**
 * Returns the labels of the request's namespace: for a create or update of a Namespace, the new labels. Undefined for other cluster-scoped
 * objects. Mirrors GetNamespaceLabels.
 */
function getNamespaceLabels(store: Pick<Store, 'get'>, request: AdmissionRequest): Labels | undefined {
  const { resource, operation, subresource = '', key } = request;
  if (isNamespacesResource(resource)) {
    const object = subresource === '' && operation !== 'DELETE' ? request.object : undefined;
    return labelsOf(object ?? getNamespace(store, key.name));
  }
  return key.namespace ? labelsOf(getNamespace(store, key.namespace)) : undefined;
}

/** @throws ApiError NotFound if the namespace does not exist */
const getNamespace = (store: Pick<Store, 'get'>, name: string): ApiObject => store.get(resources.namespaces, { name });

const labelsOf = ({ metadata }: ApiObject): Labels => metadata.labels ?? {};

/**
 * Whether all match conditions are true. As in Matcher.Match (1.36, apiserver/pkg/admission/plugin/webhook/matchconditions), errors of
 * conditions are ignored if one condition is false.
 * @throws ApiError Forbidden if a condition cannot be evaluated and failurePolicy is Fail
 */
function meetsConditions({ conditions }: MatchContext, webhook: Webhook, resource: Resource, request: AdmissionRequest): boolean {
  if (webhook.matchConditions.length === 0) return true;
  const { object, old } = request;
  const input = { uid: '', request, resource, ...(object && { object }), ...(old && { old }) };
  const { object: reviewedObject, oldObject, ...reviewRequest } = createReviewRequest(input);
  const evaluate = conditions.createEvaluator({ object: reviewedObject, oldObject, request: reviewRequest });
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
  throw forbidden(request.resource, request.key.name, problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
}
