import { type Labels, messageOf } from 'kube-endpoints/internal';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { MatchConditions } from '../../cel/match-conditions.ts';
import { type AdmissionRequest, forbidden } from '../../registry/index.ts';
import type { Store } from '../../store/index.ts';
import type { ObjectConverter } from '../object-converter.ts';
import { isNamespaces, matchesInSomeForm, matchesRule, targetOf } from '../rules.ts';
import type { Webhook } from './configurations.ts';
import { requestOf } from './review.ts';

/** The dependencies for matching webhooks. */
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
 * Whether to call a webhook, and with which representation of the object; undefined if it does not match.
 *
 * Mirrors ShouldCallHook (1.36, apiserver/pkg/admission/plugin/webhook/generic): errors matter only if the rules match.
 * @throws ApiError NotFound for a missing namespace; Forbidden if a match condition cannot be evaluated and failurePolicy is Fail
 */
export function invocationOf(matching: MatchContext, webhook: Webhook, request: AdmissionRequest): Invocation | undefined {
  const resource = matchingForm(matching, webhook, request);
  if (!resource || !matchesLabels(matching, webhook, request) || !meetsConditions(matching, webhook, resource, request)) return undefined;
  return { webhook, resource };
}

function matchingForm({ converter }: MatchContext, { rules, equivalent }: Webhook, request: AdmissionRequest): Resource | undefined {
  const target = targetOf(request);
  if (rules.some((rule) => matchesRule(rule, target))) return request.resource;
  if (!equivalent || !rules.some((rule) => matchesInSomeForm(rule, target))) return undefined;
  const others = converter.equivalents(request.resource, target.subresource);
  for (const rule of rules) {
    const found = others.find((resource) => matchesRule(rule, { ...target, resource }));
    if (found) return found;
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
  if (isNamespaces(resource)) {
    const object = subresource === '' && operation !== 'DELETE' ? request.object : undefined;
    return labelsOf(object ?? stored(store, key.name));
  }
  return key.namespace ? labelsOf(stored(store, key.namespace)) : undefined;
}

/** @throws ApiError NotFound if the namespace does not exist */
const stored = (store: Pick<Store, 'get'>, name: string): ApiObject => store.get(resources.namespaces, { name });

const labelsOf = ({ metadata }: ApiObject): Labels => metadata.labels ?? {};

/**
 * Mirrors Matcher.Match (1.36, apiserver/pkg/admission/plugin/webhook/matchconditions): a condition that is false outweighs errors of
 * others.
 */
function meetsConditions({ conditions }: MatchContext, webhook: Webhook, resource: Resource, request: AdmissionRequest): boolean {
  if (webhook.conditions.length === 0) return true;
  const { object, old } = request;
  const input = { uid: '', request, resource, ...(object && { object }), ...(old && { old }) };
  const { object: shown, oldObject, ...rest } = requestOf(input);
  const holds = conditions.createEvaluator({ object: shown, oldObject, request: rest });
  const problems: string[] = [];
  for (const { expression } of webhook.conditions) {
    try {
      if (!holds(expression)) return false;
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  if (problems.length === 0) return true;
  if (webhook.ignoresFailure) return false;
  throw forbidden(request.resource, request.key.name, problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
}
