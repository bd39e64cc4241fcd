import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { ApiError, type ApiObject, resources } from 'kube-endpoints/port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWarnings } from '../../src/http/warnings.ts';
import type { UpdateOptions, User } from '../../src/registry/index.ts';
import { behaviours } from './flows/behaviours.ts';
import { createConfiguration, type Flow, flowResources } from './flows/flow.ts';
import { flows } from './flows/flows.ts';
import { createOutcome, type Outcome } from './flows/outcome.ts';
import { createAuthority } from './support/certificates.ts';
import { configurationResources, createFixture, type Fixture } from './support/fixture.ts';
import { startWebhookServer, type WebhookServer } from './support/webhook-server.ts';

/** The outcome of each flow (an API call with webhooks) in kube-apiserver 1.36.3, recorded by flows/record.ts. */
const recordedOutcomes = new Map(
  readFileSync(new URL('./flows/outcomes.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { name, ...outcome } = JSON.parse(line) as Outcome & { readonly name: string };
      return [name, outcome] as const;
    }),
);

/** Flows whose outcome differs, because kube-apiserver follows redirects (after a 302 without the body) and this server does not. */
const redirectFlows = new Set(['mutating redirect-302', 'mutating redirect-307']);

let authority: string;
let server: WebhookServer;

beforeAll(async () => {
  const testAuthority = await createAuthority();
  authority = testAuthority.certificate;
  server = await startWebhookServer(await testAuthority.issue(['127.0.0.1', 'hook.flows.svc']), behaviours);
});
afterAll(() => server.close());

describe('flows have the outcome recorded from kube-apiserver', () => {
  it.each(flows.filter(({ name }) => !redirectFlows.has(name)))('$name', async (flow) => {
    expect(await run(flow)).toEqual(recordedOutcomes.get(flow.name));
  });
});

it.each([
  ['redirect-302', 302],
  ['redirect-307', 307],
])('the redirect %s is not followed', async (path, code) => {
  const outcome = await run({ ...(flows.find(({ name }) => name === `mutating ${path}`) as Flow), name: 'redirected' });
  expect(outcome.calls).toEqual([`/${path}?timeout=5s CREATE`]);
  expect(outcome.failure?.['message']).toBe(
    `Internal error occurred: failed calling webhook "${path}.0.example.com": failed to call webhook: ` +
      `the server responded with the status code ${code} but did not return more information`,
  );
});

async function run(flow: Flow): Promise<Outcome> {
  const fixture = createFixture();
  try {
    for (const name of ['flows', 'other'])
      await fixture.registry.create(resources.namespaces, undefined, { metadata: { name, labels: { team: 'a' } } });
    for (const { resource, body } of flow.existingObjects ?? [])
      await fixture.registry.create(resourceOf(resource), namespaceOf(resource), body as ApiObject);
    for (const kind of ['mutating', 'validating'] as const) {
      for (const [name, hooks] of Object.entries(flow[kind] ?? {})) {
        const kindPrefix = kind === 'mutating' ? 'Mutating' : 'Validating';
        await fixture.registry.create(
          configurationResources[kind],
          undefined,
          createConfiguration(kindPrefix, name, hooks, server.port, authority) as unknown as ApiObject,
        );
      }
    }
    server.clearReceivedReviews();
    const stopAdvancing = advanceClockForSlowWebhook(flow, fixture);
    const answer = await callServer(flow, fixture);
    stopAdvancing();
    return createOutcome(flow, answer, [...server.receivedReviews], server.port);
  } finally {
    fixture.admission.close();
  }
}

/** For webhooks that never answer, advances the clock once the call has started. */
function advanceClockForSlowWebhook({ mutating, validating }: Flow, { clock }: Fixture): () => void {
  const hook = Object.values(mutating ?? validating ?? {}).flat()[0];
  if (!hook?.path.startsWith('slow')) return () => undefined;
  const channel = hook.path === 'slow' ? 'http.server.request.start' : 'http.client.response.finish';
  const advance = (): void => void setImmediate(() => clock.advance(1000));
  subscribe(channel, advance);
  return () => unsubscribe(channel, advance);
}

interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

async function callServer(flow: Flow, fixture: Fixture): Promise<Answer> {
  const warnings = createWarnings();
  const decodeWarnings = (): string[] =>
    warnings.headers.map((header) => JSON.parse(Buffer.from(header.replace(/^299 - /, ''), 'latin1').toString('utf8')) as string);
  try {
    const body = await perform(flow, fixture, (warning) => warnings.add(warning));
    return { code: flow.call.verb === 'create' ? 201 : 200, body: JSON.parse(JSON.stringify(body)), warnings: decodeWarnings() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, body: JSON.parse(JSON.stringify(error.status)), warnings: decodeWarnings() };
  }
}

const user: User = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

async function perform({ call }: Flow, { registry }: Fixture, warn: (warning: string) => void): Promise<unknown> {
  const { verb, resource: resourceKey, name = '', subresource, query = '' } = call;
  const parameters = new URLSearchParams(query);
  const body = (call.body ?? {}) as unknown as ApiObject;
  const resource = resourceOf(resourceKey);
  const namespace = namespaceOf(resourceKey);
  const key = { ...(namespace && { namespace }), name };
  const options: UpdateOptions = {
    warn,
    user,
    dryRun: parameters.has('dryRun'),
    ...(parameters.has('fieldManager') && { fieldManager: parameters.get('fieldManager') as string }),
    ...(parameters.has('fieldValidation') && { fieldValidation: 'Strict' as const }),
    ...(subresource && { subresource }),
  };
  if (subresource === 'binding') return registry.bind(key, withNamespace(body), options);
  if (subresource === 'eviction') return registry.evict(key, withNamespace(body), options);
  if (verb === 'create') return registry.create(resource, namespace, body, options);
  if (verb === 'update') return registry.update(resource, key, () => body, options);
  if (verb === 'patch') return registry.patch(resource, key, body, { type: 'merge', ...options });
  const { propagationPolicy } = body as { readonly propagationPolicy?: 'Background' };
  const deleteOptions = { warn, user, ...(propagationPolicy && { propagationPolicy }) };
  if (verb === 'delete') {
    await registry.delete(resource, key, deleteOptions);
    return {};
  }
  const selection = {
    namespace: 'flows',
    fieldSelector: parameters.get('fieldSelector') ?? '',
    labelSelector: parameters.get('labelSelector') ?? '',
  };
  await registry.deleteCollection(resource, selection, deleteOptions);
  return {};
}

/** Sets the namespace as the routes do. */
const withNamespace = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, namespace: 'flows' } });

const resourceOf = (name: string) => flowResources[name] as (typeof flowResources)[string];

const namespaceOf = (name: string): string | undefined => (resourceOf(name).namespaced ? 'flows' : undefined);
