import { createRequirementsMatcher, type LabelOperator, type Labels } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';
import { child, type Fields, list, text, texts } from '../resources/field/read.ts';
import type { Store } from '../store/index.ts';
import { isNamespacesResource } from './rules.ts';

/** Whether labels match a selector. Absent if the selector is empty and so matches everything. */
export type LabelMatcher = ((labels: Labels) => boolean) | undefined;

/** Mirrors Matcher.MatchObjectSelector (1.36, apiserver/pkg/admission/plugin/webhook/predicates/object). */
export function matchesObjectLabels(matches: LabelMatcher, request: AdmissionRequest): boolean {
  if (!matches) return true;
  const { object, old } = request;
  return (object !== undefined && matches(labelsOf(object))) || (old !== undefined && matches(labelsOf(old)));
}

/**
 * Mirrors Matcher.MatchNamespaceSelector (1.36, apiserver/pkg/admission/plugin/webhook/predicates/namespace).
 * @throws ApiError NotFound for a missing namespace
 */
export function matchesNamespaceLabels(store: Pick<Store, 'get'>, matches: LabelMatcher, request: AdmissionRequest): boolean {
  const labels = matches && getNamespaceLabels(store, request);
  return !matches || !labels || matches(labels);
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
export const getNamespace = (store: Pick<Store, 'get'>, name: string): ApiObject => store.get(resources.namespaces, { name });

const labelsOf = ({ metadata }: ApiObject): Labels => metadata.labels ?? {};

const operators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** Creates a matcher for a label selector; undefined if the selector is empty and so matches everything. Mirrors LabelSelectorAsSelector. */
export function createLabelMatcher(selector: Fields): LabelMatcher {
  const labels = child(selector, 'matchLabels');
  const requirements = [
    ...Object.keys(labels).map((key) => ({ key, operator: '=' as const, values: [text(labels, key)] })),
    ...list(selector, 'matchExpressions').map((each) => ({
      key: text(each, 'key'),
      operator: operators[text(each, 'operator')] ?? 'in',
      values: texts(each, 'values'),
    })),
  ];
  return requirements.length > 0 ? createRequirementsMatcher(requirements) : undefined;
}
