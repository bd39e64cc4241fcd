import type { User } from '../registry/index.ts';

/** A request, as FlowSchemas see it. */
export interface RequestDigest {
  readonly user: User;
  readonly verb: string;
  /** Undefined if the request is not for a resource. */
  readonly resource: string | undefined;
  readonly group: string;
  readonly subresource: string;
  readonly namespace: string | undefined;
  readonly path: string;
}

/** The parts of a FlowSchema that decide about requests. */
export interface FlowSchema {
  readonly metadata: { readonly name: string; readonly uid?: string };
  readonly spec: {
    readonly priorityLevelConfiguration: { readonly name: string };
    readonly matchingPrecedence: number;
    readonly rules?: readonly PolicyRule[] | null;
  };
}

interface PolicyRule {
  readonly subjects: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

interface Subject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Mirrors matchesFlowSchema (apiserver/pkg/util/flowcontrol/rule.go, 1.36). */
export function matchesFlowSchema(request: RequestDigest, { spec }: FlowSchema): boolean {
  return (spec.rules ?? []).some(
    ({ subjects, resourceRules = [], nonResourceRules = [] }) =>
      subjects.some((subject) => matchesSubject(request.user, subject)) &&
      (request.resource === undefined
        ? nonResourceRules.some((rule) => matchesNonResourceRule(request, rule))
        : resourceRules.some((rule) => matchesResourceRule(request, rule))),
  );
}

function matchesSubject({ username, groups }: User, { user, group, serviceAccount, kind }: Subject): boolean {
  if (kind === 'User') return user !== undefined && (user.name === '*' || user.name === username);
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (kind !== 'ServiceAccount' || !serviceAccount) return false;
  const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
  return serviceAccount.name === '*' ? username.startsWith(prefix) : username === prefix + serviceAccount.name;
}

function matchesResourceRule(request: RequestDigest, rule: ResourceRule): boolean {
  const { verb, resource, subresource, group, namespace = '' } = request;
  return (
    includes(rule.verbs, verb) &&
    includes(rule.resources, subresource === '' ? (resource ?? '') : `${resource}/${subresource}`) &&
    includes(rule.apiGroups, group) &&
    (namespace === '' ? rule.clusterScope === true : includes(rule.namespaces ?? [], namespace))
  );
}

function matchesNonResourceRule({ verb, path }: RequestDigest, { verbs, nonResourceURLs }: NonResourceRule): boolean {
  if (!includes(verbs, verb)) return false;
  return nonResourceURLs.some((pattern) => {
    if (pattern === '*' || pattern === path) return true;
    const prefix = pattern.replace(/\*$/, '');
    return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
  });
}

const includes = (values: readonly string[], value: string): boolean =>
  (values.length === 1 && values[0] === '*') || values.includes(value);
