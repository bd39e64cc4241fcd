import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { namespaceStrategy } from '../../src/registry/built-in.ts';
import { createBuiltInStrategies, createInProcessPort, createRegistry, type Registry } from '../../src/registry/index.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { createStore } from '../../src/store/index.ts';
import { statusOfRejection } from '../store/support.ts';
import { createFixture, keyInShop, object, seeded } from './support.ts';

async function createBuiltInRegistry(): Promise<Registry> {
  const draw = seeded();
  const clusterIPs = { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) };
  const strategies = createBuiltInStrategies({ clusterIPs, defaultFamily: 'IPv4', nodePorts: createPortAllocator({ draw }) });
  const registry = createRegistry({ store: createStore(), strategies });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'shop' } });
  return registry;
}

const pod = object('p', { spec: { containers: [{ name: 'c', image: 'i' }] } });

describe('createBuiltInStrategies', () => {
  it('serves each resource once', async () => {
    const { resources: servedResources } = await createBuiltInRegistry();
    const paths = servedResources.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(new Set(paths).size).toBe(paths.length);
    const names = servedResources.map(({ group, plural }) => `${plural}.${group}`);
    const expected = ['pods.', 'services.', 'endpoints.', 'endpointslices.discovery.k8s.io', 'events.', 'events.events.k8s.io'];
    expect(names).toEqual(expect.arrayContaining(expected));
  });

  it('records the creator of a CertificateSigningRequest, and the phase of volumes and claims', async () => {
    const registry = await createBuiltInRegistry();
    const byPlural = (plural: string) => registry.resources.find((each) => each.plural === plural) as (typeof registry.resources)[number];
    const request = Buffer.from('-----BEGIN CERTIFICATE REQUEST-----').toString('base64');
    const spec = { request, signerName: 'example.com/signer', usages: ['client auth'], username: 'forged', groups: ['forged'] };
    const user = { username: 'jane', groups: ['developers'] };
    const csr = await registry.create(byPlural('certificatesigningrequests'), undefined, { metadata: { name: 'r' }, spec }, { user });
    expect(csr['spec']).toStrictEqual({ ...spec, username: 'jane', groups: ['developers'] });
    const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = await registry.create(byPlural('persistentvolumeclaims'), 'shop', object('c', { spec: claimSpec }));
    expect(claim['status']).toEqual({ phase: 'Pending' });
    const volumeSpec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/v' } };
    const volume = await registry.create(byPlural('persistentvolumes'), undefined, { metadata: { name: 'v' }, spec: volumeSpec });
    expect(volume['status']).toEqual({ phase: 'Pending', lastPhaseTransitionTime: volume.metadata.creationTimestamp });
  });

  it('stores Endpoints as sent', async () => {
    const registry = await createBuiltInRegistry();
    const subsets = [{ addresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }];
    expect((await registry.create(resources.endpoints, 'shop', object('e', { subsets })))['subsets']).toEqual(subsets);
  });

  it('supports the field selectors of the API', async () => {
    const registry = await createBuiltInRegistry();
    await registry.create(resources.pods, 'shop', pod);
    const bound = await registry.bind(keyInShop('p'), object('p', { target: { name: 'n' } }));
    for (const field of ['spec.nodeName', 'spec.host']) {
      expect(registry.store.list(resources.pods, { fieldSelector: `${field}=n` }).items).toEqual([bound]);
      expect(registry.store.list(resources.pods, { fieldSelector: `${field}!=n` }).items).toEqual([]);
    }
    expect(() => registry.store.list(resources.pods, { fieldSelector: 'spec.x=n' })).toThrow('field label not supported: spec.x');
    expect(() => registry.store.list(resources.endpoints, { fieldSelector: 'spec.x=n' })).toThrow('is not a known field selector');
  });

  it('supports the life cycle of a pod: create, bind, status update and delete', async () => {
    const registry = await createBuiltInRegistry();
    const created = await registry.create(resources.pods, 'shop', pod);
    expect(created).toMatchObject({
      metadata: { generation: 1 },
      spec: { terminationGracePeriodSeconds: 30 },
      status: { phase: 'Pending' },
    });
    const bound = await registry.bind(keyInShop('p'), object('p', { target: { name: 'n' } }));
    expect(bound).toMatchObject({ spec: { nodeName: 'n' }, metadata: { generation: 1 } });
    const running = { ...bound, status: { ...(bound['status'] as object), phase: 'Running' } };
    const updated = await registry.update(resources.pods, keyInShop('p'), () => running, { subresource: 'status' });
    expect(updated).toMatchObject({ status: { phase: 'Running' }, metadata: { generation: 1 } });
    const unchanged = { ...updated, status: undefined };
    expect(await registry.update(resources.pods, keyInShop('p'), () => unchanged)).toBe(updated);
    const { object: terminating, isRemoved } = await registry.delete(resources.pods, keyInShop('p'));
    expect([isRemoved, terminating.metadata.deletionGracePeriodSeconds, terminating.metadata.generation]).toEqual([false, 30, 2]);
    expect((await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 0 })).isRemoved).toBe(true);
  });

  it('deletes a pod without a node at once', async () => {
    const registry = await createBuiltInRegistry();
    await registry.create(resources.pods, 'shop', pod);
    expect((await registry.delete(resources.pods, keyInShop('p'))).isRemoved).toBe(true);
  });

  it('allocates the cluster IPs of Services and finalizes namespaces', async () => {
    const registry = await createBuiltInRegistry();
    const created = await registry.create(resources.services, 'shop', object('s', { spec: { ports: [{ port: 80 }] } }));
    expect(created['spec']).toMatchObject({ clusterIP: expect.stringMatching(/^10\.0\.0\.\d+$/) });
    await registry.delete(resources.namespaces, { name: 'shop' });
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(registry.store.list(resources.services).items).toEqual([]);
  });
});

describe('events', () => {
  const groupEvents = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

  const event = object('e', {
    regarding: { kind: 'Pod', name: 'web', namespace: 'shop' },
    eventTime: '2026-01-02T03:04:05.000000Z',
    reportingController: 'example.com/web',
    reportingInstance: 'web-1',
    action: 'Starting',
    reason: 'Started',
    note: 'it runs',
    type: 'Normal',
  });

  it('stores Events of both groups in the core form', async () => {
    const registry = await createBuiltInRegistry();
    const port = createInProcessPort(registry);
    const created = await port.create(groupEvents, event);
    expect(created).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'it runs', deprecatedSource: {} });
    const core = await port.get(resources.events, keyInShop('e'));
    expect(core).toMatchObject({ apiVersion: 'v1', message: 'it runs', involvedObject: { name: 'web' }, firstTimestamp: null, source: {} });
    expect(await port.get(groupEvents, keyInShop('e'))).toBe(created);
    expect((await port.list(groupEvents, { fieldSelector: 'regarding.name=web' })).items).toEqual([created]);
    expect((await port.list(resources.events, { fieldSelector: 'involvedObject.name=web' })).items).toEqual([core]);
    // The Namespace and one Event.
    expect(registry.store.stats().objects).toBe(2);
  });

  it('updates an Event through either group', async () => {
    const registry = await createBuiltInRegistry();
    await registry.create(groupEvents, 'shop', event);
    const series = { count: 2, lastObservedTime: '2026-01-02T03:05:05.000000Z' };
    const patched = await registry.patch(groupEvents, keyInShop('e'), { series }, { type: 'strategic' });
    expect(patched).toMatchObject({ series, note: 'it runs' });
    const updated = await registry.patch(resources.events, keyInShop('e'), { message: 'still' }, { type: 'merge' });
    expect(updated).toMatchObject({ message: 'still', series });
    expect(registry.storeFor(groupEvents).get(groupEvents, keyInShop('e'))).toMatchObject({ note: 'still' });
    const { object: removed } = await registry.delete(groupEvents, keyInShop('e'));
    expect(removed).toMatchObject({ note: 'still' });
    expect(registry.store.list(resources.events).items).toEqual([]);
  });

  it('validates each Event by the rules of its group', async () => {
    const registry = await createBuiltInRegistry();
    const { eventTime: _, ...eventWithoutTime } = event;
    expect(await statusOfRejection(registry.create(groupEvents, 'shop', eventWithoutTime as typeof event))).toMatchObject({ code: 422 });
    const groupNotFound = await statusOfRejection(registry.delete(groupEvents, keyInShop('none')));
    expect(groupNotFound).toMatchObject({ code: 404, message: 'events.events.k8s.io "none" not found' });
    expect(groupNotFound.details).toEqual({ name: 'none', group: 'events.k8s.io', kind: 'events' });
    await registry.create(groupEvents, 'shop', event);
    expect((await statusOfRejection(registry.create(groupEvents, 'shop', event))).message).toBe('events.events.k8s.io "e" already exists');
    const coreNotFound = await statusOfRejection(registry.delete(resources.events, keyInShop('none')));
    expect([coreNotFound.message, coreNotFound.details]).toEqual(['events "none" not found', { name: 'none', kind: 'events' }]);
  });

  it('tracks field managers across both groups', async () => {
    const registry = await createBuiltInRegistry();
    const managed = { managesFields: true };
    await registry.create(groupEvents, 'shop', event, { ...managed, fieldManager: 'one' });
    const write = (message: string, fieldManager: string): Promise<ApiObject> =>
      registry.patch(resources.events, keyInShop('e'), { message }, { ...managed, type: 'merge', fieldManager });
    const managersOf = ({ metadata }: ApiObject): unknown =>
      (metadata.managedFields as { manager: string; apiVersion: string }[]).map(({ manager, apiVersion }) => [manager, apiVersion]);
    expect(managersOf(await write('still', 'two'))).toEqual([['two', 'v1']]);
    const patched = await registry.patch(
      resources.events,
      keyInShop('e'),
      { count: 2 },
      { ...managed, type: 'merge', fieldManager: 'three' },
    );
    expect(managersOf(patched)).toEqual([
      ['three', 'v1'],
      ['two', 'v1'],
    ]);
  });
});

it('namespaceStrategy makes a namespace removable only if spec.finalizers is empty', () => {
  const { isRemovable } = namespaceStrategy(createSchemalessStrategy({ resource: resources.namespaces }));
  expect(isRemovable?.({ metadata: {}, spec: { finalizers: ['kubernetes'] } })).toBe(false);
  expect(isRemovable?.({ metadata: {}, spec: {} })).toBe(true);
});

const service = (name: string, spec: object = {}): ApiObject => object(name, { spec: { ports: [{ port: 80 }], ...spec } });

interface Spec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}
const specOf = (body: ApiObject): Spec => body['spec'] as Spec;

describe('Services', () => {
  it('get a cluster IP and node ports, and release them when deleted', async () => {
    const { registry, allocators } = await createFixture();
    const created = await registry.create(resources.services, 'shop', service('a', { type: 'NodePort', clusterIP: '10.0.0.7' }));
    expect(created).toMatchObject({
      spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    });
    const nodePort = specOf(created).ports[0]?.nodePort as number;
    expect(allocators.nodePorts.has(nodePort)).toBe(true);
    await registry.delete(resources.services, keyInShop('a'));
    expect(allocators.nodePorts.has(nodePort)).toBe(false);
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(false);
  });

  it('allocate nothing if the create fails later', async () => {
    const { registry, allocators } = await createFixture();
    await registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.7' }));
    const duplicate = await statusOfRejection(registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.8' })));
    expect(duplicate.reason).toBe('AlreadyExists');
    const rejected = await statusOfRejection(
      registry.create(resources.services, 'shop', service('b', { clusterIP: '10.0.0.8', ports: [] })),
    );
    expect(rejected).toMatchObject({ code: 422, details: { kind: 'Service', causes: [{ field: 'spec.ports' }] } });
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.8')).toBe(false);
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(true);
  });

  it('report why a cluster IP cannot be allocated', async () => {
    const { registry } = await createFixture();
    await registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.7' }));
    const status = await statusOfRejection(registry.create(resources.services, 'shop', service('b', { clusterIP: '10.0.0.7' })));
    expect(status).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'b', kind: 'Service' } });
    expect(status.message).toBe(
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    );
  });

  it('allocate and release as an update requires, but not in a dry run', async () => {
    const { registry, allocators } = await createFixture();
    const created = await registry.create(resources.services, 'shop', service('a', { type: 'NodePort' }));
    const nodePort = specOf(created).ports[0]?.nodePort as number;
    const change = service('a', { type: 'ClusterIP' });
    await registry.update(resources.services, keyInShop('a'), () => change, { dryRun: true });
    expect(allocators.nodePorts.has(nodePort)).toBe(true);
    const updated = await registry.update(resources.services, keyInShop('a'), () => change);
    expect(specOf(updated).clusterIP).toBe(specOf(created).clusterIP);
    expect(allocators.nodePorts.has(nodePort)).toBe(false);
  });

  it('allocate nothing if the update is refused later, and once if it is retried', async () => {
    const admission: { validate?: () => void | Promise<void> } = {};
    const { registry, allocators, store } = await createFixture({ admission });
    await registry.create(resources.services, 'shop', service('a'));
    const change = service('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30100 }] });
    const seen: boolean[] = [];
    admission.validate = () => {
      seen.push(allocators.nodePorts.has(30100));
      throw new Error('refused');
    };
    await expect(registry.update(resources.services, keyInShop('a'), () => change)).rejects.toThrow('refused');
    expect([...seen, allocators.nodePorts.has(30100)]).toEqual([true, false]);
    admission.validate = () => {
      delete admission.validate;
      store.update(resources.services, keyInShop('a'), (current) => ({
        ...current,
        metadata: { ...current.metadata, labels: { by: 'others' } },
      }));
    };
    const updated = await registry.update(resources.services, keyInShop('a'), () => change);
    expect([specOf(updated).ports[0]?.nodePort, allocators.nodePorts.has(30100)]).toEqual([30100, true]);
  });

  it('delete their Endpoints with them', async () => {
    const { registry, store } = await createFixture();
    await registry.create(resources.services, 'shop', service('a'));
    for (const name of ['a', 'b']) await registry.create(resources.endpoints, 'shop', object(name));
    await registry.delete(resources.services, keyInShop('a'), { dryRun: true });
    expect(store.list(resources.endpoints).items).toHaveLength(2);
    await registry.delete(resources.services, keyInShop('a'));
    expect(store.list(resources.endpoints).items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('release everything when an update removes the last finalizer', async () => {
    const { registry, allocators } = await createFixture();
    const withFinalizer = service('a', { clusterIP: '10.0.0.7' });
    await registry.create(resources.services, 'shop', {
      ...withFinalizer,
      metadata: { ...withFinalizer.metadata, finalizers: ['example.com/x'] },
    });
    await registry.delete(resources.services, keyInShop('a'));
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(true);
    await registry.patch(resources.services, keyInShop('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(false);
  });
});

describe('concurrent writes to Services', () => {
  it('leave allocated exactly what the stored Services use', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
      // Slow admission that sometimes refuses.
      const validate = async (): Promise<void> => {
        for (let i = random(4); i > 0; i--) await Promise.resolve();
        if (random(5) === 0) throw new Error('refused');
      };
      const admission: { validate?: () => Promise<void> } = {};
      const { registry, store, allocators } = await createFixture({ draw: random, admission });
      admission.validate = validate;
      const writeRandomly = async (): Promise<unknown> => {
        const name = pick(['a', 'b', 'c']);
        const body = service(name, {
          type: pick(['ClusterIP', 'NodePort', 'LoadBalancer']),
          ports: pick([[{ port: 80 }], [{ port: 81 }], []]),
        });
        const dryRun = random(4) === 0;
        if (random(3) === 0) return registry.create(resources.services, 'shop', body, { dryRun });
        if (random(2) === 0) return registry.update(resources.services, keyInShop(name), () => body, { dryRun });
        return registry.delete(resources.services, keyInShop(name), { dryRun });
      };
      for (let round = 0; round < 5; round++) await Promise.allSettled(Array.from({ length: 10 }, writeRandomly));
      const specs = store.list(resources.services).items.map(specOf);
      const isAllocated = (address: string): boolean => allocators.clusterIPs.IPv4?.has(address) ?? false;
      const addresses = Array.from({ length: 254 }, (_, i) => `10.0.0.${i + 1}`).filter(isAllocated);
      expect(addresses.sort()).toEqual(specs.map(({ clusterIP }) => clusterIP).sort());
      // The default range of node ports: 30000-32767.
      const nodePorts = Array.from({ length: 2768 }, (_, i) => 30000 + i).filter((port) => allocators.nodePorts.has(port));
      expect(nodePorts).toEqual(specs.flatMap(({ ports }) => ports.map(({ nodePort }) => nodePort).filter(Boolean)).sort());
    }
  });
});
