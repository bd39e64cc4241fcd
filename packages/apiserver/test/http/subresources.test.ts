import { describe, expect, test } from 'vitest';
import { createFixture, type Fixture } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const container = { name: 'web', image: 'web:1', resources: { requests: { cpu: '100m' } } };

async function createPod(spec: object = {}): Promise<Fixture> {
  const fixture = await createFixture();
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [container], ...spec } };
  expect((await fixture.send('POST', pods, { body })).code).toBe(201);
  return fixture;
}

describe('connections to containers and nodes', () => {
  test.each([
    ['GET', `${pods}/web/log`, 'pods/log'],
    ['POST', `${pods}/web/exec?command=ls`, 'pods/exec'],
    ['GET', `${pods}/web/attach`, 'pods/attach'],
    ['POST', `${pods}/web/portforward`, 'pods/portforward'],
    ['GET', `${pods}/web/proxy/a/b/`, 'pods/proxy'],
  ])('%s %s is refused with a message for kubectl', async (method, path, what) => {
    const { code, json } = await (await createPod()).send(method, path);
    expect(code).toBe(405);
    expect(json).toStrictEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${what} of "web" is not available: this API server has no nodes and runs no containers`,
      reason: 'MethodNotAllowed',
      details: { name: 'web', kind: 'pods' },
      code: 405,
    });
  });

  test('of a missing pod are answered with NotFound', async () => {
    const { code, json } = await (await createPod()).send('GET', `${pods}/api/log`);
    expect([code, json.message]).toStrictEqual([404, 'pods "api" not found']);
  });
});

const patchTo = (fixture: Fixture, path: string, body: unknown) =>
  fixture.send('PATCH', path, { body, headers: { 'content-type': 'application/strategic-merge-patch+json' } });

describe('ephemeralcontainers', () => {
  const debuggers = (...names: readonly string[]) => ({ spec: { ephemeralContainers: names.map((name) => ({ name, image: 'debug:1' })) } });

  test('adds an ephemeral container and nothing else', async () => {
    const fixture = await createPod();
    const patch = { ...debuggers('debug'), metadata: { labels: { a: 'b' }, finalizers: ['example.com/x'] } };
    const { code, json } = await patchTo(fixture, `${pods}/web/ephemeralcontainers`, patch);
    expect(code).toBe(200);
    expect(json.spec.ephemeralContainers).toMatchObject([{ name: 'debug', image: 'debug:1' }]);
    expect(json.spec.containers).toHaveLength(1);
    expect(json.metadata).toMatchObject({ generation: 2, labels: { a: 'b' } });
    expect(json.metadata.finalizers).toBeUndefined();
  });

  test('cannot target a container that does not exist', async () => {
    const fixture = await createPod();
    const patch = { spec: { ephemeralContainers: [{ name: 'debug', image: 'debug:1', targetContainerName: 'absent' }] } };
    const { code, json } = await patchTo(fixture, `${pods}/web/ephemeralcontainers`, patch);
    expect(code).toBe(422);
    expect(json.message).toContain('spec.ephemeralContainers[0].targetContainerName: Not found: "absent"');
  });

  test('cannot remove one', async () => {
    const fixture = await createPod();
    await patchTo(fixture, `${pods}/web/ephemeralcontainers`, debuggers('debug'));
    const { json: pod } = await fixture.send('GET', `${pods}/web`);
    const { code, json } = await fixture.send('PUT', `${pods}/web/ephemeralcontainers`, {
      body: { ...pod, spec: { ...pod.spec, ephemeralContainers: [] } },
    });
    expect(code).toBe(422);
    expect(json.message).toContain('existing ephemeral containers "debug" may not be removed');
  });
});

describe('resize', () => {
  const resize = (resources: object, name = 'web') => ({ spec: { containers: [{ name, resources }] } });

  test('changes cpu and memory', async () => {
    const { code, json } = await patchTo(await createPod(), `${pods}/web/resize`, resize({ requests: { cpu: '200m' } }));
    expect(code).toBe(200);
    expect(json.spec.containers[0].resources).toStrictEqual({ requests: { cpu: '200m' } });
    expect(json.metadata.generation).toBe(2);
  });

  test.each([
    [
      'another resource',
      { requests: { cpu: '100m', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
      'only cpu and memory resources are mutable',
    ],
    ['the QoS class', { requests: { cpu: '100m', memory: '1Mi' }, limits: { cpu: '100m', memory: '1Mi' } }, 'Pod QOS Class may not change'],
  ])('cannot change %s', async (_, resources, message) => {
    const { code, json } = await patchTo(await createPod(), `${pods}/web/resize`, resize(resources));
    expect(code).toBe(422);
    expect(json.message).toContain(message);
  });
});

test('the scale of a workload can be read, replaced and patched', async () => {
  const fixture = await createFixture();
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
  const body = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
  };
  await fixture.send('POST', path, { body });
  const { json: scale } = await fixture.send('GET', `${path}/web/scale`);
  expect(scale).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=web' },
  });
  const replaced = await fixture.send('PUT', `${path}/web/scale`, { body: { ...scale, spec: { replicas: 3 } } });
  expect(replaced.json.spec).toStrictEqual({ replicas: 3 });
  const patched = await fixture.send('PATCH', `${path}/web/scale`, {
    body: { spec: { replicas: 0 } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  expect(patched.json.spec).toStrictEqual({});
  const negative = await fixture.send('PUT', `${path}/web/scale`, { body: { ...scale, spec: { replicas: -1 } } });
  expect([negative.code, negative.json.message]).toEqual([
    422,
    'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ]);
  expect((await fixture.send('GET', `${path}/web`)).json).toMatchObject({ metadata: { generation: 3 }, spec: { replicas: 0 } });
});

describe('eviction', () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

  /** A ready pod, and a budget with the status that a disruption controller wrote. */
  async function createGuardedPod(status: object, spec: object = {}, ready = 'True'): Promise<Fixture> {
    const fixture = await createFixture();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } }, spec: { containers: [container] } };
    const { json } = await fixture.send('POST', pods, { body: pod });
    await fixture.send('PUT', `${pods}/web/status`, {
      body: { ...json, status: { ...json.status, phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } },
    });
    const body = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } }, ...spec },
    };
    const budget = (await fixture.send('POST', budgets, { body })).json;
    await fixture.send('PUT', `${budgets}/web/status`, {
      body: { ...budget, status: { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, ...status } },
    });
    return fixture;
  }

  const evict = (fixture: Fixture, options = '') =>
    fixture.send('POST', `${pods}/web/eviction${options}`, {
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' } },
    });

  test('is charged to the budget of the pod', async () => {
    const fixture = await createGuardedPod({ observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2 });
    expect((await evict(fixture, '?dryRun=All')).code).toBe(201);
    expect((await fixture.send('GET', `${budgets}/web`)).json.status.disruptionsAllowed).toBe(1);
    expect((await evict(fixture)).code).toBe(201);
    expect((await fixture.send('GET', `${pods}/web`)).code).toBe(404);
    expect((await fixture.send('GET', `${budgets}/web`)).json.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { web: '2026-01-02T03:04:05Z' },
    });
  });

  const allowed = {
    type: 'DisruptionAllowed',
    status: 'True',
    reason: 'SufficientPods',
    message: '',
    lastTransitionTime: '2025-01-01T00:00:00Z',
  };
  const failed = { ...allowed, status: 'False', reason: 'SyncFailed', message: 'found no controller' };

  test.each([
    ['absent', [], '2026-01-02T03:04:05Z'],
    ['true', [allowed], '2026-01-02T03:04:05Z'],
    ['false for another reason', [failed], '2025-01-01T00:00:00Z'],
  ])('of the last pod sets the condition of the budget if it is %s', async (_, conditions, lastTransitionTime) => {
    const fixture = await createGuardedPod({ observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, conditions });
    expect((await evict(fixture)).code).toBe(201);
    expect((await fixture.send('GET', `${budgets}/web`)).json.status.conditions).toStrictEqual([
      { type: 'DisruptionAllowed', status: 'False', observedGeneration: 1, lastTransitionTime, reason: 'InsufficientPods', message: '' },
    ]);
  });

  test.each([
    ['allows no disruption', { observedGeneration: 1 }, 'The disruption budget web needs 1 healthy pods and has 1 currently'],
    ['is not processed yet', {}, 'The disruption budget web is still being processed by the server.'],
  ])('is refused if the budget %s', async (_, status, cause) => {
    const fixture = await createGuardedPod(status);
    const { code, json } = await evict(fixture);
    expect([code, json.reason, json.message]).toStrictEqual([
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ]);
    expect(json.details.causes).toStrictEqual([{ reason: 'DisruptionBudget', message: cause }]);
    expect((await fixture.send('GET', `${pods}/web`)).code).toBe(200);
  });

  test.each([
    ['AlwaysAllow', { currentHealthy: 0 }, 201],
    ['IfHealthyBudget', { currentHealthy: 0 }, 429],
    ['IfHealthyBudget', { currentHealthy: 1 }, 201],
  ])(
    'of a pod that is not ready with the policy %s and the status %j is answered with %i',
    async (unhealthyPodEvictionPolicy, status, code) => {
      const fixture = await createGuardedPod({ observedGeneration: 1, ...status }, { unhealthyPodEvictionPolicy }, 'False');
      expect((await evict(fixture)).code).toBe(code);
    },
  );
});
