import { type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  createDeleteBody,
  createGetQuery,
  createListQuery,
  createPaths,
  createWatchQuery,
  createWriteQuery,
} from '../../src/client-node/paths.ts';

const { pods, nodes, endpointSlices } = resources;
const roles: Resource = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', kind: 'Role', namespaced: true };

describe('createPaths', () => {
  const { collection, object } = createPaths('/k8s/c-1');

  it.each([
    [collection(pods, undefined), '/k8s/c-1/api/v1/pods'],
    [collection(pods, 'shop'), '/k8s/c-1/api/v1/namespaces/shop/pods'],
    [collection(nodes, 'shop'), '/k8s/c-1/api/v1/nodes'],
    [collection(endpointSlices, 'shop'), '/k8s/c-1/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices'],
    [object(pods, { namespace: 'shop', name: 'web' }), '/k8s/c-1/api/v1/namespaces/shop/pods/web'],
    [object(pods, { namespace: 'shop', name: 'web' }, 'status'), '/k8s/c-1/api/v1/namespaces/shop/pods/web/status'],
    [object(nodes, { name: 'a' }, 'proxy/x y'), '/k8s/c-1/api/v1/nodes/a/proxy/x%20y'],
    [
      object(roles, { namespace: 'shop', name: 'system:a/b?c' }),
      '/k8s/c-1/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/system%3Aa%2Fb%3Fc',
    ],
  ])('returns %s', (path, expected) => {
    expect(path).toBe(expected);
  });

  it('rejects invalid or missing names and namespaces', () => {
    expect(() => object(pods, { namespace: 'shop', name: '' })).toThrow('pods: the object has no name');
    expect(() => object(pods, { name: 'web' })).toThrow('pods "web": the object has no namespace');
    expect(() => object(pods, { namespace: '..', name: 'web' })).toThrow(RangeError);
    expect(() => object(nodes, { name: '.' })).toThrow(RangeError);
  });
});

describe('queries and bodies', () => {
  it('are empty without options, except for ?watch=true', () => {
    expect([createListQuery({ namespace: 'shop' }), createGetQuery(undefined), createWriteQuery({})]).toEqual(['', '', '']);
    expect(createWatchQuery({})).toBe('?watch=true');
    expect(createDeleteBody({})).toBeUndefined();
  });

  it('contain every option; queries contain force only for an apply', () => {
    const selection = { labelSelector: 'app in (a,b)', fieldSelector: 'metadata.name=web', resourceVersion: '0' };
    const selectionQuery = 'labelSelector=app%20in%20(a%2Cb)&fieldSelector=metadata.name%3Dweb&resourceVersion=0';
    expect(createListQuery({ ...selection, resourceVersionMatch: 'Exact', limit: 5, continue: 'a+b=' })).toBe(
      `?${selectionQuery}&resourceVersionMatch=Exact&limit=5&continue=a%2Bb%3D`,
    );
    const watchOptions = { allowWatchBookmarks: true, sendInitialEvents: false, timeoutSeconds: 300 };
    expect(createWatchQuery({ ...selection, ...watchOptions })).toBe(
      `?watch=true&${selectionQuery}&allowWatchBookmarks=true&sendInitialEvents=false&timeoutSeconds=300`,
    );
    expect(createGetQuery('7')).toBe('?resourceVersion=7');
    const write = { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' } as const;
    expect(createWriteQuery(write)).toBe('?dryRun=All&fieldManager=me&fieldValidation=Strict');
    expect(createWriteQuery({ ...write, type: 'apply', force: true })).toContain('&force=true');
    expect(createWriteQuery({ type: 'merge', force: true })).toBe('');
  });
});

it('createDeleteBody returns DeleteOptions with every option', () => {
  const preconditions = { uid: 'u', resourceVersion: '3' };
  const body = createDeleteBody({ dryRun: true, gracePeriodSeconds: 0, propagationPolicy: 'Foreground', preconditions });
  const expectedFields = { gracePeriodSeconds: 0, propagationPolicy: 'Foreground', preconditions };
  expect(body).toEqual({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'], ...expectedFields });
});
