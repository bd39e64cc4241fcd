import { expect, test } from 'vitest';
import { groupDiscoveryList } from '../../src/discovery/aggregated.ts';
import { groupVersionsOf } from '../../src/discovery/groups.ts';
import { builtInResources } from '../../src/registry/catalog.ts';
import { widgets } from './support.ts';

const versionsOf = (group: string, resources = builtInResources()) => groupVersionsOf(resources).filter((each) => each.group === group);

// What a kube-apiserver 1.36.3 answered, text by text.
test('a built-in group is told as the API server tells it', () => {
  expect(JSON.stringify(groupDiscoveryList([versionsOf('events.k8s.io')]))).toBe(
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{"name":"events.k8s.io"},"versions":[{"version":"v1","resources":[{"resource":"events","responseKind":{"group":"","version":"","kind":"Event"},"scope":"Namespaced","singularResource":"event","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["ev"]}],"freshness":"Current"}]}]}',
  );
});

test('a custom resource is told with the group and version of its kind', () => {
  const list = groupDiscoveryList([versionsOf('example.com', [widgets('v1'), widgets('v1beta1')])]);
  const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
  const widget = (version: string): object => ({
    resource: 'widgets',
    responseKind: { group: 'example.com', version, kind: 'Widget' },
    scope: 'Namespaced',
    singularResource: 'widget',
    verbs,
    shortNames: ['wd'],
    categories: ['all'],
    subresources: [
      { subresource: 'status', responseKind: { group: 'example.com', version, kind: 'Widget' }, verbs: ['get', 'patch', 'update'] },
      { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
    ],
  });
  expect(list['items']).toEqual([
    {
      metadata: { name: 'example.com' },
      versions: [
        { version: 'v1', resources: [widget('v1')], freshness: 'Current' },
        { version: 'v1beta1', resources: [widget('v1beta1')], freshness: 'Current' },
      ],
    },
  ]);
});

test('the core group has no name; what a subresource takes from elsewhere has its group', () => {
  const [core] = groupDiscoveryList([versionsOf('')])['items'] as { metadata: object; versions: { resources: { resource: string }[] }[] }[];
  expect(core?.metadata).toEqual({});
  expect(core?.versions[0]?.resources.find(({ resource }) => resource === 'pods')).toMatchObject({
    categories: ['all'],
    subresources: expect.arrayContaining([
      { subresource: 'binding', responseKind: { group: '', version: '', kind: 'Binding' }, verbs: ['create'] },
      { subresource: 'eviction', responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
    ]),
  });
  expect(core?.versions[0]?.resources.find(({ resource }) => resource === 'nodes')).toMatchObject({ scope: 'Cluster' });
});
