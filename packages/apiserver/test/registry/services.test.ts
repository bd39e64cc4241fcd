import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfLate } from '../store/support.ts';
import { at, createWorld, object, seeded } from './support.ts';

const service = (name: string, spec: object = {}): ApiObject => object(name, { spec: { ports: [{ port: 80 }], ...spec } });

interface Spec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}
const specOf = (given: ApiObject): Spec => given['spec'] as Spec;

describe('services', () => {
  it('get what is allocated, and give it back when they go', async () => {
    const { registry, allocators } = await createWorld();
    const created = await registry.create(resources.services, 'shop', service('a', { type: 'NodePort', clusterIP: '10.0.0.7' }));
    expect(created).toMatchObject({
      spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    });
    const nodePort = specOf(created).ports[0]?.nodePort as number;
    expect(allocators.nodePorts.has(nodePort)).toBe(true);
    await registry.delete(resources.services, at('a'));
    expect(allocators.nodePorts.has(nodePort)).toBe(false);
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(false);
  });

  it('take nothing where the create fails later on', async () => {
    const { registry, allocators } = await createWorld();
    await registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.7' }));
    const again = await statusOfLate(registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.8' })));
    expect(again.reason).toBe('AlreadyExists');
    const wrong = await statusOfLate(registry.create(resources.services, 'shop', service('b', { clusterIP: '10.0.0.8', ports: [] })));
    expect(wrong).toMatchObject({ code: 422, details: { kind: 'Service', causes: [{ field: 'spec.ports' }] } });
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.8')).toBe(false);
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(true);
  });

  it('say why an address cannot be had', async () => {
    const { registry } = await createWorld();
    await registry.create(resources.services, 'shop', service('a', { clusterIP: '10.0.0.7' }));
    const status = await statusOfLate(registry.create(resources.services, 'shop', service('b', { clusterIP: '10.0.0.7' })));
    expect(status).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'b', kind: 'Service' } });
    expect(status.message).toBe(
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    );
  });

  it('take and give back as an update says, and nothing in a dry run', async () => {
    const { registry, allocators } = await createWorld();
    const created = await registry.create(resources.services, 'shop', service('a', { type: 'NodePort' }));
    const nodePort = specOf(created).ports[0]?.nodePort as number;
    const change = service('a', { type: 'ClusterIP' });
    await registry.update(resources.services, at('a'), () => change, { dryRun: true });
    expect(allocators.nodePorts.has(nodePort)).toBe(true);
    const updated = await registry.update(resources.services, at('a'), () => change);
    expect(specOf(updated).clusterIP).toBe(specOf(created).clusterIP);
    expect(allocators.nodePorts.has(nodePort)).toBe(false);
  });

  it('take nothing where the update is refused later on, or is made again', async () => {
    const admission: { validate?: () => void | Promise<void> } = {};
    const { registry, allocators, store } = await createWorld({ admission });
    await registry.create(resources.services, 'shop', service('a'));
    const change = service('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30100 }] });
    const seen: boolean[] = [];
    admission.validate = () => {
      seen.push(allocators.nodePorts.has(30100));
      throw new Error('refused');
    };
    await expect(registry.update(resources.services, at('a'), () => change)).rejects.toThrow('refused');
    expect([...seen, allocators.nodePorts.has(30100)]).toEqual([true, false]);
    admission.validate = () => {
      delete admission.validate;
      store.update(resources.services, at('a'), (current) => ({ ...current, metadata: { ...current.metadata, labels: { by: 'others' } } }));
    };
    const updated = await registry.update(resources.services, at('a'), () => change);
    expect([specOf(updated).ports[0]?.nodePort, allocators.nodePorts.has(30100)]).toEqual([30100, true]);
  });

  it('take their Endpoints with them', async () => {
    const { registry, store } = await createWorld();
    await registry.create(resources.services, 'shop', service('a'));
    for (const name of ['a', 'b']) await registry.create(resources.endpoints, 'shop', object(name));
    await registry.delete(resources.services, at('a'), { dryRun: true });
    expect(store.list(resources.endpoints).items).toHaveLength(2);
    await registry.delete(resources.services, at('a'));
    expect(store.list(resources.endpoints).items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('give everything back when an update takes the last finalizer', async () => {
    const { registry, allocators } = await createWorld();
    const held = service('a', { clusterIP: '10.0.0.7' });
    await registry.create(resources.services, 'shop', { ...held, metadata: { ...held.metadata, finalizers: ['example.com/x'] } });
    await registry.delete(resources.services, at('a'));
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(true);
    await registry.patch(resources.services, at('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    expect(allocators.clusterIPs.IPv4?.has('10.0.0.7')).toBe(false);
  });
});

describe('what is allocated', () => {
  it('is what is stored, whatever was tried at once', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
      // Admission that takes its time, and refuses now and then.
      const validate = async (): Promise<void> => {
        for (let i = random(4); i > 0; i--) await Promise.resolve();
        if (random(5) === 0) throw new Error('refused');
      };
      const admission: { validate?: () => Promise<void> } = {};
      const { registry, store, allocators } = await createWorld({ draw: random, admission });
      admission.validate = validate;
      const act = async (): Promise<unknown> => {
        const name = pick(['a', 'b', 'c']);
        const given = service(name, {
          type: pick(['ClusterIP', 'NodePort', 'LoadBalancer']),
          ports: pick([[{ port: 80 }], [{ port: 81 }], []]),
        });
        const dryRun = random(4) === 0;
        if (random(3) === 0) return registry.create(resources.services, 'shop', given, { dryRun });
        if (random(2) === 0) return registry.update(resources.services, at(name), () => given, { dryRun });
        return registry.delete(resources.services, at(name), { dryRun });
      };
      for (let round = 0; round < 5; round++) await Promise.allSettled(Array.from({ length: 10 }, act));
      const specs = store.list(resources.services).items.map(specOf);
      const isTaken = (address: string): boolean => allocators.clusterIPs.IPv4?.has(address) ?? false;
      const addresses = Array.from({ length: 254 }, (_, i) => `10.0.0.${i + 1}`).filter(isTaken);
      expect(addresses.sort()).toEqual(specs.map(({ clusterIP }) => clusterIP).sort());
      const nodePorts = Array.from({ length: 2768 }, (_, i) => 30000 + i).filter((port) => allocators.nodePorts.has(port));
      expect(nodePorts).toEqual(specs.flatMap(({ ports }) => ports.map(({ nodePort }) => nodePort).filter(Boolean)).sort());
    }
  });
});
