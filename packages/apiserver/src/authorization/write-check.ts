import { quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, forbidden, type User } from '../registry/index.ts';
import { sameValue } from '../resources/field/read.ts';
import { notFound, status500 } from '../store/index.ts';
import { type AccessRule, type Authorizer, privilegedGroup } from './attributes.ts';
import { findEscalation } from './escalation.ts';
import { roleResources } from './lookup.ts';
import type { Role, RoleBinding, RoleLookup } from './rbac.ts';

/** An admission that is called last, and again if a webhook changes the object. */
interface WriteCheck {
  /** @throws ApiError Forbidden; NotFound if the role of a binding does not exist */
  mutateReinvocably(request: AdmissionRequest): undefined;
}

/**
 * Creates the check that a write of a role or binding grants only permissions that its user holds, unless the user may escalate the role or
 * bind it. Calls without a user are not checked.
 *
 * Mirrors the policybased storages (pkg/registry/rbac, 1.36).
 */
export function createRoleWriteCheck(authorizer: Authorizer, lookup: RoleLookup): WriteCheck {
  const context: Context = { authorizer, lookup: { ...lookup, usesPlural: true } };
  return {
    mutateReinvocably(request) {
      const { resource, subresource, operation, user } = request;
      const check = resource.group === roleResources.roles.group ? checks[resource.plural] : undefined;
      if (!check || !user || !request.object || operation === 'DELETE' || subresource !== undefined) return;
      if (!user.groups.includes(privilegedGroup)) check(context, { ...request, user, object: request.object });
    },
  };
}

interface Context {
  readonly authorizer: Authorizer;
  readonly lookup: RoleLookup;
}

type CheckedRequest = AdmissionRequest & { readonly user: User; readonly object: ApiObject };

const checks: Readonly<Record<string, (context: Context, request: CheckedRequest) => void>> = {
  roles: checkRole,
  clusterroles: checkRole,
  rolebindings: checkBinding,
  clusterrolebindings: checkBinding,
};

function checkRole(context: Context, request: CheckedRequest): void {
  const { operation, resource, key, user, object, old } = request;
  const { group, plural } = resource;
  // As upstream, the name in the path: a POST has none.
  const name = operation === 'CREATE' ? '' : key.name;
  if (isAllowed(context, request, { verb: 'escalate', group, resource: plural, name })) return;
  if (old && changesOnlyOwnership(object, old)) return;
  requireHeld(context, request, (object as unknown as Role).rules ?? []);
  if (![object, old].some(hasAggregationRule)) return;
  if (findEscalation(context.lookup, user, key.namespace, allRules) !== undefined)
    throw createError(request, 'must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(context: Context, request: CheckedRequest): void {
  const { key, object, old } = request;
  const { apiGroup: group = '', kind, name } = (object as unknown as RoleBinding).roleRef ?? {};
  if (old && changesOnlyOwnership(object, old)) return;
  const role = { Role: roleResources.roles, ClusterRole: roleResources.clusterRoles }[kind as string];
  if (!role) throw status500(`unsupported role reference kind: ${quote(kind ?? '')}`);
  if (isAllowed(context, request, { verb: 'bind', group, resource: role.plural, name })) return;
  const referencedRole = context.lookup.findRole(role.namespaced ? key.namespace : undefined, name);
  if (!referencedRole) throw notFound(role, name);
  requireHeld(context, request, referencedRole.rules ?? []);
}

function isAllowed(
  { authorizer }: Context,
  { user, key }: CheckedRequest,
  attributes: { verb: string; group: string; resource: string; name: string },
): boolean {
  const namespace = key.namespace ?? '';
  return authorizer.authorize({ user, version: '*', ...(namespace !== '' && { namespace }), ...attributes }).isAllowed;
}

function requireHeld({ lookup }: Context, request: CheckedRequest, rules: readonly AccessRule[]): void {
  const problem = findProblem(() => findEscalation(lookup, request.user, request.key.namespace, rules));
  if (problem !== undefined) throw createError(request, problem);
}

/** Returns the message of a RangeError, too: rules that are too many to compare are refused. */
function findProblem(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

const createError = ({ resource, object }: CheckedRequest, problem: string): ApiError =>
  forbidden(resource, object.metadata.name ?? '', problem);

const allRules: readonly AccessRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function hasAggregationRule(object: ApiObject | undefined): boolean {
  const { aggregationRule } = (object ?? {}) as {
    readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] | null } | null;
  };
  return (aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** Whether an update changes only the fields that the garbage collector writes. Mirrors IsOnlyMutatingGCFields (pkg/registry/rbac/helpers.go, 1.36). */
const changesOnlyOwnership = (object: ApiObject, old: ApiObject): boolean => sameValue(withoutOwnership(object), withoutOwnership(old));

function withoutOwnership({ metadata, ...object }: ApiObject): unknown {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...rest } = metadata;
  return { ...object, metadata: rest };
}
