import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { structuralType } from '../../src/patch/index.ts';
import { requireKey, requireKind, requireObject, requirePatch, requireSelection } from '../../src/registry/in-process-port.ts';
import { createInProcessPort, createSchemalessStrategy } from '../../src/registry/index.ts';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, keyInShop, object } from './support.ts';

it('creates a binding of a pod', async () => {
  const { port } = await createFixture();
  await port.create(resources.pods, object('p', { spec: {} }));
  await port.create(resources.pods, object('p', { target: { name: 'n' } }), { subresource: 'binding' });
  expect(await port.get(resources.pods, keyInShop('p'))).toMatchObject({ spec: { nodeName: 'n' } });
});

it('refuses to create a binding of any other resource', async () => {
  const { port } = await createFixture();
  expect(await statusOfRejection(port.create(resources.services, object('p'), { subresource: 'binding' }))).toMatchObject({ code: 404 });
});

it('returns frozen objects', async () => {
  const { port } = await createFixture();
  const created = await port.create(resources.pods, object('p', { spec: { a: [1] } }));
  expect(() => (created['spec'] as { a: number[] }).a.push(2)).toThrow(TypeError);
});

it('names the argument that has the wrong type', async () => {
  const { port } = await createFixture();
  // The port without types, because JavaScript callers can pass any arguments.
  const untyped = port as unknown as Record<string, (...callArguments: readonly unknown[]) => Promise<unknown>>;
  const rejectedCalls: readonly (readonly [() => unknown, string])[] = [
    [() => untyped['create']?.(resources.pods, null), 'object is null: give an object of the API'],
    [() => untyped['update']?.(resources.pods, {}), 'object.metadata is undefined: give an object'],
    [
      () => untyped['patch']?.(resources.pods, keyInShop('p'), {}, { type: 'foo' }),
      'type is "foo": give one of json, merge, strategic, apply',
    ],
    [() => untyped['patch']?.(resources.pods, keyInShop('p'), {}), 'options is undefined: give an object with a type'],
    [() => untyped['get']?.(resources.pods, 'p'), 'key is "p": give an object with a name'],
    [() => untyped['get']?.(resources.pods, { name: 5 }), 'key.name is 5: give a string'],
    [() => untyped['delete']?.(resources.pods, {}), 'key.name is undefined: give a string'],
    [() => untyped['list']?.(resources.pods, { limit: 'a' }), 'limit is "a": give a number'],
    [() => untyped['deleteCollection']?.(resources.pods, { labelSelector: { a: 1 } }), 'labelSelector is {"a":1}: give a string'],
    [async () => untyped['watch']?.(resources.pods, { timeoutSeconds: '5' }), 'timeoutSeconds is "5": give a number'],
  ];
  for (const [call, message] of rejectedCalls) await expect(call()).rejects.toThrow(new TypeError(message));
});

it('rejects every call after the server is closed', async () => {
  const { registry } = await createFixture();
  const serverLifetime = new AbortController();
  const port = createInProcessPort(registry, { closeSignal: serverLifetime.signal });
  const pendingList = port.list(resources.pods, { resourceVersion: '999' });
  serverLifetime.abort(new Error('it is closed'));
  await expect(pendingList).rejects.toThrow('it is closed');
  await expect(port.create(resources.pods, object('p'))).rejects.toThrow('it is closed');
  expect(() => port.watch(resources.pods)).toThrow('it is closed');
});

it('refuses an update without a name, and resources that are not served', async () => {
  const { port } = await createFixture();
  expect(await statusOfRejection(port.update(resources.pods, { metadata: {} }))).toMatchObject({
    code: 400,
    message: 'name must be provided',
  });
  expect(await statusOfRejection(port.list(resources.leases))).toMatchObject({ code: 404 });
  expect(() => port.watch(resources.leases)).toThrow('the server could not find the requested resource');
});

describe('argument checks', () => {
  it('accept valid arguments', () => {
    requireObject({ metadata: {} });
    requireKey({ name: 'a', namespace: undefined });
    requireSelection({ limit: 5, labelSelector: 'a=b', continue: undefined });
    requirePatch({ type: 'merge' });
  });

  it('name the argument that has the wrong type', () => {
    expect(() => requireObject([])).toThrow(new TypeError('object is []: give an object of the API'));
    expect(() => requireKey({ name: 'a', namespace: 1 })).toThrow(new TypeError('key.namespace is 1: give a string'));
    expect(() => requireSelection({ limit: '5' })).toThrow(new TypeError('limit is "5": give a number'));
    expect(() => requirePatch({ type: 'toString' as 'json' })).toThrow(
      new TypeError('type is "toString": give one of json, merge, strategic, apply'),
    );
  });
});

describe('requireKind', () => {
  const strategy = createSchemalessStrategy({ resource: configMaps });

  it('accepts the apiVersion and kind of the resource, or none', () => {
    for (const typeMeta of [{}, { kind: 'ConfigMap' }, { apiVersion: 'v1' }, { kind: '', apiVersion: '' }])
      requireKind(strategy, { metadata: {}, ...typeMeta });
    expect(() => requireKind(strategy, { metadata: {}, kind: 'Pod' })).toThrow('Pod in version "v1" cannot be handled as a ConfigMap');
    const message = 'the API version in the data (v2) does not match the expected API version (v1)';
    expect(() => requireKind(strategy, { metadata: {}, apiVersion: 'v2' })).toThrow(message);
  });

  it('checks only the apiVersion of custom resources', () => {
    const custom = { ...strategy, patchType: structuralType({}) };
    requireKind(custom, { metadata: {}, kind: 'Pod' });
    expect(() => requireKind(custom, { metadata: {}, apiVersion: 'v2' })).toThrow('does not match');
  });
});
