import { apply, createNamespace, get, jsonPatch, mergePatch, post, put, remove, type Topic } from '../compare/step.ts';
import {
  as,
  clusterRole,
  clusterRoleBinding,
  groupSubject,
  onceAllowed,
  RBAC,
  role,
  roleBinding,
  rolePath,
  rule,
  userSubject,
} from './rbac-objects.ts';

const NAMESPACE = 'a-esc';
const GROUPS = ['rbac.authorization.k8s.io'];
const ALL_ROLES = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
const writes = ['create', 'get', 'update', 'patch', 'delete'];
const roles = rolePath(NAMESPACE, 'roles');
const bindings = rolePath(NAMESPACE, 'rolebindings');
const clusterRoles = `${RBAC}/clusterroles`;
const clusterBindings = `${RBAC}/clusterrolebindings`;

export const escalation: Topic = {
  name: 'privilege escalation',
  steps: [
    createNamespace(NAMESPACE),
    // Alice may write roles and read pods, in the namespace also secrets. Bob may bind one role, Carol may escalate.
    post(
      clusterRoles,
      clusterRole('e-write', [
        rule(writes, ALL_ROLES, GROUPS),
        rule(['get', 'list'], ['pods', 'pods/log', '*/scale']),
        { verbs: ['get'], nonResourceURLs: ['/logs/*'] },
      ]),
    ),
    post(clusterRoles, clusterRole('e-secrets', [rule(['*'], ['secrets'])])),
    post(
      clusterRoles,
      clusterRole('e-bind', [
        rule(writes, ALL_ROLES, GROUPS),
        { ...rule(['bind'], ['clusterroles'], GROUPS), resourceNames: ['e-secrets', 'e-missing'] },
      ]),
    ),
    post(clusterRoles, clusterRole('e-escalate', [rule([...writes, 'escalate'], ALL_ROLES, GROUPS)])),
    post(bindings, roleBinding('e-secrets', 'e-secrets', [userSubject('alice')], { kind: 'ClusterRole' })),
    post(clusterBindings, clusterRoleBinding('e-bind', 'e-bind', [userSubject('bob')])),
    post(clusterBindings, clusterRoleBinding('e-escalate', 'e-escalate', [userSubject('carol')])),
    post(clusterBindings, clusterRoleBinding('e-write', 'e-write', [groupSubject('dev')])),
    ...(['alice', 'bob', 'carol'] as const).map((user) => onceAllowed(as(user, get(`${clusterRoles}/e-write`)))),
    // Roles with permissions that their writer has, or lacks.
    ...[
      post(clusterRoles, clusterRole('e-held', [rule(['get'], ['pods'])])),
      post(clusterRoles, clusterRole('e-more', [rule(['get', 'delete', 'watch'], ['pods', 'services', 'pods/log'])])),
      post(clusterRoles, clusterRole('e-all', [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }])),
      post(clusterRoles, clusterRole('e-url', [{ verbs: ['get'], nonResourceURLs: ['/logs/a', '/logs/b/*'] }])),
      post(clusterRoles, clusterRole('e-url2', [{ verbs: ['get', 'post'], nonResourceURLs: ['/logs', '/logs/a'] }])),
      post(clusterRoles, clusterRole('e-scale', [rule(['get'], ['deployments/scale', 'things/scale/more'])])),
      post(clusterRoles, clusterRole('e-secret', [rule(['get'], ['secrets'])])),
      post(roles, role('e-secret', [rule(['get'], ['secrets'])])),
      post(roles, role('e-named', [{ ...rule(['get'], ['pods', 'nodes']), resourceNames: ['a', 'b'] }])),
      post(roles, role('e-empty', [])),
      post(clusterRoles, clusterRole('e-sum', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } })),
      put(`${clusterRoles}/e-held`, clusterRole('e-held', [rule(['*'], ['pods'])])),
      put(`${clusterRoles}/e-new`, clusterRole('e-new', [rule(['*'], ['pods'])])),
      mergePatch(`${clusterRoles}/e-held`, { rules: [rule(['create'], ['pods'])] }),
      jsonPatch(`${clusterRoles}/e-held`, [{ op: 'add', path: '/rules/-', value: rule(['list'], ['pods']) }]),
      apply(`${clusterRoles}/e-held?fieldManager=m&force=true`, clusterRole('e-held', [rule(['patch'], ['pods'])])),
      apply(`${clusterRoles}/e-applied?fieldManager=m`, clusterRole('e-applied', [rule(['list'], ['pods'])])),
      post(`${clusterRoles}?dryRun=All`, clusterRole('e-dry', [rule(['delete'], ['pods'])])),
      // Invalid roles: the permissions are checked first.
      post(clusterRoles, clusterRole('e-invalid', [{ verbs: ['get'] }])),
      post(clusterRoles, clusterRole('e-invalid', [rule(['get'], ['nodes']), {}])),
      // Metadata of a role that grants more.
      mergePatch(`${clusterRoles}/e-escalate`, { metadata: { labels: { a: 'b' } } }),
      mergePatch(`${clusterRoles}/e-escalate`, { metadata: { finalizers: ['example.com/a'] } }),
      mergePatch(`${clusterRoles}/e-escalate`, { metadata: { finalizers: null } }),
      mergePatch(`${clusterRoles}/e-escalate`, {}),
    ].map((step) => as('alice', step)),
    ...[
      post(clusterRoles, clusterRole('e-all', [rule(['*'], ['*'], ['*'])])),
      mergePatch(`${clusterRoles}/e-all`, { rules: [rule(['get'], ['*'], ['*'])] }),
      post(clusterRoles, clusterRole('e-sum', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } })),
      post(clusterBindings, clusterRoleBinding('e-no', 'e-all', [userSubject('bob')])),
    ].map((step) => as('carol', step)),
    // Bindings of roles whose permissions their writer has or lacks, or which it may bind.
    ...(['alice', 'bob'] as const).flatMap((user) =>
      [
        post(clusterBindings, clusterRoleBinding(`e-${user}-held`, 'e-held', [userSubject('bob')])),
        post(clusterBindings, clusterRoleBinding(`e-${user}-secrets`, 'e-secrets', [userSubject('x')])),
        post(bindings, roleBinding(`e-${user}-secrets`, 'e-secrets', [userSubject('x')], { kind: 'ClusterRole' })),
        post(bindings, roleBinding(`e-${user}-role`, 'e-secret', [userSubject('x')])),
        post(bindings, roleBinding(`e-${user}-gone`, 'e-gone', [userSubject('x')])),
        post(bindings, roleBinding(`e-${user}-missing`, 'e-missing', [userSubject('x')], { kind: 'ClusterRole' })),
        post(clusterBindings, clusterRoleBinding(`e-${user}-admin`, 'cluster-admin', [userSubject(user)])),
        post(bindings, roleBinding(`e-${user}-kind`, 'e-held', [userSubject('x')], { kind: 'Robot' })),
        post(bindings, roleBinding(`e-${user}-invalid`, 'e-held', [{ kind: 'Robot', name: 'x' }], { kind: 'ClusterRole' })),
        mergePatch(`${clusterBindings}/e-escalate`, { subjects: [userSubject('carol'), userSubject(user)] }),
        mergePatch(`${clusterBindings}/e-escalate`, { metadata: { finalizers: ['example.com/a'] } }),
        mergePatch(`${clusterBindings}/e-escalate`, { metadata: { finalizers: null } }),
        put(`${bindings}/e-${user}-put`, roleBinding(`e-${user}-put`, 'e-secrets', [userSubject('x')], { kind: 'ClusterRole' })),
        apply(`${bindings}/e-${user}-applied?fieldManager=m`, roleBinding(`e-${user}-applied`, 'e-secret', [userSubject('x')])),
        remove(`${clusterBindings}/e-nothing`),
      ].map((step) => as(user, step)),
    ),
    // A missing role of the writer itself is reported, too.
    post(clusterBindings, clusterRoleBinding('e-broken', 'e-broken', [userSubject('alice')])),
    as(
      'alice',
      post(clusterRoles, clusterRole('e-more2', [rule(['delete'], ['pods'])]), {
        until: ({ body }) => JSON.stringify(body).includes('resolution errors'),
      }),
    ),
    ...['e-broken', 'e-write', 'e-bind', 'e-escalate'].map((name) =>
      remove(`${clusterBindings}/${name}`, undefined, { view: () => undefined }),
    ),
  ],
};
