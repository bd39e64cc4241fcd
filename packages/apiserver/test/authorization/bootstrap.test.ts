import { expect, test } from 'vitest';
import { createBootstrapPolicy } from '../../src/authorization/index.ts';

const policy = createBootstrapPolicy();
const find = (kind: string, name: string, namespace?: string): unknown => {
  const {
    apiVersion: _,
    kind: __,
    metadata,
    ...rest
  } = policy.find((each) => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace) ?? { metadata: {} };
  return { labels: metadata.labels, ...rest };
};
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

test('a new cluster has the roles and bindings of kube-apiserver 1.36', () => {
  const counts = Map.groupBy(policy, ({ kind }) => kind);
  expect(Object.fromEntries([...counts].map(([kind, objects]) => [kind, objects.length]))).toStrictEqual({
    ClusterRole: 69,
    ClusterRoleBinding: 50,
    Role: 7,
    RoleBinding: 7,
  });
  expect(new Set(policy.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`)).size).toBe(policy.length);
});

test('rules, aggregations and subjects are read from the tables', () => {
  const apiGroup = 'rbac.authorization.k8s.io';
  expect(find('ClusterRole', 'cluster-admin')).toStrictEqual({
    labels,
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  });
  expect(find('ClusterRole', 'edit')).toStrictEqual({
    labels: { ...labels, 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } }] },
  });
  expect(find('Role', 'extension-apiserver-authentication-reader', 'kube-system')).toStrictEqual({
    labels,
    rules: [
      {
        verbs: ['get', 'list', 'watch'],
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['extension-apiserver-authentication'],
      },
    ],
  });
  expect(find('ClusterRoleBinding', 'system:controller:job-controller')).toStrictEqual({
    labels,
    subjects: [{ kind: 'ServiceAccount', name: 'job-controller', namespace: 'kube-system' }],
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:controller:job-controller' },
  });
  expect(find('ClusterRoleBinding', 'system:node')).toStrictEqual({
    labels,
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:node' },
  });
  expect(find('RoleBinding', 'system::extension-apiserver-authentication-reader', 'kube-system')).toStrictEqual({
    labels,
    subjects: ['system:kube-controller-manager', 'system:kube-scheduler'].map((name) => ({ kind: 'User', apiGroup, name })),
    roleRef: { apiGroup, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
  });
});
