import { expect, test } from 'vitest';
import { createPaths } from '../../src/openapi/paths.ts';
import { builtInResources, type ServedResource } from '../../src/registry/catalog.ts';
import { createWidgetResource } from '../discovery/support.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>>; readonly required?: boolean };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> }>
  >;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>> & { readonly parameters: readonly { readonly name: string }[] }>>;

const findBuiltInResource = (plural: string): ServedResource => {
  const resource = builtInResources().find(({ resource }) => resource.plural === plural);
  if (!resource) throw new Error(`no ${plural}`);
  return resource;
};
const pathsFor = (servedResource: ServedResource): Paths =>
  createPaths(servedResource, {
    object: 'Object',
    list: 'List',
    subresource: ({ name }) => (name === 'status' ? 'Object' : `Sub-${name}`),
  }) as unknown as Paths;
const methodsOf = (servedResource: ServedResource): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(pathsFor(servedResource)).map(([path, item]) => [path, Object.keys(item).filter((key) => key !== 'parameters')]),
  );
const operationIdsOf = (servedResource: ServedResource): readonly string[] =>
  Object.values(pathsFor(servedResource)).flatMap(({ parameters: _, ...operations }) =>
    Object.values(operations as Record<string, Operation>).map((each) => each.operationId),
  );

test('a namespaced resource has paths with and without a namespace', () => {
  expect(methodsOf(findBuiltInResource('pods'))).toEqual({
    '/api/v1/namespaces/{namespace}/pods': ['get', 'post', 'delete'],
    '/api/v1/namespaces/{namespace}/pods/{name}': ['get', 'put', 'delete', 'patch'],
    '/api/v1/namespaces/{namespace}/pods/{name}/binding': ['post'],
    '/api/v1/namespaces/{namespace}/pods/{name}/ephemeralcontainers': ['get', 'patch', 'put'],
    '/api/v1/namespaces/{namespace}/pods/{name}/eviction': ['post'],
    '/api/v1/namespaces/{namespace}/pods/{name}/resize': ['get', 'patch', 'put'],
    '/api/v1/namespaces/{namespace}/pods/{name}/status': ['get', 'patch', 'put'],
    '/api/v1/pods': ['get'],
  });
});

test('a cluster-scoped resource has paths for its verbs only', () => {
  expect(methodsOf(findBuiltInResource('namespaces'))).toMatchObject({
    '/api/v1/namespaces': ['get', 'post'],
    '/api/v1/namespaces/{name}': ['get', 'put', 'delete', 'patch'],
    '/api/v1/namespaces/{name}/finalize': ['put'],
  });
});

test('operation ids equal those of kube-apiserver', () => {
  expect(operationIdsOf(findBuiltInResource('services'))).toEqual([
    'listCoreV1NamespacedService',
    'createCoreV1NamespacedService',
    'deleteCoreV1CollectionNamespacedService',
    'readCoreV1NamespacedService',
    'replaceCoreV1NamespacedService',
    'deleteCoreV1NamespacedService',
    'patchCoreV1NamespacedService',
    'readCoreV1NamespacedServiceStatus',
    'patchCoreV1NamespacedServiceStatus',
    'replaceCoreV1NamespacedServiceStatus',
    'listCoreV1ServiceForAllNamespaces',
  ]);
  expect(operationIdsOf(findBuiltInResource('leases'))[0]).toBe('listCoordinationV1NamespacedLease');
  expect(operationIdsOf(findBuiltInResource('nodes'))[0]).toBe('listCoreV1Node');
  expect(operationIdsOf(createWidgetResource('v1beta1'))).toContain('replaceExampleComV1beta1NamespacedWidgetScale');
  expect(pathsFor(createWidgetResource('v1'))['/apis/example.com/v1/widgets']?.['get']?.tags).toEqual(['exampleCom_v1']);
  expect(pathsFor(findBuiltInResource('nodes'))['/api/v1/nodes']?.['get']?.tags).toEqual(['core_v1']);
});

test('writes have the parameters dryRun, fieldManager and fieldValidation, patches also force', () => {
  const item = pathsFor(findBuiltInResource('services'))['/api/v1/namespaces/{namespace}/services/{name}'];
  const parameterNamesOf = (method: string): readonly string[] | undefined => item?.[method]?.parameters?.map(({ name }) => name);
  expect(parameterNamesOf('put')).toEqual(['dryRun', 'fieldManager', 'fieldValidation']);
  expect(parameterNamesOf('patch')).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
  expect(parameterNamesOf('delete')).toEqual(['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy']);
  // Go clients drop an empty list, so the document would change when they encode it again.
  expect(item?.['get']).not.toHaveProperty('parameters');
  expect(item?.parameters).toEqual([
    { name: 'name', in: 'path', description: 'The name of the object.', required: true, schema: { type: 'string', uniqueItems: true } },
    {
      name: 'namespace',
      in: 'path',
      description: 'The namespace of the object.',
      required: true,
      schema: { type: 'string', uniqueItems: true },
    },
    { name: 'pretty', in: 'query', description: 'Whether the answer is indented.', schema: { type: 'string', uniqueItems: true } },
  ]);
});

test('patches list their content types; custom resources do not have the strategic one', () => {
  const patchTypesOf = (servedResource: ServedResource, path: string): readonly string[] =>
    Object.keys(pathsFor(servedResource)[path]?.['patch']?.requestBody?.content ?? {});
  expect(patchTypesOf(findBuiltInResource('pods'), '/api/v1/namespaces/{namespace}/pods/{name}')).toEqual([
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
  ]);
  expect(patchTypesOf(createWidgetResource('v1'), '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}')).toEqual([
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ]);
});

test('responses refer to the object, its list or a Status', () => {
  const referencesOf = (servedResource: ServedResource, path: string, method: string): Readonly<Record<string, string | undefined>> =>
    Object.fromEntries(
      Object.entries(pathsFor(servedResource)[path]?.[method]?.responses ?? {}).map(([code, { content }]) => [
        code,
        content?.['application/json']?.schema.$ref.replace('#/components/schemas/', ''),
      ]),
    );
  const status = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
  const podsPath = '/api/v1/namespaces/{namespace}/pods';
  expect(referencesOf(findBuiltInResource('pods'), podsPath, 'get')).toEqual({ 200: 'List', 401: undefined });
  expect(referencesOf(findBuiltInResource('pods'), podsPath, 'post')).toEqual({
    200: 'Object',
    201: 'Object',
    202: 'Object',
    401: undefined,
  });
  expect(referencesOf(findBuiltInResource('pods'), podsPath, 'delete')).toEqual({ 200: status, 401: undefined });
  expect(referencesOf(findBuiltInResource('pods'), `${podsPath}/{name}`, 'delete')).toEqual({
    200: 'Object',
    202: 'Object',
    401: undefined,
  });
  expect(referencesOf(findBuiltInResource('nodes'), '/api/v1/nodes/{name}', 'delete')).toEqual({
    200: status,
    202: status,
    401: undefined,
  });
  expect(referencesOf(findBuiltInResource('pods'), `${podsPath}/{name}/eviction`, 'post')['201']).toBe('Sub-eviction');
  const widgetPath = '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}';
  expect(referencesOf(createWidgetResource('v1'), widgetPath, 'patch')).toEqual({ 200: 'Object', 401: undefined });
});

test('each operation has its action and kind', () => {
  const pod = pathsFor(findBuiltInResource('pods'))['/api/v1/namespaces/{namespace}/pods/{name}'];
  expect(pod?.['put']).toMatchObject({
    description: 'Replace objects of kind Pod',
    'x-kubernetes-action': 'put',
    'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Pod' },
  });
  expect(pathsFor(findBuiltInResource('pods'))['/api/v1/namespaces/{namespace}/pods/{name}/eviction']?.['post']).toMatchObject({
    description: 'Create the eviction of objects of kind Pod',
    'x-kubernetes-action': 'post',
    'x-kubernetes-group-version-kind': { group: 'policy', version: 'v1', kind: 'Eviction' },
  });
});
