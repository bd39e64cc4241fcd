import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { isBootstrapObject } from '../../src/registry/bootstrap.ts';
import {
  type Admission,
  bootstrap,
  createBuiltInStrategies,
  createRegistry,
  type Registry,
  randomnessFrom,
} from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';
import { createClock } from '../store/support.ts';
import { configMaps, object, seeded, startTime } from './support.ts';

function createEmptyRegistry(admission?: Admission): Registry {
  const draw = seeded();
  const clusterIPs = { IPv4: createIPBitmap({ cidr: '10.96.0.0/16', draw }) };
  const strategies = createBuiltInStrategies({ clusterIPs, defaultFamily: 'IPv4', nodePorts: createPortAllocator({ draw }) });
  return createRegistry({
    store: createStore(),
    strategies,
    managesFields: true,
    clock: createClock(Date.parse(startTime)),
    randomness: randomnessFrom(draw),
    ...(admission && { admission }),
  });
}

const key = { namespace: 'default', name: 'kubernetes' };

describe('bootstrap', () => {
  it('creates the objects of a fresh cluster', async () => {
    const registry = createEmptyRegistry();
    await bootstrap(registry, { port: 8443 });
    const namespaces = registry.store.list(resources.namespaces).items.map(({ metadata }) => metadata.name);
    expect(namespaces).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    const { metadata, spec } = registry.store.get(resources.services, key);
    expect(metadata).toMatchObject({
      labels: { component: 'apiserver', provider: 'kubernetes' },
      managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
    });
    expect(spec).toEqual({
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 8443 }],
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    });
  });

  it('stores the same objects as a client that creates them', async () => {
    const [bootstrapped, created] = [createEmptyRegistry(), createEmptyRegistry()];
    await bootstrap(bootstrapped);
    const options = { fieldManager: 'kube-apiserver' };
    for (const name of ['kube-system', 'kube-public', 'kube-node-lease', 'default'])
      await created.create(resources.namespaces, undefined, { metadata: { name } }, options);
    const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }];
    const metadata = { name: 'kubernetes', labels: { provider: 'kubernetes', component: 'apiserver' } };
    const spec = { ports, clusterIP: '10.96.0.1', ipFamilyPolicy: 'SingleStack', sessionAffinity: 'None', type: 'ClusterIP' };
    await created.create(resources.services, 'default', { metadata, spec }, options);
    const listAll = ({ store }: Registry) => [resources.namespaces, resources.services].map((resource) => store.list(resource).items);
    expect(listAll(bootstrapped)).toStrictEqual(listAll(created));
  });

  it('refuses objects that admission makes invalid', async () => {
    const registry = createEmptyRegistry({
      mutate: async ({ object: created }) =>
        ({ ...created, metadata: { ...created?.metadata, labels: { owner: 'not a label' } } }) as ApiObject,
    });
    await expect(bootstrap(registry)).rejects.toMatchObject({ status: { reason: 'Invalid' } });
    expect(registry.store.list(resources.namespaces).items).toEqual([]);
  });

  it('creates only missing objects', async () => {
    const registry = createEmptyRegistry();
    await bootstrap(registry);
    const { revision } = registry.store;
    await bootstrap(registry);
    expect(registry.store.revision).toBe(revision);
    await registry.delete(resources.services, key);
    await bootstrap(registry);
    expect(registry.store.get(resources.services, key)['spec']).toMatchObject({ clusterIP: '10.96.0.1', ports: [{ targetPort: 6443 }] });
    expect(registry.store.revision).toBe(revision + 2);
  });
});

it.each([
  [resources.namespaces, { metadata: { name: 'kube-node-lease' } }, true],
  [resources.namespaces, { metadata: { name: 'shop' } }, false],
  [resources.services, object('kubernetes', {}, 'default'), true],
  [resources.services, object('kubernetes', {}, 'shop'), false],
  [configMaps, object('kubernetes', {}, 'default'), false],
])('isBootstrapObject(%j, %j) is %s', (resource, candidate, expected) => expect(isBootstrapObject(resource, candidate)).toBe(expected));
