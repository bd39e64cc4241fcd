import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createWorld, serviceFor, type World } from './world.ts';

const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };
const m1 = { namespace: 'shop', name: 'm1' };

const machine = (name: string, address: string, namespace = 'shop'): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Machine',
  metadata: { namespace, name, labels: { app: 'web' } },
  spec: { address },
});

const fault = { broken: false };

/** Throws for addresses that begin with a letter, and for all while `fault.broken` is set. */
function toPod({ spec }: ApiObject): Pod | undefined {
  const { address } = spec as { readonly address: string };
  if (fault.broken || /^[a-z]/.test(address)) throw new Error(`no address: ${address}`);
  return { status: { podIP: address, podIPs: [{ ip: address }], conditions: [{ type: 'Ready', status: 'True' }] } };
}

const startWorld = async (objects: readonly ApiObject[], more = {}): Promise<World> => {
  fault.broken = false;
  return createWorld({ objects, server: { resources: [{ resource: machines }] }, workloads: { resource: machines, toPod, ...more } });
};

const ipsOf = (endpoints: ApiObject | undefined): unknown =>
  (endpoints?.['subsets'] as { addresses: { ip: string }[] }[] | undefined)?.flatMap(({ addresses }) => addresses.map(({ ip }) => ip));

const errorsIn = ({ events }: World): string[] =>
  events.flatMap((each) => (each.kind === 'informer' && each.error !== undefined ? [(each.error as Error).message] : []));

const readdress = (world: World, address: string) => world.client.patch(machines, m1, { spec: { address } }, { type: 'merge' });

describe('a workload for which toPod throws', () => {
  test('keeps its former endpoint, and the error is reported', async () => {
    await using world = await startWorld([serviceFor('web'), machine('m1', '10.1.0.1'), machine('m2', '10.1.0.2')]);
    await world.start();
    world.sent();
    await readdress(world, 'nonsense');
    await world.client.delete(machines, { namespace: 'shop', name: 'm2' });
    await world.pass();
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.1']);
    expect(errorsIn(world)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
    await readdress(world, '10.1.0.3');
    await world.pass();
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.3']);
  });

  test('gets no endpoint if it is new, and does not delay others', async () => {
    await using world = await startWorld([serviceFor('web'), machine('m2', '10.1.0.2')]);
    await world.start();
    await world.client.create(machines, machine('m1', 'nonsense'));
    await world.client.create(machines, machine('m3', '10.1.0.3'));
    await world.pass();
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.2', '10.1.0.3']);
    expect(errorsIn(world)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
  });

  test('keeps the Endpoints of its namespace unchanged after a restart', async () => {
    const objects = [serviceFor('web'), machine('m1', '10.1.0.1'), serviceFor('web', {}, 'other')];
    await using world = await startWorld([...objects, machine('m2', '10.2.0.1', 'other')]);
    await world.start();
    await world.stop();
    await readdress(world, 'nonsense');
    await world.client.delete(resources.endpoints, { namespace: 'other', name: 'web' });
    world.sent();
    await world.start();
    await world.pass(600_000);
    expect(world.sent().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints']);
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.1']);
    expect(ipsOf(await world.get(resources.endpoints, 'web', 'other'))).toEqual(['10.2.0.1']);
    expect(errorsIn(world)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
    expect(world.outcomes('endpoints', 'shop/web')).toContain('dropped');
    expect(world.outcomes('endpointslices', 'shop/web')).toContain('retried');
    await readdress(world, '10.1.0.3');
    await world.pass();
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.3']);
  });

  test('no longer delays its Services once it is deleted', async () => {
    await using world = await startWorld([serviceFor('web'), machine('m1', 'nonsense'), machine('m2', '10.1.0.2')], { withPods: true });
    await world.start();
    expect(await world.get(resources.endpoints, 'web')).toBeUndefined();
    await world.client.delete(machines, m1);
    await world.pass(180_000);
    expect(ipsOf(await world.get(resources.endpoints, 'web'))).toEqual(['10.1.0.2']);
  });

  test('does not delay Services without a selector, nor the clean-up of a deleted one', async () => {
    const plain = serviceFor('plain', { selector: null });
    await using world = await startWorld([serviceFor('web'), machine('m1', '10.1.0.1'), plain]);
    await world.start();
    await world.stop();
    fault.broken = true;
    await world.start();
    expect(world.outcomes('endpoints', 'shop/plain')).not.toContain('retried');
    await world.client.delete(resources.services, { namespace: 'shop', name: 'web' });
    await world.pass();
    expect(await world.get(resources.endpoints, 'web')).toBeUndefined();
  });
});
