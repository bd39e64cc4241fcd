import { labelsOf } from './configuration.ts';
import type { Manifest, ManifestOptions } from './options.ts';

/** The least that the webhook may do: what rules look at, and patches that have Services synced and endpoints reviewed again. */
export function rights({ name, namespace }: Pick<ManifestOptions, 'name' | 'namespace'>): readonly Manifest[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name, labels: labelsOf(name) };
  return [
    {
      apiVersion,
      kind: 'ClusterRole',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch', 'patch'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['endpoints'], verbs: ['list', 'watch', 'patch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'patch'] },
      ],
    },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}
