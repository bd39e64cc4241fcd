import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { builtInStrategies, createRegistry, type Registry } from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';
import { at, object, seeded } from './support.ts';

async function builtIn(): Promise<Registry> {
  const draw = seeded();
  const clusterIPs = { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) };
  const strategies = builtInStrategies({ clusterIPs, defaultFamily: 'IPv4', nodePorts: createPortAllocator({ draw }) });
  const registry = createRegistry({ store: createStore(), strategies });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'shop' } });
  return registry;
}

const pod = object('p', { spec: { containers: [{ name: 'c', image: 'i' }] } });

describe('builtInStrategies', () => {
  it('serves each resource once', async () => {
    const { resources: served } = await builtIn();
    const names = served.map(({ group, plural }) => `${plural}.${group}`);
    expect(new Set(names).size).toBe(names.length);
    const some = ['pods.', 'services.', 'endpoints.', 'endpointslices.discovery.k8s.io', 'events.', 'events.events.k8s.io'];
    expect(names).toEqual(expect.arrayContaining(some));
  });

  it('stores Endpoints as they are sent', async () => {
    const registry = await builtIn();
    const subsets = [{ addresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }];
    expect((await registry.create(resources.endpoints, 'shop', object('e', { subsets })))['subsets']).toEqual(subsets);
  });

  it('selects by fields where the API can', async () => {
    const registry = await builtIn();
    await registry.create(resources.pods, 'shop', pod);
    const bound = await registry.bind(at('p'), object('p', { target: { name: 'n' } }));
    for (const field of ['spec.nodeName', 'spec.host']) {
      expect(registry.store.list(resources.pods, { fieldSelector: `${field}=n` }).items).toEqual([bound]);
      expect(registry.store.list(resources.pods, { fieldSelector: `${field}!=n` }).items).toEqual([]);
    }
    expect(() => registry.store.list(resources.pods, { fieldSelector: 'spec.x=n' })).toThrow('field label not supported: spec.x');
    expect(() => registry.store.list(resources.endpoints, { fieldSelector: 'spec.x=n' })).toThrow('is not a known field selector');
  });

  it('lets a pod live from its creation to its end', async () => {
    const registry = await builtIn();
    const created = await registry.create(resources.pods, 'shop', pod);
    expect(created).toMatchObject({
      metadata: { generation: 1 },
      spec: { terminationGracePeriodSeconds: 30 },
      status: { phase: 'Pending' },
    });
    const bound = await registry.bind(at('p'), object('p', { target: { name: 'n' } }));
    expect(bound).toMatchObject({ spec: { nodeName: 'n' }, metadata: { generation: 1 } });
    const running = { ...bound, status: { ...(bound['status'] as object), phase: 'Running' } };
    const updated = await registry.update(resources.pods, at('p'), () => running, { subresource: 'status' });
    expect(updated).toMatchObject({ status: { phase: 'Running' }, metadata: { generation: 1 } });
    const same = { ...updated, status: undefined };
    expect(await registry.update(resources.pods, at('p'), () => same)).toBe(updated);
    const { object: going, gone } = await registry.delete(resources.pods, at('p'));
    expect([gone, going.metadata.deletionGracePeriodSeconds, going.metadata.generation]).toEqual([false, 30, 2]);
    expect((await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 0 })).gone).toBe(true);
  });

  it('lets a pod without a node go at once', async () => {
    const registry = await builtIn();
    await registry.create(resources.pods, 'shop', pod);
    expect((await registry.delete(resources.pods, at('p'))).gone).toBe(true);
  });

  it('gives Services what they need, and namespaces their end', async () => {
    const registry = await builtIn();
    const created = await registry.create(resources.services, 'shop', object('s', { spec: { ports: [{ port: 80 }] } }));
    expect(created['spec']).toMatchObject({ clusterIP: expect.stringMatching(/^10\.0\.0\.\d+$/) });
    await registry.delete(resources.namespaces, { name: 'shop' });
    expect(await registry.finalizeNamespaces()).toBe(1);
    expect(registry.store.list(resources.services).items).toEqual([]);
  });
});
