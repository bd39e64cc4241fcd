import type { ApiObject, Resource } from 'kube-endpoints/port';
import { ensureExists, type Registry } from '../../registry/index.ts';
import type { AccessRule } from '../attributes.ts';
import { roleResources } from '../lookup.ts';
import { bindingTable } from './bindings.ts';
import { controllerRoleTable } from './controller-roles.ts';
import { clusterRoleTable, roleTable } from './roles.ts';

/** Creates the missing roles and bindings of a new cluster. Existing objects are left unchanged. */
export async function bootstrapPolicy(registry: Registry): Promise<void> {
  const resources = new Map(Object.values(roleResources).map((resource) => [resource.kind, resource]));
  for (const object of createBootstrapPolicy()) await ensureExists(registry, resources.get(object.kind ?? '') as Resource, object);
}

/**
 * Returns the roles and bindings of a new cluster with RBAC, in the order in which kube-apiserver creates them. Mirrors bootstrappolicy
 * (plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.36).
 */
export function createBootstrapPolicy(): readonly ApiObject[] {
  const controllerRoles = parseRoles(controllerRoleTable);
  const bindings = bindingTable.trim().split('\n').map(parseBinding);
  const isClusterWide = ({ metadata }: ApiObject): boolean => metadata.namespace === undefined;
  return [
    ...parseRoles(clusterRoleTable),
    ...controllerRoles,
    ...bindings.filter(isClusterWide),
    ...controllerRoles.map(createControllerBinding),
    ...parseRoles(roleTable),
    ...bindings.filter((binding) => !isClusterWide(binding)),
  ];
}

function parseRoles(table: string): readonly ApiObject[] {
  const roles: { readonly head: string; readonly rules: AccessRule[] }[] = [];
  for (const line of table.trim().split('\n')) {
    if (line.startsWith(' ')) roles.at(-1)?.rules.push(parseRule(line.trim()));
    else roles.push({ head: line, rules: [] });
  }
  return roles.map(createRole);
}

function parseRule(text: string): AccessRule {
  const [verbs = [], second = [], resources, resourceNames] = text.split(' ').map((word) => word.split(','));
  if (resources === undefined) return { verbs, nonResourceURLs: second };
  const apiGroups = second.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources, ...(resourceNames && { resourceNames }) };
}

function createRole({ head, rules }: { readonly head: string; readonly rules: readonly AccessRule[] }): ApiObject {
  const [name = '', ...words] = head.split(' ');
  const namesOf = (option: string): readonly string[] =>
    words
      .find((word) => word.startsWith(`${option}=`))
      ?.slice(option.length + 1)
      .split(',') ?? [];
  const namespace = words[0] === 'in' ? words[1] : undefined;
  const aggregationLabels = namesOf('aggregate-to').map((role) => [aggregationLabelOf(role), 'true']);
  const selectors = namesOf('aggregates').map((role) => ({ matchLabels: { [aggregationLabelOf(role)]: 'true' } }));
  return {
    ...createObject(namespace === undefined ? 'clusterRoles' : 'roles', name, namespace, Object.fromEntries(aggregationLabels)),
    ...(selectors.length > 0 ? { aggregationRule: { clusterRoleSelectors: selectors } } : { rules }),
  };
}

const aggregationLabelOf = (role: string): string => `rbac.authorization.k8s.io/aggregate-to-${role}`;

function parseBinding(line: string): ApiObject {
  const [name = '', ...words] = line.split(' ');
  const wordAfter = (word: string): string | undefined => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined);
  const subjects = words.filter((word) => word.includes(':') && word !== wordAfter('of')).map(parseSubject);
  return createBinding(name, wordAfter('in'), wordAfter('of') ?? name, subjects);
}

function parseSubject(word: string): object {
  const [kind = '', ...rest] = word.split(':');
  if (kind !== 'serviceaccount') return { kind: kind === 'user' ? 'User' : 'Group', apiGroup, name: rest.join(':') };
  const [namespace, name] = (rest[0] as string).split('/');
  return { kind: 'ServiceAccount', name, namespace };
}

/** Each controller has a service account with the name of its role. */
function createControllerBinding({ metadata: { name = '' } }: ApiObject): ApiObject {
  const account = name.slice('system:controller:'.length);
  return createBinding(name, undefined, name, [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }]);
}

function createBinding(name: string, namespace: string | undefined, role: string, subjects: readonly object[]): ApiObject {
  return {
    ...createObject(namespace === undefined ? 'clusterRoleBindings' : 'roleBindings', name, namespace),
    ...(subjects.length > 0 && { subjects }),
    roleRef: { apiGroup, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: role },
  };
}

const apiGroup = 'rbac.authorization.k8s.io';

function createObject(
  resource: keyof typeof roleResources,
  name: string,
  namespace: string | undefined,
  labels: Readonly<Record<string, string>> = {},
): ApiObject {
  const { group, version, kind } = roleResources[resource];
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
  };
}
