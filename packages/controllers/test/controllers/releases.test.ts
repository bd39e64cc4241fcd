import { createFaults } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createControllersFixture, nodeFor, podFor, serviceFor } from './fixture.ts';

const { endpoints, events, namespaces, services } = resources;
const shop = [serviceFor('web'), podFor('web-1')];
const controllers = ['endpoints'] as const;
const web = { namespace: 'shop', name: 'web' };

describe('the endpoints controller of a release', () => {
  test.each([
    ['1.9', false],
    ['1.18.20', false],
    ['1.19.0', true],
    ['1.37', true],
  ])('%s recreates Endpoints that another client deleted: %s', async (version, isRecreated) => {
    await using fixture = await createControllersFixture({ objects: shop, controllers, version });
    await fixture.start();
    await fixture.client.delete(endpoints, web);
    await fixture.pass(600_000);
    expect((await fixture.get(endpoints, 'web')) !== undefined).toBe(isRecreated);
    await fixture.client.patch(services, web, { metadata: { annotations: { touched: 'yes' } } }, { type: 'merge' });
    await fixture.pass();
    expect(await fixture.get(endpoints, 'web')).toBeDefined();
  });

  test.each([
    ['1.9', false],
    ['1.18.20', false],
    ['1.19.0', true],
  ])('%s notices that the cache still showed the Endpoints of a recreated Service: %s', async (version, isRecreated) => {
    const faults = createFaults({});
    await using fixture = await createControllersFixture({ objects: shop, controllers, version, server: { faults } });
    await fixture.start();
    faults.stall({ resources: ['endpoints'] });
    await fixture.client.delete(services, web);
    await fixture.pass();
    await fixture.client.create(services, serviceFor('web'));
    await fixture.pass();
    faults.release();
    await fixture.pass(600_000);
    expect((await fixture.get(endpoints, 'web')) !== undefined).toBe(isRecreated);
  });

  test.each([
    ['1.9', 0],
    ['1.11.8', 0],
    ['1.11.9', 1],
    ['1.13.4', 0],
    ['1.14.0', 1],
    ['1.37', 1],
  ])('%s records failed writes: %i Events', async (version, count) => {
    const faults = createFaults({
      rules: [{ fault: 'internalError', message: 'no luck', verbs: ['create'], resources: ['endpoints'], when: 'always' }],
    });
    const wrapPort = faults.port;
    await using fixture = await createControllersFixture({ objects: shop, controllers, version, maxRetries: 2, wrapPort });
    await fixture.start();
    expect(fixture.outcomes('endpoints', 'shop/web')).toEqual(['retried', 'retried', 'dropped']);
    expect((await fixture.client.list(events)).items).toHaveLength(count);
  });

  test.each([
    ['1.9', ['retried', 'retried', 'dropped']],
    ['1.16.15', ['retried', 'retried', 'dropped']],
    ['1.17.0', ['success']],
  ])('%s retries a create that a terminating namespace refuses: %j', async (version, outcomes) => {
    const server = { background: false };
    await using fixture = await createControllersFixture({ objects: shop, controllers, version, maxRetries: 2, server });
    await fixture.client.delete(namespaces, { name: 'shop' });
    await fixture.start();
    await fixture.pass(60_000);
    expect(fixture.outcomes('endpoints', 'shop/web')).toEqual(outcomes);
    expect(fixture.takeWrites()).toEqual(outcomes.map(() => ({ verb: 'create', resource: 'endpoints', name: 'web', failed: 'Forbidden' })));
  });
});

test.each([
  ['1.21', ['retried', 'dropped']],
  ['1.25.16', ['retried', 'dropped']],
  ['1.26.0', ['retried', 'retried']],
  ['1.37', ['retried', 'retried']],
])('the EndpointSlice controller of %s has retried nine times after 400 s if no delay is over 100 s: %j', async (version, outcomes) => {
  const faults = createFaults({
    rules: [{ fault: 'internalError', verbs: ['create'], resources: ['endpointslices.discovery.k8s.io'], when: 'always' }],
  });
  await using fixture = await createControllersFixture({
    objects: [nodeFor('n1'), ...shop],
    controllers: ['endpointslices'],
    version,
    maxRetries: 9,
    wrapPort: faults.port,
  });
  await fixture.start();
  await fixture.pass(400_000);
  expect(fixture.outcomes('endpointslices', 'shop/web').slice(-2)).toEqual(outcomes);
});
