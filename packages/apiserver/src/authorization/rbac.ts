import { quote } from 'kube-endpoints/internal/apimachinery';
import { formatProblems, type User } from '../registry/index.ts';
import { type AccessAttributes, type AccessRule, type Authorizer, privilegedGroup } from './attributes.ts';
import { ruleAllows } from './rules.ts';

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** For a ServiceAccount; defaults to the namespace of the RoleBinding. */
  readonly namespace?: string;
}

interface Named {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/** A Role or ClusterRole. */
export interface Role extends Named {
  readonly rules?: readonly AccessRule[] | null;
}

/** A RoleBinding or ClusterRoleBinding. */
export interface RoleBinding extends Named {
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: RoleRef;
}

/** Reads the current roles and bindings. */
export interface RoleLookup {
  /** The resource in messages about missing roles. As upstream, that of the written object; by default, "role" or "clusterrole". */
  readonly missingResource?: string;
  /** @param namespace undefined for a ClusterRole */
  findRole(namespace: string | undefined, name: string): Role | undefined;
  /** @param namespace undefined for ClusterRoleBindings */
  listBindings(namespace: string | undefined): readonly RoleBinding[];
}

/** Creates the authorizer of the mode RBAC, which allows everything to system:masters. It only allows: a request that no rule allows is denied. */
export const createRbacAuthorizer = (lookup: RoleLookup): Authorizer => ({
  authorize(attributes) {
    if (attributes.user.groups.includes(privilegedGroup)) return { isAllowed: true, reason: '' };
    return authorize(lookup, attributes);
  },
  listRules(user, namespace) {
    const { rules, problems } = resolveRules(lookup, user, namespace);
    return { rules, isIncomplete: false, problem: formatProblems(problems) };
  },
});

/** Mirrors RBACAuthorizer.Authorize (plugin/pkg/auth/authorizer/rbac/rbac.go, 1.36). */
function authorize(lookup: RoleLookup, attributes: AccessAttributes): ReturnType<Authorizer['authorize']> {
  const problems: string[] = [];
  for (const { rules, source, problem } of visitBindings(lookup, attributes.user, attributes.namespace)) {
    if (problem !== undefined) problems.push(problem);
    else if (rules.some((rule) => ruleAllows(rule, attributes))) return { isAllowed: true, reason: `RBAC: allowed by ${source()}` };
  }
  return { isAllowed: false, reason: problems.length > 0 ? `RBAC: ${formatProblems(problems)}` : '' };
}

/** Returns all rules of a user in a namespace, or at the cluster scope, and why some bindings could not be resolved. */
export function resolveRules(
  lookup: RoleLookup,
  user: User,
  namespace: string | undefined,
): { readonly rules: readonly AccessRule[]; readonly problems: readonly string[] } {
  const bindings = [...visitBindings(lookup, user, namespace)];
  return {
    rules: bindings.flatMap(({ rules }) => rules),
    problems: bindings.flatMap(({ problem }) => problem ?? []),
  };
}

/** A binding that applies to a user, resolved to the rules of its role. */
interface ResolvedBinding {
  readonly rules: readonly AccessRule[];
  /** Describes the binding. */
  source(): string;
  /** Why the role cannot be found. */
  readonly problem: string | undefined;
}

/** Mirrors DefaultRuleResolver.VisitRulesFor (pkg/registry/rbac/validation/rule.go, 1.36): ClusterRoleBindings precede RoleBindings. */
function* visitBindings(lookup: RoleLookup, user: User, namespace: string | undefined): Generator<ResolvedBinding> {
  for (const scope of namespace ? [undefined, namespace] : [undefined]) {
    for (const binding of lookup.listBindings(scope)) {
      const subject = binding.subjects?.find((each) => appliesTo(each, user, scope));
      if (!subject) continue;
      const { rules = [], problem } = resolveRole(lookup, binding.roleRef, scope);
      yield { rules, source: () => describeBinding(binding, subject, scope), problem };
    }
  }
}

function appliesTo({ kind, name, namespace }: Subject, { username, groups }: User, bindingNamespace = ''): boolean {
  if (kind === 'User') return username === name;
  if (kind === 'Group') return groups.includes(name);
  const accountNamespace = namespace || bindingNamespace;
  return kind === 'ServiceAccount' && accountNamespace !== '' && username === `system:serviceaccount:${accountNamespace}:${name}`;
}

/** Returns the rules of the role that a binding refers to, or why there are none. @param namespace undefined for a ClusterRoleBinding */
function resolveRole(
  lookup: RoleLookup,
  { kind, name }: RoleRef,
  namespace: string | undefined,
): { readonly rules?: readonly AccessRule[]; readonly problem?: string } {
  if (kind !== 'Role' && kind !== 'ClusterRole') return { problem: `unsupported role reference kind: ${quote(kind)}` };
  const role = kind === 'ClusterRole' ? lookup.findRole(undefined, name) : namespace && lookup.findRole(namespace, name);
  if (role) return { rules: role.rules ?? [] };
  return { problem: `${lookup.missingResource ?? kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(name)} not found` };
}

function describeBinding({ metadata, roleRef }: RoleBinding, subject: Subject, namespace: string | undefined): string {
  const [kind, name] = namespace === undefined ? ['ClusterRoleBinding', metadata.name] : ['RoleBinding', `${metadata.name}/${namespace}`];
  const account = `${subject.name}/${subject.namespace || (namespace ?? '')}`;
  const subjectName = subject.kind === 'ServiceAccount' ? account : subject.name;
  return `${kind} ${quote(name ?? '')} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject.kind} ${quote(subjectName)}`;
}
