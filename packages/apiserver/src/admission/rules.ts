import type { Resource } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';
import { type Fields, text, texts } from '../resources/field/read.ts';

/** `admissionregistration.k8s.io/v1`'s RuleWithOperations. */
export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** For example "pods", "pods/status" or "pods/*". "*" does not match subresources. */
  readonly resources: readonly string[];
  readonly scope: string;
}

export const readRule = (rule: Fields): Rule => ({
  operations: texts(rule, 'operations'),
  apiGroups: texts(rule, 'apiGroups'),
  apiVersions: texts(rule, 'apiVersions'),
  resources: texts(rule, 'resources'),
  scope: text(rule, 'scope') || '*',
});

export interface RequestAttributes {
  readonly operation: AdmissionRequest['operation'];
  readonly resource: Pick<Resource, 'group' | 'version' | 'plural'>;
  readonly subresource: string;
  /** For a Namespace, its name; empty for other cluster-scoped objects. */
  readonly namespace: string;
}

export const attributesOf = (request: AdmissionRequest): RequestAttributes => ({
  operation: request.operation,
  resource: request.resource,
  subresource: request.subresource ?? '',
  namespace: namespaceOf(request),
});

/** Returns the namespace of a request; for a Namespace, its name; empty for other cluster-scoped objects. */
export const namespaceOf = ({ resource, key }: Pick<AdmissionRequest, 'resource' | 'key'>): string =>
  isNamespacesResource(resource) ? key.name : (key.namespace ?? '');

export const isNamespacesResource = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): boolean =>
  group === '' && plural === 'namespaces';

/** Mirrors Matcher.Matches (1.36, apiserver/pkg/admission/plugin/webhook/predicates/rules). */
export const matchesRule = (rule: Rule, attributes: RequestAttributes): boolean =>
  matchesAnyGroupVersion(rule, attributes) &&
  includesOrWildcard(rule.apiGroups, attributes.resource.group) &&
  includesOrWildcard(rule.apiVersions, attributes.resource.version);

/** Like matchesRule, but ignores the rule's groups and versions, because all representations of a resource have the same plural. */
export const matchesAnyGroupVersion = (rule: Rule, { operation, resource, subresource, namespace }: RequestAttributes): boolean =>
  isInScope(rule.scope, isNamespacesResource(resource) || namespace === '') &&
  includesOrWildcard(rule.operations, operation) &&
  rule.resources.some((each) => matchesResource(each, resource.plural, subresource));

export interface RuleSet<R extends Rule> {
  readonly rules: readonly R[];
  /** Whether matchPolicy is Equivalent, so that rules also match other versions of a resource. */
  readonly matchesEquivalentResources: boolean;
}

/**
 * Returns the resource in whose form a request matches one of the rules, if possible that of the request; undefined if none matches.
 * @param findEquivalents finds the other resources that represent the same objects
 * @param isEligible whether a rule can match the request at all. Default: true
 */
export function findMatchingResource<R extends Rule>(
  { rules, matchesEquivalentResources }: RuleSet<R>,
  request: AdmissionRequest,
  findEquivalents: (resource: Resource, subresource: string) => readonly Resource[],
  isEligible: (rule: R) => boolean = () => true,
): Resource | undefined {
  const attributes = attributesOf(request);
  const candidates = rules.filter((rule) => isEligible(rule) && matchesAnyGroupVersion(rule, attributes));
  if (candidates.some((rule) => matchesRule(rule, attributes))) return request.resource;
  if (!matchesEquivalentResources || candidates.length === 0) return undefined;
  const equivalents = findEquivalents(request.resource, attributes.subresource);
  for (const rule of candidates) {
    const equivalent = equivalents.find((resource) => matchesRule(rule, { ...attributes, resource }));
    if (equivalent) return equivalent;
  }
  return undefined;
}

const isInScope = (scope: string, isClusterScoped: boolean): boolean =>
  scope === '*' || scope === (isClusterScoped ? 'Cluster' : 'Namespaced');

const includesOrWildcard = (items: readonly string[], value: string): boolean => items.includes(value) || items.includes('*');

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const slashIndex = pattern.indexOf('/');
  const [resourcePattern, subresourcePattern] =
    slashIndex < 0 ? [pattern, ''] : [pattern.slice(0, slashIndex), pattern.slice(slashIndex + 1)];
  return (resourcePattern === '*' || resourcePattern === plural) && (subresourcePattern === '*' || subresourcePattern === subresource);
}
