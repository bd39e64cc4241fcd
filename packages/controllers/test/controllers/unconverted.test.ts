import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { type ControllersFixture, createControllersFixture, serviceFor } from './fixture.ts';

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

const startFixture = async (objects: readonly ApiObject[], options = {}): Promise<ControllersFixture> => {
  fault.broken = false;
  return createControllersFixture({
    objects,
    server: { resources: [{ resource: machines }] },
    workloads: { resource: machines, toPod, ...options },
  });
};

const ipsOf = (endpoints: ApiObject | undefined): unknown =>
  (endpoints?.['subsets'] as { addresses: { ip: string }[] }[] | undefined)?.flatMap(({ addresses }) => addresses.map(({ ip }) => ip));

const errorsIn = ({ events }: ControllersFixture): string[] =>
  events.flatMap((event) => (event.kind === 'informer' && event.error !== undefined ? [(event.error as Error).message] : []));

const setAddress = (fixture: ControllersFixture, address: string) =>
  fixture.client.patch(machines, m1, { spec: { address } }, { type: 'merge' });

describe('a workload for which toPod throws', () => {
  test('keeps its last endpoint, and its error is reported', async () => {
    await using fixture = await startFixture([serviceFor('web'), machine('m1', '10.1.0.1'), machine('m2', '10.1.0.2')]);
    await fixture.start();
    fixture.takeWrites();
    await setAddress(fixture, 'nonsense');
    await fixture.client.delete(machines, { namespace: 'shop', name: 'm2' });
    await fixture.pass();
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.1']);
    expect(errorsIn(fixture)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
    await setAddress(fixture, '10.1.0.3');
    await fixture.pass();
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.3']);
  });

  test('gets no endpoint if it is new, and does not delay other workloads', async () => {
    await using fixture = await startFixture([serviceFor('web'), machine('m2', '10.1.0.2')]);
    await fixture.start();
    await fixture.client.create(machines, machine('m1', 'nonsense'));
    await fixture.client.create(machines, machine('m3', '10.1.0.3'));
    await fixture.pass();
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.2', '10.1.0.3']);
    expect(errorsIn(fixture)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
  });

  test('keeps the Endpoints of its namespace unchanged after a restart', async () => {
    const objects = [serviceFor('web'), machine('m1', '10.1.0.1'), serviceFor('web', {}, 'other')];
    await using fixture = await startFixture([...objects, machine('m2', '10.2.0.1', 'other')]);
    await fixture.start();
    await fixture.stop();
    await setAddress(fixture, 'nonsense');
    await fixture.client.delete(resources.endpoints, { namespace: 'other', name: 'web' });
    fixture.takeWrites();
    await fixture.start();
    await fixture.pass(600_000);
    expect(fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create endpoints']);
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.1']);
    expect(ipsOf(await fixture.get(resources.endpoints, 'web', 'other'))).toEqual(['10.2.0.1']);
    expect(errorsIn(fixture)).toEqual(['toPod of Machine shop/m1: no address: nonsense']);
    expect(fixture.outcomes('endpoints', 'shop/web')).toContain('dropped');
    expect(fixture.outcomes('endpointslices', 'shop/web')).toContain('retried');
    await setAddress(fixture, '10.1.0.3');
    await fixture.pass();
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.3']);
  });

  test('no longer delays its Services once it is deleted', async () => {
    await using fixture = await startFixture([serviceFor('web'), machine('m1', 'nonsense'), machine('m2', '10.1.0.2')], { withPods: true });
    await fixture.start();
    expect(await fixture.get(resources.endpoints, 'web')).toBeUndefined();
    await fixture.client.delete(machines, m1);
    await fixture.pass(180_000);
    expect(ipsOf(await fixture.get(resources.endpoints, 'web'))).toEqual(['10.1.0.2']);
  });

  test('delays neither Services without a selector nor the clean-up of a deleted Service', async () => {
    const withoutSelector = serviceFor('plain', { selector: null });
    await using fixture = await startFixture([serviceFor('web'), machine('m1', '10.1.0.1'), withoutSelector]);
    await fixture.start();
    await fixture.stop();
    fault.broken = true;
    await fixture.start();
    expect(fixture.outcomes('endpoints', 'shop/plain')).not.toContain('retried');
    await fixture.client.delete(resources.services, { namespace: 'shop', name: 'web' });
    await fixture.pass();
    expect(await fixture.get(resources.endpoints, 'web')).toBeUndefined();
  });
});
