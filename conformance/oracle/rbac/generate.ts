import type { AccessAttributes, AccessRule, Role, RoleBinding, Subject } from '../../../packages/apiserver/src/authorization/index.ts';
import type { User } from '../../../packages/apiserver/src/registry/index.ts';
import { createRandom, type Random } from '../random.ts';
import type { RbacCase } from './case.ts';

const requestsPerCase = 20;

/** Generates random cases, deterministic for a seed: roles and bindings from small vocabularies, so that many requests are allowed. */
export function* generateRbac(seed: number, count: number, from = 0): Generator<RbacCase> {
  for (let number = from; number < from + count; number++) yield makeCase(createRandom(seed, number, 23), `${seed}-rbac-${number}`);
}

function makeCase(random: Random, id: string): RbacCase {
  const roleNames = ['a', 'b', 'c'];
  const makeRole = (namespace: string | undefined, name: string): Role => ({
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    ...random.maybe(0.95, () => ({ rules: makeList(random.int(4), () => makeRule(random)) })),
  });
  const roles = namespaces.flatMap((namespace) => roleNames.filter(() => random.chance(0.8)).map((name) => makeRole(namespace, name)));
  const clusterRoles = roleNames.filter(() => random.chance(0.85)).map((name) => makeRole(undefined, name));
  const rules = [...roles, ...clusterRoles].flatMap((role) => role.rules ?? []);
  return {
    id,
    roles,
    clusterRoles,
    roleBindings: namespaces.flatMap((namespace) => makeList(random.int(5), (i) => makeBinding(random, `rb${i}`, namespace))),
    clusterRoleBindings: makeList(random.int(5), (i) => makeBinding(random, `crb${i}`)),
    requests: makeList(requestsPerCase, () => makeRequest(random, makeUser(random), rules)),
    grants: makeList(3, () => ({
      user: makeUser(random),
      namespace: random.pick(['', ...namespaces]),
      rules: makeList(1 + random.int(2), () => (rules.length > 0 && random.chance(0.6) ? random.pick(rules) : makeRule(random))),
    })),
    impersonations: makeList(4, () => makeImpersonation(random, rules)),
  };
}

const makeList = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

const namespaces = ['default', 'shop'];
const groups = ['', 'apps', 'authentication.k8s.io', 'rbac.authorization.k8s.io'];
const resources = ['pods', 'deployments', 'nodes', 'users', 'groups', 'serviceaccounts', 'userextras', 'uids'];
const subresources = ['log', 'scale', 'status', 'example.com/team'];
const names = ['x', 'y', 'cart', 'n1', 'system:masters'];
const paths = ['/healthz', '/healthz/etcd', '/api', '/api/v1', '/', '/metrics', '/version/'];
const userNames = [
  'alice',
  'bob',
  'we<i>rd & "co"',
  'system:serviceaccount:shop:cart',
  'system:serviceaccount:default:cart',
  'system:node:n1',
];
const userGroups = ['dev', 'ops', 'system:authenticated', 'system:masters', 'system:serviceaccounts:shop'];
const requestVerbs = ['get', 'list', 'watch', 'create', 'delete', 'escalate', 'bind', 'impersonate'];
const impersonationModes = ['associated-node', 'arbitrary-node', 'serviceaccount', 'user-info'];
const impersonationVerbs = [
  'impersonate',
  ...impersonationModes.flatMap((mode) => [`impersonate:${mode}`, `impersonate-on:${mode}:get`, `impersonate-on:${mode}:list`]),
];
const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** Up to `max` distinct values. */
const pickSome = <T>(random: Random, list: readonly T[], max: number): T[] => random.shuffle(list).slice(0, random.int(max + 1));

function makeRule(random: Random): AccessRule {
  const isForPaths = random.chance(0.2);
  const verbs = random.pick([['*'], pickSome(random, requestVerbs, 4), pickSome(random, impersonationVerbs, 12)]);
  if (isForPaths) return { verbs, nonResourceURLs: pickSome(random, [...paths, '*', '/healthz/*', '/a**', '/api/*'], 3) };
  const ruleResources = resources.flatMap((resource) => [resource, ...subresources.map((each) => `${resource}/${each}`)]);
  return {
    verbs,
    apiGroups: random.pick([['*'], ['', 'authentication.k8s.io'], pickSome(random, groups, 3)]),
    resources: random.pick([['*'], ['*/scale', '*/log'], ['*/example.com/team'], resources, pickSome(random, ruleResources, 6)]),
    ...random.maybe(0.3, () => ({ resourceNames: pickSome(random, [...names, '*', 'alice'], 3) })),
  };
}

function makeBinding(random: Random, name: string, namespace?: string): RoleBinding {
  return {
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    ...random.maybe(0.95, () => ({ subjects: makeList(random.int(9), () => makeSubject(random)) })),
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: namespace !== undefined && random.chance(0.5) ? 'Role' : random.chance(0.97) ? 'ClusterRole' : 'Rôle',
      name: random.chance(0.85) ? random.pick(['a', 'b', 'c']) : random.pick(['missing', 'm"issing']),
    },
  };
}

function makeSubject(random: Random): Subject {
  const kind = random.pick(['User', 'Group', 'ServiceAccount', 'User', 'Group', 'Robot']);
  if (kind === 'ServiceAccount') {
    const namespace = random.pick([undefined, '', ...namespaces]);
    return { kind, name: random.pick(['cart', 'other']), ...(namespace !== undefined && { namespace }) };
  }
  return { kind, name: random.pick(kind === 'Group' ? userGroups : userNames) };
}

function makeUser(random: Random): User {
  const username = random.pick(userNames);
  const isServiceAccount = username.startsWith('system:serviceaccount');
  return {
    username,
    groups: pickSome(random, userGroups, 2).filter((group) => group !== 'system:masters' || random.chance(0.2)),
    ...random.maybe(isServiceAccount ? 0.8 : 0.2, () => ({ extra: { [nodeNameKey]: [random.pick(['n1', 'n2'])] } })),
  };
}

/** Makes a request of which many parts occur in one of the rules. */
function makeRequest(random: Random, user: User, rules: readonly AccessRule[]): AccessAttributes {
  const rule = rules.length > 0 && random.chance(0.7) ? random.pick(rules) : makeRule(random);
  const pickFrom = (list: readonly string[] | undefined, others: readonly string[]): string =>
    list && list.length > 0 && random.chance(0.85) ? random.pick(list).replaceAll('*', () => random.pick(others)) : random.pick(others);
  const verb = pickFrom(rule.verbs, requestVerbs);
  if (rule.nonResourceURLs) return { user, verb, path: pickFrom(rule.nonResourceURLs, paths) };
  const namespace = random.pick(['', ...namespaces, 'else"where']);
  const [resource = '', ...rest] = random.chance(0.02) ? [''] : pickFrom(rule.resources, resources).split('/');
  const subresource = rest.length > 0 ? rest.join('/') : random.maybe(0.15, () => random.pick(subresources));
  return {
    user,
    verb,
    resource,
    group: pickFrom(rule.apiGroups, groups),
    version: 'v1',
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== '' && { namespace }),
    ...random.maybe(0.6, () => ({ name: pickFrom(rule.resourceNames, names) })),
  };
}

function makeImpersonation(random: Random, rules: readonly AccessRule[]): RbacCase['impersonations'][number] {
  const wanted = random.pick([...userNames, 'system:anonymous', 'system:node:n2', 'system:node:UPPER', 'system:serviceaccount:shop', '']);
  const verb = random.pick(['get', 'list']);
  return {
    request: { ...makeRequest(random, makeUser(random), rules), verb },
    headers: {
      ...(wanted !== '' && { 'impersonate-user': [wanted] }),
      ...random.maybe(0.25, () => ({
        'impersonate-group': pickSome(random, [...userGroups, 'system:unauthenticated', '', 'g1', 'g2', 'g3'], 5).filter(
          (group) => group !== 'system:masters' || random.chance(0.5),
        ),
      })),
      ...random.maybe(0.15, () => ({ 'impersonate-uid': ['u1'] })),
      // Go iterates over several keys in random order.
      ...random.maybe(0.2, () => ({
        [`impersonate-extra-${random.pick(['example.com%2fteam', 'team', '%41b.c%2fteam', 'a_b%2fc', '%zz', '%2f'])}`]: [
          random.pick(['blue', 'red', '']),
          ...pickSome(random, ['x', 'y', 'z', 'w'], 4),
        ],
      })),
    },
  };
}
