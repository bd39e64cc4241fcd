import {
  createRequirementsMatcher,
  type LabelOperator,
  type LabelRequirement,
  labelOperators,
  parseInteger,
  problemsOfLabelKey,
  problemsOfLabelValue,
  selectorMatches,
} from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';

/** Which nodes a pod selects: component-helpers/scheduling/corev1/nodeaffinity of 1.36. */

export interface NodeSelectorRequirement {
  readonly key: string;
  /** "In", "NotIn", "Exists", "DoesNotExist", "Gt" or "Lt"; for a field "In" or "NotIn". */
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[];
}

/** The fields of a pod's spec that select nodes by their names and labels. */
export interface NodeConstraints {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: { readonly nodeAffinity?: NodeAffinity; readonly [field: string]: unknown };
}

export type NodeMatcher = (node: ApiObject) => boolean;

/** Whether a node matches a pod's nodeSelector and required node affinity. For many nodes, use `createNodeAffinityMatcher`. */
export const matchesNodeAffinity = (pod: { readonly spec?: NodeConstraints }, node: ApiObject): boolean =>
  createNodeAffinityMatcher(pod)(node);

/** Returns a function that tests a node against a pod's nodeSelector and required node affinity: GetRequiredNodeAffinity. */
export function createNodeAffinityMatcher({ spec }: { readonly spec?: NodeConstraints }): NodeMatcher {
  const matchLabels = spec?.nodeSelector ?? {};
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matchesTerms = required && createNodeSelectorMatcher(required.nodeSelectorTerms ?? []);
  return (node) => selectorMatches({ matchLabels }, node.metadata.labels ?? {}) && (matchesTerms?.(node) ?? true);
}

/** Whether a node matches one of the terms: MatchNodeSelectorTerms. For many nodes, use `createNodeSelectorMatcher`. */
export const matchesNodeSelectorTerms = (terms: readonly NodeSelectorTerm[], node: ApiObject): boolean =>
  createNodeSelectorMatcher(terms)(node);

/** Returns a function that tests a node against terms, of which one must match. An empty term and an invalid one match no node. */
export function createNodeSelectorMatcher(terms: readonly NodeSelectorTerm[]): NodeMatcher {
  const tests = terms.map(createTermMatcher);
  return (node) => tests.some((test) => test(node));
}

function createTermMatcher({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeMatcher {
  const isEmpty = matchExpressions.length === 0 && matchFields.length === 0;
  if (isEmpty || !matchExpressions.every(isValidExpression) || !matchFields.every(isValidField)) return () => false;
  const matchesLabels = createRequirementsMatcher(matchExpressions.map(parseExpression));
  return ({ metadata }) =>
    matchesLabels(metadata.labels ?? {}) &&
    matchFields.every((requirement) => metadata.name === undefined || matchesField(requirement, metadata.name));
}

const operators: Readonly<Record<string, LabelOperator>> = { ...labelOperators, Gt: 'gt', Lt: 'lt' };

const parseExpression = ({ key, operator, values = [] }: NodeSelectorRequirement): LabelRequirement => ({
  key,
  operator: operators[operator] as LabelOperator,
  values,
});

/** Whether labels.NewRequirement accepts a requirement. */
function isValidExpression({ key, operator, values = [] }: NodeSelectorRequirement): boolean {
  if (problemsOfLabelKey(key).length > 0 || values.some((value) => problemsOfLabelValue(value).length > 0)) return false;
  if (operator === 'In' || operator === 'NotIn') return values.length > 0;
  if (operator === 'Exists' || operator === 'DoesNotExist') return values.length === 0;
  return (operator === 'Gt' || operator === 'Lt') && values.length === 1 && parseInteger(values[0] as string) !== undefined;
}

const isValidField = ({ operator, values = [] }: NodeSelectorRequirement): boolean =>
  (operator === 'In' || operator === 'NotIn') && values.length === 1;

/** Tests a field of a node. The only one is its name; others are empty. */
const matchesField = ({ key, operator, values = [] }: NodeSelectorRequirement, name: string): boolean =>
  ((key === 'metadata.name' ? name : '') === values[0]) === (operator === 'In');
