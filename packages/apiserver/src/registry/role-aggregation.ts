import { compareText, type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason, type Resource } from 'kube-endpoints/port';
import { sameValue } from '../resources/field/read.ts';
import type { StoreWrite } from '../store/index.ts';
import { serviceAccount } from './caller.ts';
import type { Registry } from './registry.ts';

type ClusterRole = ApiObject & {
  readonly rules?: readonly unknown[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] | null } | null;
};

const clusterRoles: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
};

export const isClusterRoleWrite = ({ resource: { group, plural } }: Pick<StoreWrite, 'resource'>): boolean =>
  plural === clusterRoles.plural && group === clusterRoles.group;

/**
 * Sets the rules of each ClusterRole with an aggregationRule to those of the ClusterRoles that it selects. Mirrors
 * ClusterRoleAggregationController (pkg/controller/clusterroleaggregation, 1.36).
 * @param onError called with the error of a refused write
 */
export async function aggregateClusterRoles(
  { store, patch }: Pick<Registry, 'store' | 'patch'>,
  onError: (error: unknown) => void,
): Promise<void> {
  const listRoles = (): readonly ClusterRole[] => store.list(clusterRoles).items as readonly ClusterRole[];
  for (const { metadata } of listRoles().filter(({ aggregationRule }) => aggregationRule)) {
    const { name = '' } = metadata;
    const role = store.find(clusterRoles, { name }) as ClusterRole | undefined;
    const rules = role && collectRules(role, listRoles());
    if (!role || sameValue(rules, role.rules ?? [])) continue;
    const { group, version, kind } = clusterRoles;
    const configuration = { apiVersion: `${group}/${version}`, kind, metadata: { name }, rules };
    try {
      await patch(clusterRoles, { name }, configuration, { type: 'apply', force: true, fieldManager: controllerName, user });
    } catch (error) {
      if (!hasReason(error, 'NotFound', 'Conflict')) onError(error);
    }
  }
}

const controllerName = 'clusterrole-aggregation-controller';
const user = serviceAccount(controllerName);

/** Returns the rules of the selected roles without duplicates: by selector, then by name. */
function collectRules({ metadata, aggregationRule }: ClusterRole, roles: readonly ClusterRole[]): readonly unknown[] {
  const others = roles
    .filter((role) => role.metadata.name !== metadata.name)
    .sort((a, b) => compareText(a.metadata.name ?? '', b.metadata.name ?? ''));
  const rules = (aggregationRule?.clusterRoleSelectors ?? []).flatMap((selector) =>
    others.filter((role) => selectorMatches(selector, role.metadata.labels ?? {})).flatMap((role) => role.rules ?? []),
  );
  const distinct = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [...distinct.values()];
}
