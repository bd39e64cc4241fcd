import { type ApiObject, type PatchType, resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApiServer, createApiServer, type Listening } from '../../src/index.ts';
import { sendRequest } from '../server/support.ts';

const users = ['alice', 'bob', 'binder', 'escalator'];
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiVersion = 'rbac.authorization.k8s.io/v1';

const role = (name: string, verbs: readonly string[], fields: object = {}): ApiObject =>
  ({
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
    ...fields,
  }) as ApiObject;

const binding = (name: string, user: string, roleName: string, namespace?: string): ApiObject =>
  ({
    apiVersion,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
  }) as ApiObject;

const rolesRule = (...verbs: string[]) => ({
  rules: [{ verbs, apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] }],
});

const objects = [
  role('read-pods', ['get', 'list']),
  role('write-roles', [], rolesRule('create', 'get', 'update', 'patch')),
  role('bind', [], rolesRule('create', 'bind')),
  role('escalate', [], rolesRule('create', 'update', 'escalate')),
  binding('alice-reads', 'alice', 'read-pods'),
  binding('alice-writes', 'alice', 'write-roles'),
  binding('binds', 'binder', 'bind'),
  binding('escalates', 'escalator', 'escalate'),
];

interface Fixture {
  readonly server: ApiServer;
  readonly listening: Listening;
  send(user: string, method: string, path: string, body?: object, type?: string): Promise<{ code: number; json: Record<string, unknown> }>;
}

async function createFixture(options: Parameters<typeof createApiServer>[0] = {}): Promise<Fixture> {
  const server = await createApiServer({ authorization: 'rbac', objects, ...options });
  onTestFinished(() => server.close());
  const tokens = [{ token: 'admin' }, ...users.map((user) => ({ token: user, user: { username: user, groups: [] } }))];
  const listening = await server.listen({ tls: false, tokens });
  return {
    server,
    listening,
    async send(user, method, path, body, type = 'application/json') {
      const headers = { 'content-type': type };
      const reply = await sendRequest(listening, path, { method, token: user, headers, ...(body && { body: JSON.stringify(body) }) });
      return { code: reply.code, json: reply.body.startsWith('{') ? JSON.parse(reply.body) : {} };
    },
  };
}

describe('an API server with RBAC', () => {
  it('allows clients what their roles allow', async () => {
    const { send, server } = await createFixture();
    expect((await send('alice', 'GET', '/api/v1/namespaces/default/pods')).code).toBe(200);
    expect((await send('bob', 'GET', '/api/v1/namespaces/default/pods')).json).toMatchObject({
      code: 403,
      message: 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
    });
    expect((await send('admin', 'DELETE', `${rbac}/clusterrolebindings/alice-reads`)).code).toBe(200);
    expect((await send('alice', 'GET', '/api/v1/pods')).code).toBe(403);
    // In-process calls need no permission.
    expect((await server.client.list(resources.pods)).items).toStrictEqual([]);
  });

  it('has the roles and bindings of a new cluster, so that every user may use discovery', async () => {
    const { send } = await createFixture();
    for (const path of ['/api', '/apis/apps/v1', '/openapi/v2', '/healthz']) expect((await send('bob', 'GET', path)).code, path).toBe(200);
    expect((await send('bob', 'GET', '/metrics')).code).toBe(403);
    const names = ((await send('admin', 'GET', `${rbac}/clusterroles`)).json['items'] as ApiObject[]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(
      expect.arrayContaining(['admin', 'cluster-admin', 'edit', 'view', 'system:discovery', 'system:controller:job-controller']),
    );
  });

  it('fills aggregated roles', async () => {
    const { server, send } = await createFixture({ objects: [binding('b', 'bob', 'view', 'default')] });
    await server.settle();
    expect((await send('bob', 'GET', '/api/v1/namespaces/default/services')).code).toBe(200);
    expect((await send('bob', 'GET', '/api/v1/namespaces/default/secrets')).code).toBe(403);
    const extension = role('mine', ['list'], {
      metadata: { name: 'mine', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ verbs: ['list'], apiGroups: [''], resources: ['secrets'] }],
    });
    expect((await send('admin', 'POST', `${rbac}/clusterroles`, extension)).code).toBe(201);
    await server.settle();
    expect((await send('bob', 'GET', '/api/v1/namespaces/default/secrets')).code).toBe(200);
  });

  it('loads roles of a cluster that exist in a new cluster, too', async () => {
    const { send } = await createFixture({ objects: [role('view', ['list']), binding('b', 'bob', 'view')] });
    expect((await send('admin', 'GET', `${rbac}/clusterroles/view`)).json['rules']).toStrictEqual([
      { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
    ]);
    expect((await send('bob', 'GET', '/api/v1/pods')).code).toBe(200);
  });
});

describe('a write of a role', () => {
  it('may grant only permissions that the user holds', async () => {
    const { send } = await createFixture();
    expect((await send('alice', 'POST', `${rbac}/clusterroles`, role('mine', ['get']))).code).toBe(201);
    const refused = await send('alice', 'POST', `${rbac}/clusterroles`, role('more', ['get', 'delete']));
    expect(refused.json).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: [
        'clusterroles.rbac.authorization.k8s.io "more" is forbidden: user "alice" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
      ].join('\n'),
      details: { name: 'more', group: 'rbac.authorization.k8s.io', kind: 'clusterroles' },
    });
    expect((await send('admin', 'POST', `${rbac}/clusterroles`, role('more', ['get', 'delete']))).code).toBe(201);
  });

  it.each<[string, PatchType | 'put', object, string]>([
    ['a PUT', 'put', role('mine', ['*']), 'application/json'],
    ['a merge patch', 'merge', { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] }, 'application/merge-patch+json'],
    ['an apply', 'apply', role('mine', ['*']), 'application/apply-patch+yaml'],
  ])('is checked in %s, unless only ownership changes', async (_, method, body, type) => {
    const { send } = await createFixture({ objects: [...objects, role('mine', ['get', 'watch'])] });
    const path = `${rbac}/clusterroles/mine`;
    const refused = await send(
      'alice',
      method === 'put' ? 'PUT' : 'PATCH',
      `${path}?fieldManager=m&force=true`.replace(method === 'apply' ? '' : '&force=true', ''),
      body,
      type,
    );
    expect(refused.json).toMatchObject({ code: 403, message: expect.stringContaining('permissions not currently held') });
    const owned = { metadata: { finalizers: ['example.com/a'] } };
    expect((await send('alice', 'PATCH', path, owned, 'application/merge-patch+json')).code).toBe(200);
    const labelled = { metadata: { labels: { a: 'b' } } };
    expect((await send('alice', 'PATCH', path, labelled, 'application/merge-patch+json')).code).toBe(403);
  });

  it('may grant everything with the verb escalate', async () => {
    const { send } = await createFixture();
    expect((await send('escalator', 'POST', `${rbac}/clusterroles`, role('more', ['*']))).code).toBe(201);
  });

  it('may aggregate only as an administrator of the cluster', async () => {
    const { send } = await createFixture();
    const aggregated = role('sum', [], { rules: [], aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
    expect((await send('alice', 'POST', `${rbac}/clusterroles`, aggregated)).json['message']).toBe(
      'clusterroles.rbac.authorization.k8s.io "sum" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });

  it('is checked after an admission function changed it', async () => {
    const { send } = await createFixture({
      admission: [
        {
          mutate: ({ object }) =>
            object?.kind === 'ClusterRole' && object.metadata.name === 'mine' ? { ...object, rules: allRules } : undefined,
        },
      ],
    });
    expect((await send('alice', 'POST', `${rbac}/clusterroles`, role('mine', ['get']))).code).toBe(403);
  });

  const allRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
});

describe('a write of a binding', () => {
  it('may refer only to roles whose permissions the user holds, or that it may bind', async () => {
    const { send } = await createFixture();
    const path = `${rbac}/clusterrolebindings`;
    expect((await send('alice', 'POST', path, binding('b1', 'bob', 'read-pods'))).code).toBe(201);
    expect((await send('alice', 'POST', path, binding('b2', 'bob', 'cluster-admin'))).json).toMatchObject({
      code: 403,
      message: expect.stringMatching(
        /^clusterrolebindings\.rbac\.authorization\.k8s\.io "b2" is forbidden: user "alice" .*not currently held:\n\{APIGroups:\["\*"\], Resources:\["\*"\], Verbs:\["\*"\]\}\n\{NonResourceURLs:\["\*"\], Verbs:\["\*"\]\}$/,
      ),
    });
    expect((await send('binder', 'POST', path, binding('b2', 'bob', 'cluster-admin'))).code).toBe(201);
    expect((await send('bob', 'GET', '/metrics')).code).toBe(200);
  });

  it('may not refer to a missing role, except with the verb bind', async () => {
    const { send } = await createFixture();
    const path = `${rbac}/namespaces/default/rolebindings`;
    expect((await send('alice', 'POST', path, binding('b', 'bob', 'gone', 'default'))).json).toMatchObject({
      code: 404,
      message: 'clusterroles.rbac.authorization.k8s.io "gone" not found',
    });
    expect((await send('binder', 'POST', path, binding('b', 'bob', 'gone', 'default'))).code).toBe(201);
    expect((await send('admin', 'POST', path, binding('c', 'bob', 'gone', 'default'))).code).toBe(201);
  });
});
