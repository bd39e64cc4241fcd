import { describe, expect, it } from 'vitest';
import { type AccessRule, allowAll, createImpersonator, createRbacAuthorizer, readImpersonation } from '../../src/authorization/index.ts';
import { bindAlice, clusterRole, listPods, lookupIn } from './support.ts';

describe('readImpersonation', () => {
  it('reads the user, groups, uid and extra values', () => {
    expect(readImpersonation({ accept: ['*/*'] })).toBeUndefined();
    expect(readImpersonation({ 'impersonate-user': ['bob'] })).toStrictEqual({ username: 'bob', groups: [] });
    expect(
      readImpersonation({
        'impersonate-user': ['bob'],
        'impersonate-group': ['a', 'b,c'],
        'impersonate-uid': ['u1'],
        'impersonate-extra-example.com%2fteam': ['blue', 'red'],
        'impersonate-extra-%zz': ['x'],
        'impersonate-extra-__proto__': ['y'],
      }),
    ).toStrictEqual({
      username: 'bob',
      groups: ['a', 'b,c'],
      uid: 'u1',
      extra: Object.fromEntries([
        ['example.com/team', ['blue', 'red']],
        ['%zz', ['x']],
        ['__proto__', ['y']],
      ]),
    });
  });

  it.each([
    [{ 'impersonate-group': ['a'] }, 'Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)'],
    [
      { 'impersonate-uid': ['u'], 'impersonate-extra-b': ['1'], 'impersonate-extra-a': ['2', '3'] },
      'Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"2", "3"}, "b":[]string{"1"}}',
    ],
  ])('refuses %j without a user', (headers, printed) => {
    expect(() => readImpersonation(headers)).toThrow(`requested &user.DefaultInfo{${printed}} without impersonating a user name`);
  });
});

describe('createImpersonator', () => {
  const impersonateWith = (...rules: readonly AccessRule[]) =>
    createImpersonator(createRbacAuthorizer(lookupIn({ roles: [clusterRole('act', ...rules)], bindings: [bindAlice('act')] })));
  const bob = { username: 'bob', groups: [] };
  const legacy: AccessRule = { verbs: ['impersonate'], apiGroups: ['', 'authentication.k8s.io'], resources: ['*'] };

  it('adds the groups of the user', () => {
    const groupsOf = (username: string, groups: readonly string[] = []): readonly string[] =>
      createImpersonator(allowAll)({ username, groups }, listPods).groups;
    expect(groupsOf('bob')).toStrictEqual(['system:authenticated']);
    expect(groupsOf('bob', ['ops', 'system:authenticated'])).toStrictEqual(['ops', 'system:authenticated']);
    expect(groupsOf('bob', ['system:unauthenticated'])).toStrictEqual(['system:unauthenticated']);
    expect(groupsOf('bob', ['system:masters'])).toStrictEqual(['system:masters', 'system:authenticated']);
    expect(groupsOf('system:anonymous')).toStrictEqual(['system:unauthenticated']);
    expect(groupsOf('system:node:n1')).toStrictEqual(['system:nodes', 'system:authenticated']);
    expect(groupsOf('system:serviceaccount:shop:cart')).toStrictEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:shop',
      'system:authenticated',
    ]);
    expect(groupsOf('system:serviceaccount:shop:cart', ['ops'])).toStrictEqual(['ops', 'system:authenticated']);
  });

  it('reports the error of the first mode that applies', () => {
    expect(() => impersonateWith()(bob, listPods)).toThrow(
      'pods is forbidden: User "alice" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "default"',
    );
    expect(() => impersonateWith()({ username: 'system:node:n1', groups: [] }, listPods)).toThrow('impersonate-on:arbitrary-node:list');
  });

  it('reports the error of the mode that succeeded before, if there is one', () => {
    const impersonate = impersonateWith({ ...legacy, resourceNames: ['bob'] });
    expect(impersonate(bob, listPods).username).toBe('bob');
    expect(() => impersonate({ username: 'carol', groups: [] }, listPods)).toThrow(
      'users "carol" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  it('checks each part of the wanted user', () => {
    const wanted = { username: 'bob', groups: ['ops'], uid: 'u1', extra: { team: ['blue'] } };
    expect(impersonateWith(legacy)(wanted, listPods)).toStrictEqual({ ...wanted, groups: ['ops', 'system:authenticated'] });
    for (const resources of [['users'], ['users', 'uids'], ['users', 'uids', 'groups']])
      expect(() => impersonateWith({ ...legacy, resources })(wanted, listPods)).toThrow(/forbidden/);
    expect(impersonateWith({ ...legacy, resources: ['users', 'uids', 'groups', 'userextras/team'] })(wanted, listPods).uid).toBe('u1');
  });

  it('allows certain requests only, as users other than nodes, service accounts and system:masters', () => {
    const impersonate = impersonateWith(
      { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['impersonate:user-info'], apiGroups: ['authentication.k8s.io'], resources: ['*'] },
    );
    expect(impersonate(bob, listPods).username).toBe('bob');
    expect(() => impersonate(bob, { ...listPods, verb: 'get' })).toThrow('impersonate-on:user-info:get');
    expect(() => impersonate({ ...bob, groups: ['system:masters'] }, listPods)).toThrow(
      'impersonating the system:masters group is not allowed',
    );
    expect(() => impersonate({ username: 'system:serviceaccount:shop:cart', groups: [] }, listPods)).toThrow(
      'impersonate-on:serviceaccount:list',
    );
  });
});
