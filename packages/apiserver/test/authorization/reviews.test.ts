import type { ApiObject, Resource } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApiServer } from '../../src/index.ts';
import { sendRequest } from '../server/support.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const objects = [
  { apiVersion, kind: 'ClusterRole', metadata: { name: 'read' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name: 'alice', namespace: 'shop' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'dev' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'read' },
  },
] as ApiObject[];

type Answer = Readonly<Record<string, unknown>>;

/** Starts a server and returns a function that posts a review as alice, without managed fields in the answer. */
async function createReviewer(authorization?: 'rbac'): Promise<(path: string, review: object, token?: string) => Promise<Answer>> {
  const server = await createApiServer({ objects, ...(authorization && { authorization }) });
  onTestFinished(() => server.close());
  const alice = { username: 'alice', groups: ['dev'], uid: 'u1', extra: { team: ['blue'] } };
  const listening = await server.listen({ tls: false, tokens: [{ token: 'admin' }, { token: 'alice', user: alice }] });
  return async (path, review, token = 'alice') => {
    const { body } = await sendRequest(listening, `/apis/${path}`, { method: 'POST', token, body: JSON.stringify(review) });
    const { metadata, ...answer } = JSON.parse(body);
    return answer;
  };
}

const getPods = { verb: 'get', resource: 'pods', namespace: 'shop' };
const reason = 'RBAC: allowed by RoleBinding "alice/shop" of ClusterRole "read" to Group "dev"';

describe('access reviews', () => {
  it('SelfSubjectAccessReview asks for the sender', async () => {
    const post = await createReviewer('rbac');
    const path = 'authorization.k8s.io/v1/selfsubjectaccessreviews';
    expect(await post(path, { spec: { resourceAttributes: getPods } })).toStrictEqual({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { resourceAttributes: getPods },
      status: { allowed: true, reason },
    });
    const denied = { spec: { resourceAttributes: { ...getPods, verb: 'delete' } }, status: { allowed: true } };
    expect((await post(path, denied))['status']).toStrictEqual({ allowed: false });
    expect((await post(path, { spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } } }))['status']).toMatchObject({
      allowed: true,
    });
  });

  it('SubjectAccessReview asks for any user, if the sender may', async () => {
    const post = await createReviewer('rbac');
    const path = 'authorization.k8s.io/v1/subjectaccessreviews';
    const spec = { resourceAttributes: getPods, user: 'bob', groups: ['dev'] };
    expect((await post(path, { spec }, 'admin'))['status']).toStrictEqual({ allowed: true, reason });
    expect((await post(path, { spec: { ...spec, groups: [] } }, 'admin'))['status']).toStrictEqual({ allowed: false });
    expect(await post(path, { spec })).toMatchObject({ code: 403 });
  });

  it('LocalSubjectAccessReview asks in a namespace, which need not exist', async () => {
    const post = await createReviewer('rbac');
    const pathIn = (namespace: string): string => `authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
    const specIn = (namespace: string): object => ({ resourceAttributes: { ...getPods, namespace }, groups: ['dev'] });
    expect((await post(pathIn('shop'), { spec: specIn('shop') }, 'admin'))['status']).toMatchObject({ allowed: true });
    expect((await post(pathIn('gone'), { spec: specIn('gone') }, 'admin'))['status']).toMatchObject({ allowed: false });
    expect((await post(pathIn('shop'), { spec: specIn('gone') }, 'admin'))['message']).toBe(
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "gone": must match metadata.namespace',
    );
  });

  it.each([
    [{ rawSelector: 'a=b,c!=d' }, undefined],
    [{ rawSelector: 'nonsense' }, 'spec.resourceAttributes.fieldSelector ignored due to parse error'],
    [{ requirements: [{ key: 'a', operator: 'In', values: ['b'] }] }, undefined],
    [{ requirements: [{ key: 'a', operator: 'New' }] }, 'spec.resourceAttributes.fieldSelector ignored due to parse error'],
    [
      {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'a', operator: 'In', values: ['b', 'c'] },
        ],
      },
      'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    ],
  ])('report a field selector that is not usable: %j', async (fieldSelector, evaluationError) => {
    const post = await createReviewer();
    const spec = { resourceAttributes: { ...getPods, fieldSelector } };
    const { status } = await post('authorization.k8s.io/v1/selfsubjectaccessreviews', { spec });
    expect(status).toStrictEqual({ allowed: true, ...(evaluationError && { evaluationError }) });
  });

  it.each<[string, object, string]>([
    [
      'selfsubjectaccessreviews',
      { metadata: { name: 'a' }, spec: {} },
      '[spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, metadata: Invalid value: {"name":"a"}: must be empty]',
    ],
    [
      'subjectaccessreviews',
      { spec: { resourceAttributes: {}, nonResourceAttributes: { path: '/', verb: 'get' } } },
      '[spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes, spec.user: Invalid value: "": at least one of user or group must be specified]',
    ],
    [
      'selfsubjectaccessreviews',
      { spec: { resourceAttributes: { labelSelector: {}, fieldSelector: { rawSelector: 'a=b', requirements: [{ operator: 'In' }] } } } },
      "[spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: \"a=b\": may not specified at the same time as requirements, spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified, spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn', spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required]",
    ],
  ])('refuse an invalid %s: %j', async (plural, review, message) => {
    const post = await createReviewer();
    expect(await post(`authorization.k8s.io/v1/${plural}`, review)).toMatchObject({
      code: 422,
      message: `.authorization.k8s.io "" is invalid: ${message}`,
    });
  });

  it('SelfSubjectRulesReview lists the rules of the sender', async () => {
    const post = await createReviewer('rbac');
    const answer = await post('authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'shop' } });
    expect(answer).toMatchObject({ kind: 'SelfSubjectRulesReview', spec: {}, status: { incomplete: false } });
    const { resourceRules, nonResourceRules } = answer['status'] as Readonly<Record<string, readonly object[]>>;
    expect(resourceRules).toContainEqual({ verbs: ['get'], apiGroups: [''], resources: ['pods'] });
    expect(nonResourceRules).toContainEqual({ verbs: ['get'], nonResourceURLs: expect.arrayContaining(['/api', '/version/']) });
    expect(await post('authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: {} })).toMatchObject({
      code: 400,
      message: 'no namespace on request',
    });
  });
});

describe('reviews of users', () => {
  it('SelfSubjectReview returns the sender', async () => {
    const post = await createReviewer();
    expect((await post('authentication.k8s.io/v1/selfsubjectreviews', {}))['status']).toStrictEqual({
      userInfo: { username: 'alice', uid: 'u1', groups: ['dev', 'system:authenticated'], extra: { team: ['blue'] } },
    });
  });

  it('TokenReview checks a token of the server', async () => {
    const post = await createReviewer();
    const reviewToken = async (spec: object): Promise<unknown> => (await post('authentication.k8s.io/v1/tokenreviews', { spec }))['status'];
    expect(await reviewToken({ token: 'admin' })).toStrictEqual({
      authenticated: true,
      user: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
      audiences: ['https://kubernetes.default.svc'],
    });
    for (const spec of [{ token: 'wrong' }, { token: 'admin', audiences: ['vault'] }])
      expect(await reviewToken(spec)).toStrictEqual({ user: {}, error: 'invalid bearer token' });
    expect(await post('authentication.k8s.io/v1/tokenreviews', { spec: {} })).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });

  it('are answered in process as well, for an administrator', async () => {
    await using server = await createApiServer({ authorization: 'rbac' });
    const resourceOf = (group: string, kind: string): Resource => ({
      group,
      version: 'v1',
      plural: `${kind.toLowerCase()}s`,
      kind,
      namespaced: false,
    });
    const create = (group: string, kind: string, spec: object): Promise<ApiObject> =>
      server.client.create(resourceOf(group, kind), { metadata: {}, spec } as ApiObject);
    expect((await create('authorization.k8s.io', 'SelfSubjectAccessReview', { resourceAttributes: getPods }))['status']).toStrictEqual({
      allowed: true,
    });
    expect((await create('authentication.k8s.io', 'TokenReview', { token: 'x' }))['status']).toMatchObject({
      error: 'invalid bearer token',
    });
    expect((await server.client.list(resourceOf('authentication.k8s.io', 'TokenReview'))).items).toStrictEqual([]);
  });

  it('accept only creates', async () => {
    await using server = await createApiServer();
    const listening = await server.listen({ tls: false });
    const { code, body } = await sendRequest(listening, '/apis/authentication.k8s.io/v1/tokenreviews');
    expect([code, JSON.parse(body).reason]).toStrictEqual([405, 'MethodNotAllowed']);
  });
});
