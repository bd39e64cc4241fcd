import type { Resource } from 'kube-endpoints/port';
import type { Store } from '../store/index.ts';
import type { Role, RoleBinding, RoleLookup } from './rbac.ts';

const group = 'rbac.authorization.k8s.io';
const version = 'v1';

export const roleResources: Readonly<Record<'roles' | 'clusterRoles' | 'roleBindings' | 'clusterRoleBindings', Resource>> = {
  roles: { group, version, plural: 'roles', kind: 'Role', namespaced: true },
  clusterRoles: { group, version, plural: 'clusterroles', kind: 'ClusterRole', namespaced: false },
  roleBindings: { group, version, plural: 'rolebindings', kind: 'RoleBinding', namespaced: true },
  clusterRoleBindings: { group, version, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false },
};

/** Reads roles and bindings from a store. Bindings are cached until a binding is written. */
export function createRoleLookup(store: Store): RoleLookup {
  const bindingsByNamespace = new Map<string | undefined, readonly RoleBinding[]>();
  store.observe(({ resource }) => {
    if (resource.group === group && resource.plural.endsWith('bindings')) bindingsByNamespace.clear();
  });
  const listBindings = (namespace: string | undefined): readonly RoleBinding[] => {
    const { items } =
      namespace === undefined ? store.list(roleResources.clusterRoleBindings) : store.list(roleResources.roleBindings, { namespace });
    return items as unknown as readonly RoleBinding[];
  };
  return {
    findRole: (namespace, name) =>
      (namespace === undefined
        ? store.find(roleResources.clusterRoles, { name })
        : store.find(roleResources.roles, { namespace, name })) as unknown as Role | undefined,
    listBindings(namespace) {
      const cached = bindingsByNamespace.get(namespace);
      if (cached) return cached;
      const bindings = listBindings(namespace);
      if (bindingsByNamespace.size >= maxCachedNamespaces) bindingsByNamespace.clear();
      bindingsByNamespace.set(namespace, bindings);
      return bindings;
    },
  };
}

/** Clients may name any number of namespaces. */
const maxCachedNamespaces = 1000;
