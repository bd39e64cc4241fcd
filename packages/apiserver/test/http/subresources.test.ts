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
  expect((await fixture.send('GET', `${path}/web`)).json).toMatchObject({ metadata: { generation: 3 }, spec: { replicas: 0 } });
});
