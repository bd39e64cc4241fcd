import { createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/happening.ts';
import { type Calls, createCalls } from '../../src/service-lb/calls.ts';
import { setupOf } from '../../src/service-lb/options.ts';
import { createLead } from '../controllers/world.ts';
import { createClock } from '../queue/clock.ts';
import { createCloud } from './cloud.ts';
import { balanced } from './world.ts';

const web = { namespace: 'shop', name: 'web' };
const status = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

async function withServer(work: (client: ClientPort, calls: Calls, service: ApiObject) => Promise<void>): Promise<void> {
  const clock = createClock();
  const server = await createApiServer({ clock, objects: [balanced('web')] });
  try {
    const calls = createCalls(setupOf({ port: server.client, cloud: createCloud(), clock }), () => undefined);
    await work(server.client, calls, await server.client.get(resources.services, web));
  } finally {
    await server.close();
  }
}

describe('a patch', () => {
  test('is of the status of the Service that was read', () =>
    withServer(async (client, calls, service) => {
      await calls.patch('shop/web', service, status);
      expect((await client.get(resources.services, web))['status']).toEqual(expect.objectContaining({ loadBalancer: expect.anything() }));
    }));

  test('does not hit another one that has its name by now', () =>
    withServer(async (client, calls, service) => {
      await client.delete(resources.services, web);
      await client.create(resources.services, balanced('web'));
      await expect(calls.patch('shop/web', service, status)).rejects.toThrow();
      expect((await client.get(resources.services, web))['status']).toEqual({ loadBalancer: {} });
    }));

  test('that takes all finalizers away is refused where others have been added', () =>
    withServer(async (client, calls) => {
      const add = (finalizers: readonly string[]): Promise<ApiObject> =>
        client.patch(resources.services, web, { metadata: { finalizers } }, { type: 'merge' });
      const seen = await add(['example.com/a']);
      await add(['example.com/a', 'example.com/b']);
      await expect(calls.patch('shop/web', seen, { metadata: { finalizers: null } })).rejects.toMatchObject({ reason: 'Conflict' });
      expect((await client.get(resources.services, web)).metadata.finalizers).toHaveLength(2);
    }));
});

test('the API server is asked for a Service, which may be gone', () =>
  withServer(async (client, calls) => {
    expect((await calls.ask('shop/web'))?.metadata.name).toBe('web');
    await client.delete(resources.services, web);
    expect(await calls.ask('shop/web')).toBeUndefined();
  }));

test('the cloud is given the name of the cluster, and what becomes of a call is told', async () => {
  const told: Happening[] = [];
  const given: unknown[] = [];
  const cloud = createCloud({ list: false });
  const spying = {
    ...cloud,
    balancers: {
      ...cloud.balancers,
      get: async ({ clusterName, service }: { clusterName: string; service: unknown }) => void given.push([clusterName, service]),
    },
  };
  const ownership = createLead(true);
  const setup = setupOf({
    port: {} as ClientPort,
    cloud: spying as unknown as typeof cloud,
    clusterName: 'blue',
    clock: createClock(),
    ownership,
    tell: (each) => void told.push(each),
  });
  const calls = createCalls(setup, () => undefined);
  const service = { metadata: web };
  await calls.get('shop/web', service);
  expect(given).toEqual([['blue', service]]);
  await expect(calls.update('shop/web', service, [])).rejects.toThrow('there is no such load balancer');
  ownership.lead(false);
  await expect(calls.delete('shop/web', service)).rejects.toThrow('belongs to another replica');
  const tale = told.flatMap((each) => (each.kind === 'cloud' ? [`${each.call} ${each.key} ${each.outcome}`] : []));
  expect(tale).toEqual(['get shop/web answered', 'update shop/web failed']);
  expect(calls.list).toBeUndefined();
});
