import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createDeleteAttributes, createWriteAttributes } from '../../src/registry/admission.ts';
import type { AdmissionRequest } from '../../src/registry/index.ts';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, type Fixture, keyInShop, object } from './support.ts';

const user = { username: 'jane', groups: ['system:authenticated'] };

describe('the options of an admission request', () => {
  it('are CreateOptions or UpdateOptions for a write', () => {
    expect(createWriteAttributes('CreateOptions', {})).toEqual({
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    });
    const warn = (): void => undefined;
    expect(createWriteAttributes('UpdateOptions', { dryRun: true, fieldManager: 'm', fieldValidation: 'Strict', user, warn })).toEqual({
      dryRun: true,
      user,
      warn,
      options: {
        kind: 'UpdateOptions',
        apiVersion: 'meta.k8s.io/v1',
        dryRun: ['All'],
        fieldManager: 'm',
        fieldValidation: 'Strict',
      },
    });
  });

  it('are DeleteOptions for a deletion', () => {
    expect(createDeleteAttributes({}).options).toEqual({ kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' });
    const input = { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: { uid: 'u' }, dryRun: true } as const;
    expect(createDeleteAttributes(input).options).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...input,
      dryRun: ['All'],
    });
  });
});

/** A fixture that records every admission request. */
async function createRecordingFixture(): Promise<Fixture & { readonly requests: AdmissionRequest[] }> {
  const requests: AdmissionRequest[] = [];
  const fixture = await createFixture({ admission: { validate: (request) => void requests.push({ ...request }) } });
  await fixture.registry.create(configMaps, 'shop', object('a'), { user });
  requests.length = 0;
  return { ...fixture, requests };
}

const summarize = ({ operation, subresource, key, object: input, old, options }: AdmissionRequest): unknown[] => [
  operation,
  subresource ?? '',
  key.name,
  input?.metadata.name,
  old?.metadata.name,
  options['kind'],
];

describe('admission requests', () => {
  it('contain the user of every kind of write', async () => {
    const { registry, requests } = await createRecordingFixture();
    await registry.create(configMaps, 'shop', object('b'), { user });
    await registry.update(configMaps, keyInShop('b'), (current) => ({ ...(current as ApiObject), data: {} }), { user });
    await registry.patch(configMaps, keyInShop('b'), { data: { a: '1' } }, { type: 'merge', user });
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop' } };
    await registry.patch(configMaps, keyInShop('c'), applied, { type: 'apply', fieldManager: 'm', user });
    await registry.delete(configMaps, keyInShop('c'), { user });
    await registry.deleteCollection(configMaps, { namespace: 'shop' }, { user });
    expect(requests.map(summarize)).toEqual([
      ['CREATE', '', 'b', 'b', undefined, 'CreateOptions'],
      ['UPDATE', '', 'b', 'b', 'b', 'UpdateOptions'],
      ['UPDATE', '', 'b', 'b', 'b', 'UpdateOptions'],
      ['CREATE', '', 'c', 'c', undefined, 'CreateOptions'],
      ['DELETE', '', 'c', undefined, 'c', 'DeleteOptions'],
      ['DELETE', '', '', undefined, 'a', 'DeleteOptions'],
      ['DELETE', '', '', undefined, 'b', 'DeleteOptions'],
    ]);
    for (const request of requests) expect(request).toMatchObject({ user, resource: configMaps, dryRun: false });
    expect(requests.map(({ key }) => key.namespace)).toEqual(requests.map(() => 'shop'));
  });

  it('name the subresource', async () => {
    const { registry, requests } = await createRecordingFixture();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    await registry.bind(keyInShop('p'), object('p', { target: { name: 'n' } }), { user });
    await registry.update(resources.pods, keyInShop('p'), (pod) => ({ ...(pod as ApiObject), status: { phase: 'Running' } }), {
      subresource: 'status',
    });
    await registry.evict(keyInShop('p'), object('p'), { user });
    expect(requests.map(summarize)).toEqual([
      ['CREATE', '', 'p', 'p', undefined, 'CreateOptions'],
      ['CREATE', 'binding', 'p', 'p', undefined, 'CreateOptions'],
      ['UPDATE', 'status', 'p', 'p', 'p', 'UpdateOptions'],
      ['CREATE', 'eviction', 'p', 'p', undefined, 'CreateOptions'],
    ]);
    expect([requests[1]?.object, requests[3]?.object]).toMatchObject([
      { apiVersion: 'v1', kind: 'Binding' },
      { apiVersion: 'policy/v1', kind: 'Eviction' },
    ]);
  });

  it('show the new object in API form, and the old object as stored', async () => {
    const { registry, requests } = await createRecordingFixture();
    const created = await registry.create(resources.services, 'shop', object('s', { spec: { ports: [{ port: 80 }] } }));
    expect(requests[0]?.object).toMatchObject({ apiVersion: 'v1', kind: 'Service', status: { loadBalancer: {} } });
    await registry.delete(resources.services, keyInShop('s'));
    expect(requests[1]?.old).toBe(created);
  });

  it('are sent for a deletion only after its preconditions hold', async () => {
    const { registry, requests } = await createRecordingFixture();
    await expect(registry.delete(configMaps, keyInShop('a'), { preconditions: { uid: 'other' } })).rejects.toThrow(
      'UID in the precondition',
    );
    expect(requests).toEqual([]);
  });
});

describe('mutating admission plugins', () => {
  it('may leave an object unchanged', async () => {
    const { registry } = await createFixture({ admission: { mutate: () => undefined } });
    expect(await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }))).toMatchObject({ data: { a: '1' } });
  });

  it('are called for deletions, but their result is ignored', async () => {
    const called: string[] = [];
    const { registry } = await createFixture({
      admission: {
        mutate: ({ operation, object: input }) => {
          called.push(operation);
          return input;
        },
      },
    });
    await registry.create(configMaps, 'shop', object('a'));
    await registry.delete(configMaps, keyInShop('a'));
    expect(called.slice(-2)).toEqual(['CREATE', 'DELETE']);
  });

  it('run the built-in admission again after a change', async () => {
    const { registry } = await createFixture({
      admission: { mutate: ({ object: input }) => ({ ...(input as ApiObject), data: { from: 'outside' } }) },
    });
    const admitted: unknown[] = [];
    const admit = (input: ApiObject): ApiObject => {
      admitted.push(input['data']);
      return input;
    };
    registry.serve({ ...registry.strategyFor(configMaps), admit });
    await registry.create(configMaps, 'shop', object('a', { data: { from: 'client' } }));
    expect(admitted).toEqual([{ from: 'client' }, { from: 'outside' }]);
  });

  it('can warn, and their duplicate ownerReferences are dropped with a warning', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const { registry } = await createFixture({
      admission: {
        mutate: ({ object: input, warn }) => {
          warn?.('from admission');
          const { metadata, ...rest } = input as ApiObject;
          return { ...rest, metadata: { ...metadata, ownerReferences: [owner, owner] } };
        },
      },
    });
    const warnings: string[] = [];
    const warn = (warning: string): void => void warnings.push(warning);
    const created = await registry.create(configMaps, 'shop', object('a', { wrong: 1 }), { warn });
    expect(created.metadata.ownerReferences).toEqual([owner]);
    expect(warnings).toEqual([
      'unknown field "wrong"',
      'from admission',
      expect.stringContaining('duplicate entries after mutating admission happens;'),
    ]);
  });
});

describe('mutating admission plugins that write invalid metadata', () => {
  const broken = [{ manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: {} }];

  it('cannot break managed fields', async () => {
    const { registry } = await createFixture({
      managesFields: true,
      admission: {
        mutate({ object: input }) {
          const { metadata, ...rest } = input as ApiObject;
          return { ...rest, metadata: { ...metadata, managedFields: broken, labels: { from: 'outside' } } };
        },
      },
    });
    const warnings: string[] = [];
    const warn = (warning: string): void => void warnings.push(warning);
    const { metadata } = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { warn, fieldManager: 'me' });
    expect(metadata).toMatchObject({ labels: { from: 'outside' }, managedFields: [{ manager: 'me', operation: 'Update' }] });
    expect(warnings).toEqual([
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: apiVersion must not be empty',
    ]);
  });

  it('get a validation error with the name that they set', async () => {
    const { registry } = await createFixture({
      admission: {
        mutate: ({ operation, object: input }) => {
          const { metadata, ...rest } = input as ApiObject;
          return operation === 'UPDATE' ? { ...rest, metadata: { ...metadata, name: 'other' } } : undefined;
        },
      },
    });
    await registry.create(configMaps, 'shop', object('a'));
    const { code, message } = await statusOfRejection(registry.update(configMaps, keyInShop('a'), () => object('a')));
    expect([code, message]).toEqual([422, 'ConfigMap "other" is invalid: metadata.name: Invalid value: "other": field is immutable']);
  });
});

it('built-in admission does not run for subresources', async () => {
  const { registry } = await createFixture();
  const admitted: string[] = [];
  const admit = (input: ApiObject): ApiObject => {
    admitted.push(String(input.metadata.name));
    return input;
  };
  registry.serve({ ...registry.strategyFor(resources.pods), admit });
  await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
  await registry.patch(resources.pods, keyInShop('p'), { status: { phase: 'Running' } }, { type: 'merge', subresource: 'status' });
  await registry.patch(resources.pods, keyInShop('p'), { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  expect(admitted).toEqual(['p', 'p']);
});
