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
 * Mirrors ShouldCallHook (1.36, apiserver/pkg/admission/plugin/webhook/generic): errors matter only if the rules match.
 * @throws ApiError NotFound for a missing namespace; Forbidden if a match condition cannot be evaluated and failurePolicy is Fail
 */
export function findInvocation(context: MatchContext, webhook: Webhook, request: AdmissionRequest): Invocation | undefined {
  const resource = findMatchingResource(context, webhook, request);
  if (!resource || !matchesLabels(context, webhook, request) || !meetsConditions(context, webhook, resource, request)) return undefined;
  return { webhook, resource };
}

function findMatchingResource(
  { converter }: MatchContext,
  { rules, equivalent }: Webhook,
  request: AdmissionRequest,
): Resource | undefined {
  const attributes = attributesOf(request);
  if (rules.some((rule) => matchesRule(rule, attributes))) return request.resource;
  if (!equivalent || !rules.some((rule) => matchesAnyGroupVersion(rule, attributes))) return undefined;
  const equivalentResources = converter.equivalents(request.resource, attributes.subresource);
  for (const rule of rules) {
    const match = equivalentResources.find((resource) => matchesRule(rule, { ...attributes, resource }));
    if (match) return match;
  }
  return undefined;
}

function matchesLabels({ store }: MatchContext, { matchesNamespace, matchesObject }: Webhook, request: AdmissionRequest): boolean {
  const { object, old } = matchesObject ? request : {};
  if (matchesObject && !(object && matchesObject(labelsOf(object))) && !(old && matchesObject(labelsOf(old)))) return false;
  if (!matchesNamespace) return true;
  const labels = namespaceLabels(store, request);
  return !labels || matchesNamespace(labels);
}

/** Mirrors GetNamespaceLabels: for a write of a Namespace, its new labels. Undefined for cluster-scoped objects. */
function namespaceLabels(store: Pick<Store, 'get'>, request: AdmissionRequest): Labels | undefined {
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
 * Mirrors Matcher.Match (1.36, apiserver/pkg/admission/plugin/webhook/matchconditions): if one condition is false, errors of other
 * conditions are ignored.
 */
function meetsConditions({ conditions }: MatchContext, webhook: Webhook, resource: Resource, request: AdmissionRequest): boolean {
  if (webhook.conditions.length === 0) return true;
  const { object, old } = request;
  const input = { uid: '', request, resource, ...(object && { object }), ...(old && { old }) };
  const { object: reviewedObject, oldObject, ...rest } = createReviewRequest(input);
  const evaluate = conditions.createEvaluator({ object: reviewedObject, oldObject, request: rest });
  const problems: string[] = [];
  for (const { expression } of webhook.conditions) {
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
