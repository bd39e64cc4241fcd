import type { Resource } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** `admissionregistration.k8s.io/v1`'s RuleWithOperations. */
export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** "pods", "pods/status", "pods/*", "*", "*" + "/status"; "*" alone does not match subresources. */
  readonly resources: readonly string[];
  readonly scope: string;
}

/** The attributes of a request that rules match. */
export interface Target {
  readonly operation: AdmissionRequest['operation'];
  readonly resource: Pick<Resource, 'group' | 'version' | 'plural'>;
  readonly subresource: string;
  /** Empty for cluster-scoped objects. For a Namespace, its own name. */
  readonly namespace: string;
}

export const targetOf = (request: AdmissionRequest): Target => ({
  operation: request.operation,
  resource: request.resource,
  subresource: request.subresource ?? '',
  namespace: namespaceOf(request),
});

/** The namespace of a request; for a Namespace, its own name. */
export const namespaceOf = ({ resource, key }: Pick<AdmissionRequest, 'resource' | 'key'>): string =>
  isNamespaces(resource) ? key.name : (key.namespace ?? '');

export const isNamespaces = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): boolean => group === '' && plural === 'namespaces';

/** Mirrors Matcher.Matches (1.36, apiserver/pkg/admission/plugin/webhook/predicates/rules). */
export const matchesRule = (rule: Rule, target: Target): boolean =>
  matchesInSomeForm(rule, target) && includes(rule.apiGroups, target.resource.group) && includes(rule.apiVersions, target.resource.version);

/** Like matchesRule, but for any group and version: all representations of a resource share its plural. */
export const matchesInSomeForm = (rule: Rule, { operation, resource, subresource, namespace }: Target): boolean =>
  inScope(rule.scope, isNamespaces(resource) || namespace === '') &&
  includes(rule.operations, operation) &&
  rule.resources.some((each) => matchesResource(each, resource.plural, subresource));

const inScope = (scope: string, ofCluster: boolean): boolean => scope === '*' || scope === (ofCluster ? 'Cluster' : 'Namespaced');

const includes = (items: readonly string[], wanted: string): boolean => items.includes(wanted) || items.includes('*');

function matchesResource(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [resource, sub] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}
