import { Buffer } from 'node:buffer';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ApiServer, createApiServer, type Listening } from '../../src/index.ts';
import { createClock, type ManualClock } from '../store/support.ts';
import { sendRequest } from './support.ts';

const serviceAccounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true };
const path = '/api/v1/namespaces/default/serviceaccounts/builder/token';

interface Fixture extends AsyncDisposable {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  readonly listening: Listening;
  post(path: string, body: object): Promise<{ readonly code: number; readonly json: ApiObject & Readonly<Record<string, never>> }>;
}

async function createFixture(): Promise<Fixture> {
  const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
  const server = await createApiServer({ clock });
  await server.client.create(serviceAccounts, { metadata: { name: 'builder', namespace: 'default' } });
  const listening = await server.listen({ tls: false });
  return {
    server,
    clock,
    listening,
    async post(target, body) {
      const { code, body: text } = await sendRequest(listening, target, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
      return { code, json: JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const statusOf = (object: ApiObject): { token: string; expirationTimestamp: string } => object['status'] as never;

const issue = async ({ post }: Fixture, spec: object = {}): Promise<string> => statusOf((await post(path, { spec })).json).token;

const review = async ({ post }: Fixture, token: string, audiences: readonly string[] = []): Promise<unknown> =>
  (await post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token, audiences } })).json['status'];

const whoAmI = async ({ listening }: Fixture, token: string): Promise<unknown> => {
  const { code, body } = await sendRequest(listening, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    token,
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  return code === 201 ? JSON.parse(body).status.userInfo.username : code;
};

describe('a token of a ServiceAccount', () => {
  test('has the claims of Kubernetes and an expiration time', async () => {
    await using fixture = await createFixture();
    const { code, json } = await fixture.post(path, { spec: { audiences: ['vault'], expirationSeconds: 600 } });
    expect(code).toBe(201);
    expect(json).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'builder', namespace: 'default' },
      spec: { audiences: ['vault'], expirationSeconds: 600 },
    });
    expect(statusOf(json).expirationTimestamp).toBe('2026-01-02T03:14:05Z');
    const [, claims = ''] = statusOf(json).token.split('.');
    const { metadata } = await fixture.server.client.get(serviceAccounts, { namespace: 'default', name: 'builder' });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:default:builder',
      aud: ['vault'],
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'builder', uid: metadata.uid } },
    });
  });

  test('authenticates its requests until it expires', async () => {
    await using fixture = await createFixture();
    const token = await issue(fixture);
    expect(await whoAmI(fixture, token)).toBe('system:serviceaccount:default:builder');
    expect(await review(fixture, token)).toMatchObject({
      authenticated: true,
      user: { groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'] },
    });
    fixture.clock.advance(3600_000);
    expect(await whoAmI(fixture, token)).toBe(401);
  });

  test('is valid for its audiences only', async () => {
    await using fixture = await createFixture();
    const token = await issue(fixture, { audiences: ['vault'] });
    expect(await whoAmI(fixture, token)).toBe(401);
    expect(await review(fixture, token, ['vault'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await review(fixture, token)).toStrictEqual({ user: {}, error: 'invalid bearer token' });
  });

  test('becomes invalid when its ServiceAccount is replaced, or its Pod is deleted', async () => {
    await using fixture = await createFixture();
    const { client } = fixture.server;
    const spec = { serviceAccountName: 'builder', containers: [{ name: 'a', image: 'a:1' }] };
    await client.create(resources.pods, { metadata: { name: 'web', namespace: 'default' }, spec } as ApiObject);
    const token = await issue(fixture);
    const bound = await issue(fixture, { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } });
    expect(await whoAmI(fixture, bound)).toBe('system:serviceaccount:default:builder');
    await client.delete(resources.pods, { namespace: 'default', name: 'web' });
    expect([await whoAmI(fixture, bound), await whoAmI(fixture, token)]).toStrictEqual([401, 'system:serviceaccount:default:builder']);
    await client.delete(serviceAccounts, { namespace: 'default', name: 'builder' });
    await client.create(serviceAccounts, { metadata: { name: 'builder', namespace: 'default' } });
    expect(await whoAmI(fixture, token)).toBe(401);
  });

  test('that was changed or signed by another server is refused', async () => {
    await using fixture = await createFixture();
    await using other = await createFixture();
    const [header, , signature] = (await issue(fixture)).split('.');
    const [, claims] = (await issue(fixture)).split('.');
    expect(await whoAmI(fixture, `${header}.${claims}.${signature}`)).toBe(401);
    expect(await whoAmI(fixture, await issue(other))).toBe(401);
    expect(await whoAmI(fixture, 'a.b.c')).toBe(401);
  });
});

test.each([
  [{ expirationSeconds: 599 }, 422, 'may not specify a duration less than 10 minutes'],
  [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } }, 404, 'pods "web" not found'],
  [{ boundObjectRef: { kind: 'Service', apiVersion: 'v1', name: 'web' } }, 400, 'cannot bind token to object of type /v1, Kind=Service'],
])('the TokenRequest %j is answered with %i', async (spec, code, message) => {
  await using fixture = await createFixture();
  const answer = await fixture.post(path, { spec });
  expect([answer.code, (answer.json as unknown as { message: string }).message]).toStrictEqual([code, expect.stringContaining(message)]);
});
