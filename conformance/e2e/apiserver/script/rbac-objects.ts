import type { Step } from '../compare/step.ts';
import { testUsers } from '../target/target.ts';

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

export type TestUser = 'alice' | 'bob' | 'carol';

/** Sends a step as one of the test users; undefined sends no token. */
export function as(user: TestUser | undefined, step: Step): Step {
  const token = testUsers.find(({ username }) => username === user)?.token;
  return { ...step, headers: { ...step.headers, authorization: token === undefined ? '' : `Bearer ${token}` } };
}

/** Repeats a step until it is no longer forbidden: the real server sees roles and bindings shortly after they are written. */
export const onceAllowed = (step: Step): Step => ({ ...step, until: ({ code }) => code !== 403 });

/** Repeats a step until it is forbidden. */
export const onceForbidden = (step: Step): Step => ({ ...step, until: ({ code }) => code === 403 });

export const rule = (verbs: readonly string[], resources: readonly string[], apiGroups: readonly string[] = ['']): object => ({
  verbs,
  apiGroups,
  resources,
});

export const clusterRole = (name: string, rules: readonly object[], fields: object = {}): object => ({
  apiVersion: API_VERSION,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
  ...fields,
});

export const role = (name: string, rules: readonly object[], fields: object = {}): object => ({
  apiVersion: API_VERSION,
  kind: 'Role',
  metadata: { name },
  rules,
  ...fields,
});

export const userSubject = (name: string): object => ({ kind: 'User', apiGroup: GROUP, name });
export const groupSubject = (name: string): object => ({ kind: 'Group', apiGroup: GROUP, name });

export const clusterRoleBinding = (name: string, roleName: string, subjects: readonly object[], fields: object = {}): object => ({
  apiVersion: API_VERSION,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  subjects,
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: roleName },
  ...fields,
});

export const roleBinding = (
  name: string,
  roleName: string,
  subjects: readonly object[],
  { kind = 'Role', ...fields }: { kind?: string; [field: string]: unknown } = {},
): object => ({
  apiVersion: API_VERSION,
  kind: 'RoleBinding',
  metadata: { name },
  subjects,
  roleRef: { apiGroup: GROUP, kind, name: roleName },
  ...fields,
});

export const rolePath = (namespace: string, plural: 'roles' | 'rolebindings', rest = ''): string =>
  `${RBAC}/namespaces/${namespace}/${plural}${rest}`;
