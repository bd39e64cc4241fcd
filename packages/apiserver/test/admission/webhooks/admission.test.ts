import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { composeAdmission, createFunctionAdmission } from '../../../src/admission/index.ts';
import type { WebhookAnswer, WebhookCall, WebhookClient } from '../../../src/admission/webhooks/client.ts';
import { type AdmissionRequest, createRegistry } from '../../../src/registry/index.ts';
import { isSettled, settle, statusOfLate } from '../../store/support.ts';
import { configurations, createWorld, type World } from '../support/world.ts';

type Review = { readonly request: Readonly<Record<string, unknown>> & { readonly uid: string } };

/** In-process webhooks that answer by path. */
function answering(
  answers: Readonly<Record<string, (review: Review) => object | Promise<object>>>,
): WebhookClient & { readonly received: Review[] } {
  const received: Review[] = [];
  return {
    received,
    async post({ path, body }: WebhookCall): Promise<WebhookAnswer> {
      const review = JSON.parse(body) as Review;
      received.push(review);
      const response = await answers[path.replace(/\?.*/, '').slice(1)]?.(review);
      const answer = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: review.request.uid, ...response } };
      return { code: 200, headers: {}, body: JSON.stringify(answer) };
    },
    close: () => undefined,
  };
}

const allow = () => ({ allowed: true });
const deny = () => ({ allowed: false });
const patch = (operations: readonly object[]) => () => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

interface Hook extends Readonly<Record<string, unknown>> {
  readonly path: string;
}

const configuration = (name: string, ...webhooks: readonly Hook[]): ApiObject => ({
  metadata: { name },
  webhooks: webhooks.map(({ path, ...more }, i) => ({
    name: `${path}.${i}.example.com`,
    clientConfig: { url: `https://hook/${path}` },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  })),
});

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const create = (world: World, options: object = {}): Promise<ApiObject> =>
  world.registry.create(configMaps, 'default', { metadata: { name: 'web' } }, options);

async function worldWith(client: WebhookClient, more: object = {}): Promise<World> {
  const world = createWorld({ client, ...more });
  await world.registry.create(resources.namespaces, undefined, { metadata: { name: 'default' } });
  return world;
}

describe('configurations', () => {
  it('apply as soon as they are written', async () => {
    const world = await worldWith(answering({ deny }));
    await world.registry.create(configurations.validating, undefined, configuration('a', { path: 'deny' }));
    expect(await statusOfLate(create(world))).toMatchObject({
      message: 'admission webhook "deny.0.example.com" denied the request without explanation',
    });
    await world.registry.delete(configurations.validating, { name: 'a' });
    expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
  });

  it('can be deleted, even if they match every resource', async () => {
    const world = await worldWith(answering({ deny }));
    const everything = { path: 'deny', rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] };
    await world.registry.create(configurations.validating, undefined, configuration('a', everything));
    await world.registry.create(configurations.mutating, undefined, configuration('a', everything));
    for (const resource of [configurations.mutating, configurations.validating]) await world.registry.delete(resource, { name: 'a' });
    expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
  });
});

describe('the user of a review', () => {
  it('is system:admin by default', async () => {
    const client = answering({ allow });
    const world = await worldWith(client);
    await world.registry.create(configurations.validating, undefined, configuration('a', { path: 'allow' }));
    await create(world);
    expect(client.received[0]?.request['userInfo']).toEqual({
      username: 'system:admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });
});

/** Such a webhook can no longer be created, but may already be stored. */
describe('side effects', () => {
  it.each(['Unknown', 'Some'])('of %s refuse dry runs under any failure policy', async (sideEffects) => {
    const client = answering({ allow });
    const world = await worldWith(client);
    world.store.create(configurations.mutating, { name: 'a' }, configuration('a', { path: 'allow', sideEffects, failurePolicy: 'Ignore' }));
    expect(await statusOfLate(create(world, { dryRun: true }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'admission webhook "allow.0.example.com" does not support dry run',
    });
    expect(client.received).toEqual([]);
    expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
  });
});

it('a webhook without a known AdmissionReview version fails', async () => {
  const world = await worldWith(answering({ allow }));
  world.store.create(configurations.mutating, { name: 'a' }, configuration('a', { path: 'allow', admissionReviewVersions: ['v2'] }));
  expect(await statusOfLate(create(world))).toMatchObject({
    code: 500,
    message:
      'Internal error occurred: failed calling webhook "allow.0.example.com": could not create admission objects: ' +
      'webhook does not accept known AdmissionReview versions (v1, v1beta1)',
  });
});

it('a missing namespace is an error only if the rules match', async () => {
  const world = createWorld({ client: answering({ allow }) });
  const selecting = { path: 'allow', namespaceSelector: { matchLabels: { a: '1' } } };
  world.store.create(configurations.validating, { name: 'a' }, configuration('a', selecting));
  const request: AdmissionRequest = {
    operation: 'CREATE',
    resource: configMaps,
    key: { namespace: 'nowhere', name: 'web' },
    object: { metadata: { name: 'web', namespace: 'nowhere' } },
    dryRun: false,
    options: {},
  };
  expect(await statusOfLate(Promise.resolve(world.admission.validate?.(request)))).toMatchObject({
    code: 404,
    message: 'namespaces "nowhere" not found',
  });
  await world.admission.validate?.({ ...request, resource: resources.pods });
});

describe('match conditions', () => {
  const conditions = [
    { name: 'first', expression: 'false' },
    { name: 'second', expression: 'request.dryRun' },
  ];

  it('skip a webhook if one is false, even if others fail', async () => {
    const client = answering({ deny });
    const world = await worldWith(client);
    const wrong = { name: 'wrong', expression: 'object.data.nothing == "x"' };
    await world.registry.create(
      configurations.validating,
      undefined,
      configuration('a', { path: 'deny', matchConditions: [wrong, ...conditions.slice(0, 1)] }),
    );
    expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
    expect(client.received).toEqual([]);
  });

  it('refuse the request if they cannot be evaluated', async () => {
    const client = answering({ deny });
    const world = await worldWith(client);
    const matchConditions = [
      { name: 'wrong', expression: 'object.data.nothing == "x"' },
      { name: 'missing', expression: "authorizer.group('').resource('pods').check('get').allowed()" },
    ];
    await world.registry.create(configurations.validating, undefined, configuration('a', { path: 'deny', matchConditions }));
    expect(await statusOfLate(create(world))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "web" is forbidden: [expression \'object.data.nothing == "x"\' resulted in error: no such key: data, ' +
        "expression 'authorizer.group('').resource('pods').check('get').allowed()' resulted in error: this server has no authorizer]",
    });
    expect(client.received).toEqual([]);
  });

  it('skip a webhook with failurePolicy Ignore if one is false', async () => {
    const world = await worldWith(answering({ deny }));
    await world.registry.create(
      configurations.validating,
      undefined,
      configuration('a', { path: 'deny', matchConditions: conditions, failurePolicy: 'Ignore' }),
    );
    expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
  });

  it('see the request, and the object in the version that the webhook receives', async () => {
    const client = answering({ deny });
    const world = await worldWith(client);
    const kind = "request.kind.kind == 'ConfigMap' && object.kind == 'ConfigMap' && oldObject == null && request.operation == 'CREATE'";
    const who = "'system:masters' in request.userInfo.groups && request.resource.resource == 'configmaps' && has(request.namespace)";
    const matchConditions = [...conditions.slice(1), { name: 'kind', expression: kind }, { name: 'who', expression: who }];
    await world.registry.create(configurations.validating, undefined, configuration('a', { path: 'deny', matchConditions }));
    await create(world);
    expect(client.received).toEqual([]);
    expect(await statusOfLate(create(world, { dryRun: true }))).toMatchObject({ code: 400 });
  });

  it.each([
    ['object.', /compilation failed: ERROR: <input>:1:\d+: /],
    ['request.nothing == 1', /compilation failed: ERROR: <input>:1:8: undefined field 'nothing'/],
    ['request.name', /must evaluate to bool but got string/],
    ['self == 1', /undeclared reference to 'self'/],
  ])('are refused if they do not compile: %s', async (expression, message) => {
    const world = await worldWith(answering({ deny }));
    const hook = configuration('a', { path: 'deny', matchConditions: [{ name: 'x', expression }] });
    const status = await statusOfLate(world.registry.create(configurations.validating, undefined, hook));
    expect(status).toMatchObject({ code: 422, details: { causes: [{ field: 'webhooks[0].matchConditions[0].expression' }] } });
    expect(status.message).toMatch(message);
  });
});

describe('the request deadline', () => {
  it('applies to all webhooks together, even with failurePolicy Ignore', async () => {
    const never = () => new Promise<object>(() => undefined);
    const hanging: WebhookClient = {
      post: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          void never();
        }),
      close: () => undefined,
    };
    const world = await worldWith(hanging);
    const slow = { path: 'slow', failurePolicy: 'Ignore', timeoutSeconds: 20 };
    await world.registry.create(configurations.mutating, undefined, configuration('a', slow, slow, slow));
    const pending = create(world);
    await settle();
    world.clock.advance(20_000);
    expect(await isSettled(pending)).toBe(false);
    world.clock.advance(14_000);
    expect(await statusOfLate(pending)).toMatchObject({ code: 504, message: 'Timeout: request did not complete within requested timeout' });
  });
});

it('validating webhooks are called concurrently, and the first refusal in order is reported', async () => {
  let release: (answer: object) => void = () => undefined;
  const slowDeny = () => new Promise<object>((resolve) => (release = resolve));
  const client = answering({ slow: slowDeny, deny, allow });
  const world = await worldWith(client);
  await world.registry.create(
    configurations.validating,
    undefined,
    configuration('a', { path: 'slow' }, { path: 'deny' }, { path: 'allow' }),
  );
  const pending = create(world);
  await settle();
  expect(client.received).toHaveLength(3);
  release({ allowed: false, status: { message: 'after all' } });
  expect(await statusOfLate(pending)).toMatchObject({ message: 'admission webhook "slow.0.example.com" denied the request: after all' });
});

it('a function with IfNeeded sees changes of a later webhook', async () => {
  const client = answering({ label: patch([{ op: 'add', path: '/metadata/labels', value: { webhook: '1' } }]) });
  const { admission: webhooks, store, clock, registry: known } = createWorld({ client });
  const functions = createFunctionAdmission([
    {
      operations: ['CREATE'],
      resources: ['configmaps'],
      reinvocationPolicy: 'IfNeeded',
      mutate: ({ object }) => [{ op: 'add', path: '/data', value: { seen: Object.keys(object?.metadata.labels ?? {}).join() } }],
    },
  ]);
  const strategies = known.resources.map((resource) => known.strategyFor(resource));
  const registry = createRegistry({ store, clock, strategies, admission: composeAdmission(functions, webhooks) });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'default' } });
  await registry.create(configurations.mutating, undefined, configuration('a', { path: 'label' }));
  expect(await registry.create(configMaps, 'default', { metadata: { name: 'web' } })).toMatchObject({
    metadata: { labels: { webhook: '1' } },
    data: { seen: 'webhook' },
  });
  expect(client.received).toHaveLength(1);
});

it('close closes the client and ignores configurations from then on', async () => {
  let closed = 0;
  const client: WebhookClient = {
    ...answering({}),
    close() {
      closed += 1;
    },
  };
  const world = await worldWith(client);
  world.admission.close();
  expect(closed).toBe(1);
  await world.registry.create(configurations.validating, undefined, configuration('a', { path: 'deny' }));
  expect(await create(world)).toMatchObject({ metadata: { name: 'web' } });
});
