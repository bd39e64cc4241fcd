import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groupByVersion, listDiscoveryResources } from '../../src/discovery/groups.ts';
import { createApiGroup, createApiGroupList, createApiResourceList, createApiVersions } from '../../src/discovery/plain.ts';
import { builtInResources, createCatalog, everyVerb } from '../../src/registry/catalog.ts';
import { createCustomResource, createWidgetResource } from './support.ts';

type List = {
  readonly groupVersion: string;
  readonly resources: readonly { readonly name: string; readonly storageVersionHash?: string }[];
};

const listResources = (group: string, version: string, resources = listDiscoveryResources(createCatalog(builtInResources()))): List => {
  const groupVersion = groupByVersion(resources).find((each) => each.group === group && each.version === version);
  if (!groupVersion) throw new Error(`no ${group}/${version}`);
  return createApiResourceList(groupVersion) as List;
};

const findByName = (list: List, name: string): unknown => list.resources.find((each) => each.name === name);

// The exact answers of kube-apiserver 1.36.3.
test('an APIResourceList is byte for byte that of kube-apiserver', () => {
  expect(JSON.stringify(listResources('discovery.k8s.io', 'v1'))).toBe(
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"discovery.k8s.io/v1","resources":[{"name":"endpointslices","singularName":"endpointslice","namespaced":true,"kind":"EndpointSlice","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"storageVersionHash":"qgS0xkrxYAI="}]}',
  );
});

test('a custom resource lists its verbs in its own order, and scale after status', () => {
  expect(JSON.stringify(listResources('example.com', 'v1beta1', [createWidgetResource('v1'), createWidgetResource('v1beta1')]))).toBe(
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1beta1","resources":[{"name":"widgets","singularName":"widget","namespaced":true,"kind":"Widget","verbs":["delete","deletecollection","get","list","patch","create","update","watch"],"shortNames":["wd"],"categories":["all"],"storageVersionHash":"gIwvi5rymmg="},{"name":"widgets/status","singularName":"","namespaced":true,"kind":"Widget","verbs":["get","patch","update"]},{"name":"widgets/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}]}',
  );
});

/** One resource per line, with its group version: api/discovery of Kubernetes 1.36.3. */
const published = readFileSync(join(import.meta.dirname, 'resources.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly groupVersion: string; readonly name: string });

/** Resources that are not served yet; CustomResourceDefinitions are added with custom resources. */
const unserved = new Set(['apiextensions.k8s.io/v1/customresourcedefinitions', 'apiextensions.k8s.io/v1/customresourcedefinitions/status']);

test.each(published.filter(({ groupVersion, name }) => !unserved.has(`${groupVersion}/${name}`)))(
  '$name of $groupVersion is published as by kube-apiserver',
  ({ groupVersion, ...expected }) => {
    const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
    expect(listResources(group, version).resources.find(({ name }) => name === expected.name)).toStrictEqual(expected);
  },
);

test('every served resource is published by kube-apiserver, and none of the unserved ones is served', () => {
  const servedNames = groupByVersion(listDiscoveryResources(createCatalog(builtInResources()))).flatMap((groupVersion) => {
    const { groupVersion: name, resources } = createApiResourceList(groupVersion) as List;
    return resources.map((each) => `${name}/${each.name}`);
  });
  const publishedNames = published.map(({ groupVersion, name }) => `${groupVersion}/${name}`);
  expect(servedNames.filter((name) => !publishedNames.includes(name))).toStrictEqual([]);
  expect(publishedNames.filter((name) => !servedNames.includes(name)).sort()).toStrictEqual([...unserved].sort());
});

test('Events of events.k8s.io have the storage version hash of core Events', () => {
  expect(findByName(listResources('events.k8s.io', 'v1'), 'events')).toMatchObject({
    shortNames: ['ev'],
    storageVersionHash: 'r2yiGXH7wu8=',
  });
});

test('the list of the core group has no apiVersion', () => {
  expect(Object.keys(listResources('', 'v1'))).toEqual(['kind', 'groupVersion', 'resources']);
});

test('subresources follow their resource, with group and version if their kind is of another group', () => {
  const list = listResources('', 'v1');
  expect(list.resources.map(({ name }) => name).filter((name) => /^(pods|namespaces)\b/.test(name))).toEqual(
    expect.arrayContaining([
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'pods',
      'pods/binding',
      'pods/eviction',
      'pods/status',
    ]),
  );
  expect(findByName(list, 'pods/eviction')).toEqual({
    name: 'pods/eviction',
    singularName: '',
    namespaced: true,
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    verbs: ['create'],
  });
  expect(findByName(list, 'pods/binding')).toEqual({
    name: 'pods/binding',
    singularName: '',
    namespaced: true,
    kind: 'Binding',
    verbs: ['create'],
  });
  expect(findByName(list, 'namespaces')).toMatchObject({ verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] });
});

test('a custom resource that is being deleted has fewer verbs', () => {
  const terminatingResource = createWidgetResource('v1', {
    verbs: everyVerb.filter((verb) => !['create', 'patch', 'update'].includes(verb)),
  });
  expect(findByName(listResources('example.com', 'v1', [terminatingResource]), 'widgets')).toMatchObject({
    verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'],
  });
});

test('a group prefers its first version', () => {
  const versions = groupByVersion([createWidgetResource('v2alpha1'), createWidgetResource('v1')]);
  expect(createApiGroup(versions)).toEqual({
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'example.com',
    versions: [
      { groupVersion: 'example.com/v1', version: 'v1' },
      { groupVersion: 'example.com/v2alpha1', version: 'v2alpha1' },
    ],
    preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
  });
});

test('an APIGroupList has its groups without kind and apiVersion', () => {
  const versions = groupByVersion([createCustomResource('a.example.com', 'v1', 'things', 'Thing')]);
  expect(createApiGroupList([versions])).toEqual({
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'a.example.com',
        versions: [{ groupVersion: 'a.example.com/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'a.example.com/v1', version: 'v1' },
      },
    ],
  });
});

test('the versions of the core group are listed with the server address', () => {
  expect(JSON.stringify(createApiVersions('192.0.2.2:6443', ['v1']))).toBe(
    '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"192.0.2.2:6443"}]}',
  );
});
