import type { AccessAttributes, Role, RoleBinding, RoleLookup } from '../../src/authorization/index.ts';
import type { User } from '../../src/registry/index.ts';

interface Objects {
  readonly roles?: readonly Role[];
  readonly bindings?: readonly RoleBinding[];
}

/** A lookup in lists of objects; those without a namespace are cluster-scoped. */
export function lookupIn({ roles = [], bindings = [] }: Objects): RoleLookup {
  return {
    findRole: (namespace, name) => roles.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    listBindings: (namespace) => bindings.filter(({ metadata }) => metadata.namespace === namespace),
  };
}

export const alice: User = { username: 'alice', groups: ['dev'] };

/** A binding of a ClusterRole to alice, in a namespace or cluster-wide. */
export const bindAlice = (role: string, namespace?: string): RoleBinding => ({
  metadata: { name: `alice-${role}`, ...(namespace !== undefined && { namespace }) },
  subjects: [{ kind: 'User', name: 'alice' }],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
});

export const clusterRole = (name: string, ...rules: NonNullable<Role['rules']>): Role => ({ metadata: { name }, rules });

export const listPods: AccessAttributes = { user: alice, verb: 'list', resource: 'pods', group: '', version: 'v1', namespace: 'default' };
