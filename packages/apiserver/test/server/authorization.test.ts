import { describe, expect, it } from 'vitest';
import type { AccessAttributes, Authorizer } from '../../src/authorization/index.ts';
import type { Route } from '../../src/http/exchange.ts';
import { type Listening, listen } from '../../src/server/index.ts';
import { connectTo, head, parseStatus, type Reply, sendRequest, serve, text } from './support.ts';

const answerUser: Route = ({ user }) => text(JSON.stringify(user));

/** Serves with tokens for an administrator and for alice, who may do only what `allows` says. */
async function serveWith(allows: (attributes: AccessAttributes) => boolean): Promise<{ server: Listening; requests: AccessAttributes[] }> {
  const requests: AccessAttributes[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      requests.push(attributes);
      return { isAllowed: attributes.user.groups.includes('system:masters') || allows(attributes), reason: '' };
    },
    listRules: () => ({ rules: [], isIncomplete: false, problem: '' }),
  };
  const tokens = [{ token: 'secret' }, { token: 'alice', user: { username: 'alice', groups: ['dev'] } }];
  return { server: await serve(answerUser, { tokens, authorizer } as Parameters<typeof listen>[1] & object), requests };
}

const asAlice = (server: Listening, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Reply> =>
  sendRequest(server, path, { token: 'alice', headers, method });

const userOf = ({ body }: Reply): unknown => JSON.parse(body);

describe('authorization of a request', () => {
  it('answers a denied request with 403, in the format that the client accepts', async () => {
    const { server } = await serveWith(() => false);
    const reply = await asAlice(server, '/api/v1/namespaces/default/pods/web');
    expect(reply).toMatchObject({ code: 403, headers: { 'content-type': 'application/json' } });
    expect(parseStatus(reply)).toMatchObject({
      reason: 'Forbidden',
      message: 'pods "web" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "default"',
      details: { name: 'web', kind: 'pods' },
    });
    const yaml = await asAlice(server, '/metrics', { accept: 'application/yaml' });
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(yaml.body).toContain('code: 403\n');
    expect(yaml.body).toContain('User "alice" cannot get path "/metrics"');
  });

  it('allows all requests without an authorizer', async () => {
    const server = await serve(answerUser, { tokens: [{ token: 'alice', user: { username: 'alice', groups: [] } }] });
    expect(userOf(await sendRequest(server, '/api/v1/pods'))).toStrictEqual({ username: 'alice', groups: ['system:authenticated'] });
  });

  it.each<[string, string, Partial<AccessAttributes>]>([
    ['GET', '/api/v1/pods', { verb: 'list', resource: 'pods', group: '', version: 'v1', subresource: '', name: '' }],
    ['GET', '/api/v1/pods?watch=1', { verb: 'watch' }],
    ['GET', '/api/v1/watch/namespaces/a/pods', { verb: 'watch', namespace: 'a', resource: 'pods' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', namespace: 'a', resource: 'namespaces', name: 'a' }],
    ['PUT', '/api/v1/namespaces/a/finalize', { verb: 'update', namespace: 'a', resource: 'namespaces', subresource: 'finalize' }],
    ['POST', '/api/v1/namespaces/a/pods/b/eviction', { verb: 'create', resource: 'pods', subresource: 'eviction', name: 'b' }],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments', { verb: 'deletecollection', group: 'apps', resource: 'deployments' }],
    ['HEAD', '/apis/apps/v1/namespaces/a/deployments/b', { verb: 'get', group: 'apps' }],
    ['OPTIONS', '/api/v1/pods', { verb: '', resource: 'pods' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Db', { verb: 'list', name: 'b' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Db', { verb: 'list', name: '' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb', { verb: 'list', name: '' }],
    ['GET', '/api/v1/pods?fieldSelector=%3D%3D', { verb: 'list', name: '' }],
    ['DELETE', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Db', { verb: 'deletecollection', name: '' }],
    ['GET', '/apis/apps/v1', { verb: 'get', path: '/apis/apps/v1' }],
    ['POST', '/version/', { verb: 'post', path: '/version/' }],
  ])('%s %s is a request for %j', async (method, path, expected) => {
    const { server, requests } = await serveWith(() => true);
    await asAlice(server, path, {}, method);
    expect(requests[0]).toMatchObject({ ...expected, user: { username: 'alice', groups: ['dev', 'system:authenticated'] } });
    expect(requests[0]?.resource).toBe(expected.path === undefined ? (expected.resource ?? requests[0]?.resource) : undefined);
  });

  it('leaves malformed paths to the routes', async () => {
    const { server, requests } = await serveWith(() => false);
    expect((await asAlice(server, '/api/v1/%zz')).code).toBe(200);
    expect(requests).toStrictEqual([]);
  });
});

describe('impersonation', () => {
  it('acts as the user, even if everything is allowed', async () => {
    const server = await serve(answerUser);
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Extra-Team': 'blue', 'Impersonate-Uid': 'u1' };
    expect(userOf(await sendRequest(server, '/', { headers }))).toStrictEqual({
      username: 'bob',
      groups: ['system:authenticated'],
      uid: 'u1',
      extra: { team: ['blue'] },
    });
  });

  it('keeps repeated headers apart', async () => {
    const server = await serve(answerUser);
    const client = connectTo(server);
    client.send(head('GET /', { 'Impersonate-User': 'bob', 'Impersonate-Group': 'a, b', 'impersonate-group': 'c' }));
    expect(await client.until(/\}$/)).toContain('{"username":"bob","groups":["a, b","c","system:authenticated"]}');
  });

  it('authorizes the impersonation as the sender, and the request as the user', async () => {
    const { server, requests } = await serveWith(({ user, verb }) => verb === 'impersonate' || user.username === 'bob');
    expect(userOf(await asAlice(server, '/api/v1/pods', { 'Impersonate-User': 'bob' }))).toMatchObject({ username: 'bob' });
    expect(requests.map(({ user, verb }) => `${user.username} ${verb}`)).toStrictEqual([
      'alice impersonate-on:user-info:list',
      'alice impersonate',
      'bob list',
    ]);
    expect((await asAlice(server, '/api/v1/pods', { 'Impersonate-User': 'carol' })).code).toBe(403);
  });

  it('refuses groups without a user', async () => {
    const server = await serve(answerUser);
    expect(parseStatus(await sendRequest(server, '/', { headers: { 'Impersonate-Group': 'a' } }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: expect.stringContaining('without impersonating a user name'),
    });
  });
});

describe('users of tokens', () => {
  it.each([
    [{}, 'tokens[0].user has no username'],
    [{ username: 'a' }, 'tokens[0].user.groups is not a list of names'],
    [null, 'tokens[0].user has no username'],
  ])('%j is refused', async (user, message) => {
    await expect(listen(answerUser, { tls: false, tokens: [{ token: 'x', user: user as never }] })).rejects.toThrow(message);
  });
});
