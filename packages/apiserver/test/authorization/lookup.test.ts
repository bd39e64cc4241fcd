import { expect, test } from 'vitest';
import { createRoleLookup, roleResources } from '../../src/authorization/index.ts';
import { createStore } from '../../src/store/index.ts';
import { bindAlice, clusterRole } from './support.ts';

test('finds roles, and lists the bindings of a namespace or of the cluster as they are now', () => {
  const store = createStore();
  const lookup = createRoleLookup(store);
  const namesIn = (namespace: string | undefined): readonly unknown[] =>
    lookup.listBindings(namespace).map(({ metadata }) => metadata.name);
  expect([namesIn(undefined), namesIn('a'), lookup.findRole(undefined, 'read')]).toStrictEqual([[], [], undefined]);
  store.create(roleResources.clusterRoles, { name: 'read' }, clusterRole('read') as never);
  store.create(roleResources.clusterRoleBindings, { name: 'b1' }, bindAlice('read') as never);
  for (const namespace of ['a', 'b'])
    store.create(roleResources.roleBindings, { namespace, name: 'b2' }, bindAlice('read', namespace) as never);
  expect(lookup.findRole(undefined, 'read')?.metadata.name).toBe('read');
  expect(lookup.findRole('a', 'read')).toBeUndefined();
  expect([namesIn(undefined), namesIn('a'), namesIn('c')]).toStrictEqual([['alice-read'], ['alice-read'], []]);
  store.delete(roleResources.roleBindings, { namespace: 'a', name: 'b2' });
  expect([namesIn(undefined), namesIn('a'), namesIn('b')]).toStrictEqual([['alice-read'], [], ['alice-read']]);
});
