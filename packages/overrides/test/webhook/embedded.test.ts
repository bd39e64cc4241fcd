import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOverrides } from '../../src/index.ts';
import { createWebhookServer, mutatingWebhookConfiguration } from '../../src/webhook/index.ts';
import { createWebhookClock, endpointsOf, type RunningWebhook, readMetric, removalRules, serve } from './support.ts';

const mutatingConfigurations: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  namespaced: false,
};

/** An embedded API server that calls a webhook over HTTPS. Its clock does not advance, so a busy machine causes no timeout. */
async function startApiServer(
  { url, ca }: Pick<RunningWebhook, 'url' | 'ca'>,
  failurePolicy: 'Ignore' | 'Fail' = 'Ignore',
): Promise<ApiServer> {
  const server = await createApiServer({ clock: createWebhookClock() });
  onTestFinished(() => server.close());
  await server.client.create(resources.namespaces, { metadata: { name: 'shop' } });
  const manifest = mutatingWebhookConfiguration({ name: 'webhook', namespace: 'kube-endpoints', ca, failurePolicy, timeoutSeconds: 2 });
  const [webhook] = manifest['webhooks'] as readonly { readonly clientConfig: { readonly caBundle: string } }[];
  const clientConfig = { url: `${url}/mutate`, caBundle: webhook?.clientConfig.caBundle };
  await server.client.create(mutatingConfigurations, { ...manifest, webhooks: [{ ...webhook, clientConfig }] } as unknown as ApiObject);
  return server;
}

const ipsIn = (object: ApiObject): readonly string[] =>
  ((object['subsets'] ?? []) as readonly { readonly addresses?: readonly { readonly ip: string }[] }[]).flatMap(({ addresses = [] }) =>
    addresses.map(({ ip }) => ip),
  );

const twoAddressEndpoints = endpointsOf('10.0.0.1', '10.0.0.2') as unknown as ApiObject;
const slice: ApiObject = {
  metadata: { name: 'web-x', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }],
  ports: [{ port: 80 }],
};

describe('an API server that calls the webhook', () => {
  it('stores endpoints as changed by the rules', async () => {
    const target = await serve();
    const { client } = await startApiServer(target);
    expect(ipsIn(await client.create(resources.endpoints, twoAddressEndpoints))).toEqual(['10.0.0.1']);
    const stored = await client.get(resources.endpoints, { namespace: 'shop', name: 'web' });
    const updated = await client.update(resources.endpoints, { ...twoAddressEndpoints, metadata: stored.metadata });
    // The changed object equals the stored one, so repeated writes of a controller change nothing.
    expect(updated.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    const patched = await client.patch(
      resources.endpoints,
      { namespace: 'shop', name: 'web' },
      { subsets: twoAddressEndpoints['subsets'] },
      { type: 'merge' },
    );
    expect(patched.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    const created = await client.create(resources.endpointSlices, slice);
    expect(created['endpoints']).toEqual([expect.objectContaining({ addresses: ['10.0.0.1'] })]);
    expect(await readMetric(target.server, 'reviews_total', { operation: 'UPDATE', kind: 'Endpoints', changed: 'true' })).toBe(2);
    expect(await readMetric(target.server, 'reviews_total', { operation: 'CREATE', kind: 'EndpointSlice', changed: 'true' })).toBe(1);
  });

  it('refuses writes that the rules refuse', async () => {
    const rules = { rules: [{ name: 'no-loopback', action: { refuse: { presets: ['loopback'] as const } } }] };
    const { client } = await startApiServer(await serve({ overrides: createOverrides(rules) }));
    const refusedWrite = client.create(resources.endpoints, endpointsOf('127.0.0.53') as unknown as ApiObject);
    await expect(refusedWrite).rejects.toThrow(/admission webhook "endpoints\.kube-endpoints\.dev" denied the request: .*no-loopback/);
  });

  it('applies new rules immediately', async () => {
    const target = await serve();
    const { client } = await startApiServer(target);
    await client.create(resources.endpoints, twoAddressEndpoints);
    const newRules = { rules: [{ name: 'one-out', addresses: { ranges: ['10.0.0.1'] }, action: { keepOut: { as: 'absent' as const } } }] };
    target.server.setOverrides(createOverrides(newRules));
    expect(ipsIn(await client.update(resources.endpoints, twoAddressEndpoints))).toEqual(['10.0.0.2']);
  });

  it.each([
    ['Ignore', ['10.0.0.1', '10.0.0.2']],
    ['Fail', undefined],
  ] as const)('follows failure policy %s while the webhook is down, and calls it again once it is back', async (policy, storedIPs) => {
    const target = await serve();
    const { client } = await startApiServer(target, policy);
    const write = (): Promise<ApiObject> => client.update(resources.endpoints, twoAddressEndpoints);
    await client.create(resources.endpoints, twoAddressEndpoints);
    await target.server.close({ drainMs: 0 });
    if (storedIPs) expect(ipsIn(await write())).toEqual(storedIPs);
    else await expect(write()).rejects.toThrow(/failed calling webhook/);
    const restartedWebhook = createWebhookServer({
      tls: target.certificate,
      overrides: createOverrides(removalRules),
      processMetrics: false,
    });
    onTestFinished(() => restartedWebhook.close({ drainMs: 0 }));
    await restartedWebhook.listen({ host: '127.0.0.1', port: target.port });
    expect(ipsIn(await write())).toEqual(['10.0.0.1']);
  });

  it('gets a response before its timeout', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock, context: () => new Promise(() => undefined) });
    const { client } = await startApiServer(target, 'Fail');
    const written = client.create(resources.endpoints, twoAddressEndpoints);
    while (clock.scheduled === 0) await new Promise(setImmediate);
    // The answer is due before the two-second timeout of the configuration.
    clock.advance(1_800);
    expect(ipsIn(await written)).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(await readMetric(target.server, 'policy_answers_total', { reason: 'late' })).toBe(1);
  });
});
