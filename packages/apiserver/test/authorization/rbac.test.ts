import { describe, expect, it } from 'vitest';
import { type AccessAttributes, allowAll, createForbiddenError, createRbacAuthorizer } from '../../src/authorization/index.ts';
import { alice, bindAlice, clusterRole, listPods, lookupIn } from './support.ts';

const readPods = clusterRole('read', { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log', '*/scale'] });

describe('the authorizer of RBAC', () => {
  it('allows what a rule of a bound role allows, and says which binding does', () => {
    const { authorize } = createRbacAuthorizer(lookupIn({ roles: [readPods], bindings: [bindAlice('read', 'default')] }));
    expect(authorize(listPods)).toStrictEqual({
      isAllowed: true,
      reason: 'RBAC: allowed by RoleBinding "alice-read/default" of ClusterRole "read" to User "alice"',
    });
    expect(authorize({ ...listPods, namespace: 'other' })).toStrictEqual({ isAllowed: false, reason: '' });
    expect(authorize({ ...listPods, user: { username: 'bob', groups: [] } }).isAllowed).toBe(false);
  });

  it.each<[Partial<AccessAttributes>, boolean]>([
    [{ subresource: 'log' }, true],
    [{ subresource: 'exec' }, false],
    [{ resource: 'deployments', subresource: 'scale' }, true],
    [{ resource: 'deployments', group: 'apps', subresource: 'scale' }, false],
    [{ verb: 'watch' }, false],
    [{ resource: 'pods/log' }, true],
    [{ name: 'web-1' }, true],
  ])('matches verbs, groups and resources with subresources: %j is allowed: %s', (change, isAllowed) => {
    const { authorize } = createRbacAuthorizer(lookupIn({ roles: [readPods], bindings: [bindAlice('read')] }));
    expect(authorize({ ...listPods, ...change }).isAllowed).toBe(isAllowed);
  });

  it('matches names, and paths with a final asterisk', () => {
    const role = clusterRole(
      'one',
      { verbs: ['get'], apiGroups: ['*'], resources: ['*'], resourceNames: ['web-1'] },
      {
        verbs: ['*'],
        nonResourceURLs: ['/healthz', '/logs/*'],
      },
    );
    const { authorize } = createRbacAuthorizer(lookupIn({ roles: [role], bindings: [bindAlice('one')] }));
    const get = { ...listPods, verb: 'get' };
    expect([{ ...get, name: 'web-1' }, { ...get, name: 'web-2' }, get].map((each) => authorize(each).isAllowed)).toStrictEqual([
      true,
      false,
      false,
    ]);
    const paths = ['/healthz', '/healthz/etcd', '/logs/', '/logs/a', '/logs'];
    expect(paths.map((path) => authorize({ user: alice, verb: 'get', path }).isAllowed)).toStrictEqual([true, false, true, true, false]);
  });

  it('allows everything to system:masters, without a reason', () => {
    const { authorize } = createRbacAuthorizer(lookupIn({}));
    expect(authorize({ ...listPods, user: { username: 'root', groups: ['system:masters'] } })).toStrictEqual({
      isAllowed: true,
      reason: '',
    });
  });

  it('reports bindings of missing roles with a denial', () => {
    const bindings = [
      bindAlice('gone'),
      bindAlice('gone', 'default'),
      { ...bindAlice('x', 'default'), roleRef: { kind: 'Role', name: 'x' } },
    ];
    const { authorize, listRules } = createRbacAuthorizer(lookupIn({ bindings }));
    const problem = '[clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "x" not found]';
    expect(authorize(listPods)).toStrictEqual({ isAllowed: false, reason: `RBAC: ${problem}` });
    expect(listRules(alice, 'default')).toStrictEqual({ rules: [], isIncomplete: false, problem });
  });

  it('resolves a service account without a namespace in the namespace of the RoleBinding only', () => {
    const subjects = [{ kind: 'ServiceAccount', name: 'cart' }];
    const bindings = [
      { ...bindAlice('read', 'default'), subjects },
      { ...bindAlice('read'), subjects },
    ];
    const { authorize } = createRbacAuthorizer(lookupIn({ roles: [readPods], bindings }));
    const isAllowed = (username: string, namespace: string): boolean =>
      authorize({ ...listPods, user: { username, groups: [] }, namespace }).isAllowed;
    expect(isAllowed('system:serviceaccount:default:cart', 'default')).toBe(true);
    expect(isAllowed('system:serviceaccount:default:cart', 'other')).toBe(false);
    expect(isAllowed('system:serviceaccount:other:cart', 'default')).toBe(false);
  });

  it('survives objects without rules and subjects', () => {
    const { authorize } = createRbacAuthorizer(
      lookupIn({
        roles: [{ metadata: { name: 'empty' }, rules: null }],
        bindings: [bindAlice('empty'), { ...bindAlice('empty'), subjects: null }],
      }),
    );
    expect(authorize(listPods).isAllowed).toBe(false);
  });
});

describe('createForbiddenError', () => {
  it.each<[AccessAttributes, string, object]>([
    [listPods, 'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "default"', { kind: 'pods' }],
    [
      { user: alice, verb: 'get', resource: 'deployments', group: 'apps', subresource: 'scale', name: 'web' },
      'deployments.apps "web" is forbidden: User "alice" cannot get resource "deployments/scale" in API group "apps" at the cluster scope',
      { name: 'web', group: 'apps', kind: 'deployments' },
    ],
    [
      { user: { username: 'a"<b>&', groups: [] }, verb: 'get', path: '/x' },
      'forbidden: User "a\\"&lt;b&gt;&amp;" cannot get path "/x"',
      {},
    ],
  ])('words the message as kube-apiserver: %j', (attributes, message, details) => {
    const { status } = createForbiddenError(attributes, '');
    expect(status).toMatchObject({ code: 403, reason: 'Forbidden', message });
    expect(status.details).toStrictEqual(details);
  });

  it('appends the reason', () => {
    expect(createForbiddenError(listPods, 'RBAC: x').status.message).toMatch(/ in the namespace "default": RBAC: x$/);
  });
});

describe('allowAll', () => {
  it('allows every request and lists all rules', () => {
    expect(allowAll.authorize(listPods)).toStrictEqual({ isAllowed: true, reason: '' });
    expect(allowAll.listRules(alice, 'default').rules).toStrictEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
  });
});
