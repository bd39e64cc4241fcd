import { createApiServer } from '@kube-endpoints/apiserver';
import { createOverrides } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { systemClock } from 'kube-endpoints/port';
import { expect, onTestFinished, test } from 'vitest';
import { endpointsOf, removalRules } from '../../../../overrides/test/webhook/support.ts';
import { createLiveContext } from '../../../src/live/webhook/context.ts';

const metadata = { namespace: 'shop', name: 'web', labels: { tier: 'gold' } };
const slice = (name: string): object => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'shop', name, labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }],
  ports: [{ port: 80 }],
});
const request = {
  uid: 'u',
  kind: 'EndpointSlice',
  operation: 'UPDATE',
  namespace: 'shop',
  name: 'web-a',
  serviceName: 'web',
  dryRun: false,
} as const satisfies ReviewedRequest;

test('the live context looks up the Service, pods and other slices of a request, and evaluates rules', async () => {
  const server = await createApiServer({
    objects: [
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'shop', name: 'web-1', labels: { app: 'web' }, annotations: { note: 'kept' } },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      },
      endpointsOf('10.0.0.1', '10.0.0.2'),
      slice('web-a'),
      slice('web-b'),
    ] as never,
  });
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await server.close();
  });
  const context = createLiveContext({
    port: server.client,
    clock: systemClock,
    random: Math.random,
    onEvent: () => undefined,
    signal: stop.signal,
  });
  const object = slice('web-a') as never;
  expect(context.ready).toBe(false);
  // Lookups wait until the caches have synced.
  const reviewContext = await context.lookUp(request, object);
  expect(context.ready).toBe(true);
  expect(reviewContext).toMatchObject({
    service: { metadata: { labels: { tier: 'gold' } } },
    otherSlices: [{ metadata: { name: 'web-b' } }],
  });
  expect(reviewContext).not.toHaveProperty('pods');
  context.setRules(createOverrides({ rules: [{ name: 'x', addresses: { podLabels: 'app=web' }, action: { keepOut: {} } }] }));
  expect(context.ready).toBe(false);
  await context.synced();
  expect(await context.lookUp(request, object)).toMatchObject({ pods: [{ metadata: { name: 'web-1', annotations: { note: 'kept' } } }] });
  expect(await context.lookUp({ ...request, serviceName: undefined }, object)).toMatchObject({ service: undefined, otherSlices: [] });
  const evaluated = [...context.evaluate(createOverrides(removalRules))];
  expect(evaluated.map(({ name, service, result }) => [name, service, result.changed])).toEqual([
    ['web', 'shop/web', true],
    ['web-a', 'shop/web', false],
    ['web-b', 'shop/web', false],
  ]);
});
