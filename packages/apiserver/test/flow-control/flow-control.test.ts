import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createBootstrapObjects, flowSchemas, priorityLevels } from '../../src/flow-control/index.ts';
import { type ApiServer, createApiServer, createFunctionAdmission, type Listening } from '../../src/index.ts';

const users = {
  admin: { username: 'admin', groups: ['system:masters'] },
  alice: { username: 'alice', groups: [] },
  account: { username: 'system:serviceaccount:shop:web', groups: ['system:serviceaccounts'] },
  controller: { username: 'system:serviceaccount:kube-system:job-controller', groups: ['system:serviceaccounts'] },
  manager: { username: 'system:kube-controller-manager', groups: [] },
  scheduler: { username: 'system:kube-scheduler', groups: [] },
  node: { username: 'system:node:a', groups: ['system:nodes'] },
};
const tokens = Object.entries(users).map(([token, user]) => ({ token, user }));

const listen = (server: ApiServer): Promise<Listening> => server.listen({ tls: false, tokens, anonymous: true });

const send = (url: string, path: string, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, { ...init, headers: { ...(token !== '' && { authorization: `Bearer ${token}` }), ...init.headers } });

/** The names of the FlowSchema and the priority level in the headers of an answer. */
async function flowOf(server: ApiServer, { headers }: Response): Promise<readonly (string | undefined)[]> {
  const nameOf = async (resource: typeof flowSchemas, header: string): Promise<string | undefined> =>
    (await server.client.list(resource)).items.find(({ metadata }) => metadata.uid === headers.get(header))?.metadata.name;
  return [await nameOf(flowSchemas, 'X-Kubernetes-PF-FlowSchema-UID'), await nameOf(priorityLevels, 'X-Kubernetes-PF-PriorityLevel-UID')];
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const createSchema = (name: string, level: string, matchingPrecedence: number, user: string): ApiObject =>
  ({
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      rules: [
        { subjects: [{ kind: 'User', user: { name: user } }], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version/*'] }] },
      ],
    },
  }) as ApiObject;

const createLevel = (name: string): ApiObject =>
  ({ metadata: { name }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } }) as ApiObject;

async function danglingOf(server: ApiServer, name: string): Promise<object | undefined> {
  await server.settle();
  const { status } = (await server.client.get(flowSchemas, { name })) as ApiObject & { status?: { conditions?: object[] } };
  return status?.conditions?.[0];
}

describe('the flow of a request', () => {
  test.each([
    ['admin', 'GET', '/api/v1/pods', 'exempt', 'exempt'],
    ['admin', 'GET', '/version', 'exempt', 'exempt'],
    ['alice', 'GET', '/healthz', 'probes', 'exempt'],
    ['alice', 'GET', '/livez/ping', 'probes', 'exempt'],
    ['alice', 'GET', '/api/v1/pods', 'global-default', 'global-default'],
    ['alice', 'GET', '/metrics', 'global-default', 'global-default'],
    ['', 'GET', '/api/v1/nodes', 'global-default', 'global-default'],
    ['account', 'GET', '/api/v1/namespaces/shop/pods', 'service-accounts', 'workload-low'],
    ['account', 'GET', `${leases}/a`, 'service-accounts', 'workload-low'],
    ['controller', 'GET', '/api/v1/pods', 'kube-system-service-accounts', 'workload-high'],
    ['controller', 'GET', `${leases}/a`, 'system-leader-election', 'leader-election'],
    ['controller', 'DELETE', `${leases}/a`, 'kube-system-service-accounts', 'workload-high'],
    ['manager', 'GET', `${leases}/a`, 'system-leader-election', 'leader-election'],
    ['manager', 'GET', leases, 'kube-controller-manager', 'workload-high'],
    ['scheduler', 'GET', '/api/v1/pods', 'kube-scheduler', 'workload-high'],
    ['node', 'GET', '/api/v1/nodes/a', 'system-node-high', 'node-high'],
    ['node', 'GET', '/api/v1/nodes/a/status', 'system-node-high', 'node-high'],
    ['node', 'GET', leases, 'system-node-high', 'node-high'],
    ['node', 'GET', '/apis/coordination.k8s.io/v1/leases', 'system-nodes', 'system'],
    ['node', 'GET', '/api/v1/pods', 'system-nodes', 'system'],
  ])('%s %s %s belongs to %s and %s', async (token, method, path, schema, level) => {
    await using server = await createApiServer();
    const { url } = await listen(server);
    expect(await flowOf(server, await send(url, path, token, { method }))).toStrictEqual([schema, level]);
  });

  test('has no headers if the request is not authenticated, or connects to a pod', async () => {
    await using server = await createApiServer();
    const { url } = await server.listen({ tls: false, tokens });
    for (const answer of [await send(url, '/api', 'wrong'), await send(url, '/api/v1/namespaces/default/pods/a/log', 'alice')]) {
      expect(answer.headers.get('X-Kubernetes-PF-FlowSchema-UID')).toBeNull();
    }
  });

  test('is that of the impersonated user, also of a forbidden request', async () => {
    await using server = await createApiServer({ authorization: 'rbac' });
    const { url } = await listen(server);
    const answer = await send(url, '/api/v1/secrets', 'admin', { headers: { 'Impersonate-User': 'system:kube-scheduler' } });
    expect(answer.status).toBe(403);
    expect(await flowOf(server, answer)).toStrictEqual(['kube-scheduler', 'workload-high']);
  });

  test('is that of the FlowSchema with the smallest precedence, then the first name, whose priority level exists', async () => {
    await using server = await createApiServer();
    const { url } = await listen(server);
    const flow = async (): Promise<unknown> => (await flowOf(server, await send(url, '/version/', 'alice')))[0];
    await server.client.create(flowSchemas, createSchema('b', 'workload-low', 50, 'alice'));
    expect(await flow()).toBe('b');
    await server.client.create(flowSchemas, createSchema('c', 'workload-low', 50, '*'));
    expect(await flow()).toBe('b');
    await server.client.create(flowSchemas, createSchema('a', 'mine', 50, 'alice'));
    expect(await flow()).toBe('b');
    await server.client.create(priorityLevels, createLevel('mine'));
    expect(await flow()).toBe('a');
    await server.client.create(flowSchemas, createSchema('d', 'mine', 40, 'bob'));
    expect(await flow()).toBe('a');
  });
});

test('the metrics have the seats of each priority level', async () => {
  await using server = await createApiServer();
  const { url } = await server.listen({ tls: false, tokens, limits: { inFlight: 600 } });
  await server.client.create(priorityLevels, createLevel('mine'));
  const lines = (await (await send(url, '/metrics', 'admin')).text()).split('\n').filter((line) => line.includes('nominal_limit_seats{'));
  // Of a sum of 275 shares; the default of a level is 30.
  expect(lines).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="exempt"} 0');
  expect(lines).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="catch-all"} 11');
  expect(lines).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="mine"} 66');
  expect(lines).toHaveLength(9);
});

describe('FlowSchemas', () => {
  test('and priority levels of a new cluster exist when the server listens, and are created again', async () => {
    await using server = await createApiServer({ background: false });
    expect((await server.client.list(flowSchemas)).items).toStrictEqual([]);
    await listen(server);
    for (const { resource, object } of createBootstrapObjects()) {
      expect(await server.client.get(resource, { name: object.metadata.name ?? '' })).toMatchObject(object);
    }
    await server.client.delete(flowSchemas, { name: 'global-default' });
    await server.settle();
    expect(await server.client.get(flowSchemas, { name: 'global-default' })).toMatchObject({ spec: { matchingPrecedence: 9900 } });
  });

  test('have the condition Dangling while their priority level does not exist', async () => {
    await using server = await createApiServer({ background: false });
    await listen(server);
    expect(await danglingOf(server, 'exempt')).toMatchObject({ type: 'Dangling', status: 'False', reason: 'Found' });
    await server.client.create(flowSchemas, createSchema('a', 'mine', 50, 'alice'));
    expect(await danglingOf(server, 'a')).toMatchObject({
      status: 'True',
      reason: 'NotFound',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "mine" but there is no such object',
    });
    await server.client.create(priorityLevels, createLevel('mine'));
    expect(await danglingOf(server, 'a')).toMatchObject({
      status: 'False',
      reason: 'Found',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "mine" and it exists',
    });
  });

  test.each([
    [createSchema('exempt', 'exempt', 1, 'a'), "spec of 'exempt' must equal the fixed value"],
    [createSchema('a', 'exempt', 1, 'a'), "only the schema named 'exempt' may have matchingPrecedence 1"],
    [createSchema('a', 'exempt', 0, 'a'), undefined],
    [createSchema('a', 'exempt', 10_001, 'a'), 'must not be greater than 10000'],
  ])('are validated: %#', async (schema, message) => {
    await using server = await createApiServer();
    const write = server.client.create(flowSchemas, schema);
    if (message === undefined) await expect(write).resolves.toMatchObject({ spec: { matchingPrecedence: 1000 } });
    else await expect(write).rejects.toThrow(message);
  });

  test.each([
    [
      { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 1024, handSize: 7 } } } },
      'required entropy bits of deckSize 1024 and handSize 7',
    ],
    [{ type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 1024, handSize: 6 } } } }, undefined],
    [{ type: 'Exempt' }, "must be 'Exempt' if and only if `name` is 'exempt'"],
  ])('and priority levels are validated: %j', async (spec, message) => {
    await using server = await createApiServer();
    const write = server.client.create(priorityLevels, { metadata: { name: 'mine' }, spec } as ApiObject);
    if (message === undefined) await expect(write).resolves.toMatchObject({ spec });
    else await expect(write).rejects.toThrow(message);
  });

  test('that a webhook refuses are not created, and the mandatory ones apply', async () => {
    const admission = [
      createFunctionAdmission([{ operations: ['CREATE'], resources: ['*'], apiGroups: [flowSchemas.group], validate: () => 'refused' }]),
    ];
    await using server = await createApiServer({ admission });
    const { url } = await listen(server);
    const answer = await send(url, '/api/v1/pods', 'alice');
    expect([answer.status, answer.headers.get('X-Kubernetes-PF-FlowSchema-UID')]).toStrictEqual([200, '']);
  });
});
