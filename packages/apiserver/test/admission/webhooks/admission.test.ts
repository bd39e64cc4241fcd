import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { composeAdmission, createFunctionAdmission } from '../../../src/admission/index.ts';
import { type AdmissionRequest, createRegistry } from '../../../src/registry/index.ts';
import type { WebhookAnswer, WebhookCall, WebhookClient } from '../../../src/webhook-client/index.ts';
import { flushPromises, isSettled, statusOfRejection } from '../../store/support.ts';
import { configurationResources, createFixture, type Fixture } from '../support/fixture.ts';

type Review = { readonly request: Readonly<Record<string, unknown>> & { readonly uid: string } };

/** Creates a client with in-process webhooks that answer by path. */
function createClient(
  answers: Readonly<Record<string, (review: Review) => object | Promise<object>>>,
): WebhookClient & { readonly receivedReviews: Review[] } {
  const receivedReviews: Review[] = [];
  return {
    receivedReviews,
    async post({ path, body }: WebhookCall): Promise<WebhookAnswer> {
      const review = JSON.parse(body) as Review;
      receivedReviews.push(review);
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
  webhooks: webhooks.map(({ path, ...options }, i) => ({
    name: `${path}.${i}.example.com`,
    clientConfig: { url: `https://hook/${path}` },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...options,
  })),
});

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const create = (fixture: Fixture, options: object = {}): Promise<ApiObject> =>
  fixture.registry.create(configMaps, 'default', { metadata: { name: 'web' } }, options);

async function createFixtureWithNamespace(client: WebhookClient, options: object = {}): Promise<Fixture> {
  const fixture = createFixture({ client, ...options });
  await fixture.registry.create(resources.namespaces, undefined, { metadata: { name: 'default' } });
  return fixture;
}

describe('webhook configurations', () => {
  it('take effect as soon as they are written', async () => {
    const fixture = await createFixtureWithNamespace(createClient({ deny }));
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'deny' }));
    expect(await statusOfRejection(create(fixture))).toMatchObject({
      message: 'admission webhook "deny.0.example.com" denied the request without explanation',
    });
    await fixture.registry.delete(configurationResources.validating, { name: 'a' });
    expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
  });

  it('can be deleted, even if they match every resource', async () => {
    const fixture = await createFixtureWithNamespace(createClient({ deny }));
    const hookForEverything = { path: 'deny', rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] };
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', hookForEverything));
    await fixture.registry.create(configurationResources.mutating, undefined, configuration('a', hookForEverything));
    for (const resource of [configurationResources.mutating, configurationResources.validating])
      await fixture.registry.delete(resource, { name: 'a' });
    expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
  });
});

describe('user in a review', () => {
  it('is system:admin for in-process requests', async () => {
    const client = createClient({ allow });
    const fixture = await createFixtureWithNamespace(client);
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'allow' }));
    await create(fixture);
    expect(client.receivedReviews[0]?.request['userInfo']).toEqual({
      username: 'system:admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });
});

// The API rejects such webhooks today, but clusters may have stored them earlier.
describe('webhooks with side effects', () => {
  it.each(['Unknown', 'Some'])('sideEffects %s refuses a dry run even with failurePolicy Ignore', async (sideEffects) => {
    const client = createClient({ allow });
    const fixture = await createFixtureWithNamespace(client);
    fixture.store.create(
      configurationResources.mutating,
      { name: 'a' },
      configuration('a', { path: 'allow', sideEffects, failurePolicy: 'Ignore' }),
    );
    expect(await statusOfRejection(create(fixture, { dryRun: true }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'admission webhook "allow.0.example.com" does not support dry run',
    });
    expect(client.receivedReviews).toEqual([]);
    expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
  });
});

it('a webhook without a known AdmissionReview version fails', async () => {
  const fixture = await createFixtureWithNamespace(createClient({ allow }));
  fixture.store.create(
    configurationResources.mutating,
    { name: 'a' },
    configuration('a', { path: 'allow', admissionReviewVersions: ['v2'] }),
  );
  expect(await statusOfRejection(create(fixture))).toMatchObject({
    code: 500,
    message:
      'Internal error occurred: failed calling webhook "allow.0.example.com": could not create admission objects: ' +
      'webhook does not accept known AdmissionReview versions (v1, v1beta1)',
  });
});

it('a missing namespace is an error only if the rules match', async () => {
  const fixture = createFixture({ client: createClient({ allow }) });
  const hook = { path: 'allow', namespaceSelector: { matchLabels: { a: '1' } } };
  fixture.store.create(configurationResources.validating, { name: 'a' }, configuration('a', hook));
  const request: AdmissionRequest = {
    operation: 'CREATE',
    resource: configMaps,
    key: { namespace: 'nowhere', name: 'web' },
    object: { metadata: { name: 'web', namespace: 'nowhere' } },
    dryRun: false,
    options: {},
  };
  expect(await statusOfRejection(Promise.resolve(fixture.admission.validate?.(request)))).toMatchObject({
    code: 404,
    message: 'namespaces "nowhere" not found',
  });
  await fixture.admission.validate?.({ ...request, resource: resources.pods });
});

describe('match conditions', () => {
  const conditions = [
    { name: 'first', expression: 'false' },
    { name: 'second', expression: 'request.dryRun' },
  ];

  it('skip the webhook if one condition is false, even if others fail', async () => {
    const client = createClient({ deny });
    const fixture = await createFixtureWithNamespace(client);
    const failingCondition = { name: 'wrong', expression: 'object.data.nothing == "x"' };
    await fixture.registry.create(
      configurationResources.validating,
      undefined,
      configuration('a', { path: 'deny', matchConditions: [failingCondition, ...conditions.slice(0, 1)] }),
    );
    expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
    expect(client.receivedReviews).toEqual([]);
  });

  it('refuse the request if a condition cannot be evaluated', async () => {
    const client = createClient({ deny });
    const fixture = await createFixtureWithNamespace(client);
    const matchConditions = [
      { name: 'wrong', expression: 'object.data.nothing == "x"' },
      { name: 'allowed', expression: "authorizer.group('').resource('pods').check('get').allowed()" },
      { name: 'invalid', expression: "authorizer.path(' ').check('get').allowed()" },
    ];
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'deny', matchConditions }));
    expect(await statusOfRejection(create(fixture))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "web" is forbidden: [expression \'object.data.nothing == "x"\' resulted in error: no such key: data, ' +
        "expression 'authorizer.path(' ').check('get').allowed()' resulted in error: path must not be empty]",
    });
    expect(client.receivedReviews).toEqual([]);
  });

  it('refuse the request with one message if they exceed their common cost limit', async () => {
    const client = createClient({ deny });
    const fixture = await createFixtureWithNamespace(client);
    const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
    const costly = [...'abcdef'].reduce((inner, name) => `${digits}.all(${name}, ${inner})`, 'a + b + c + d + e + f >= 0');
    const matchConditions = [1, 2, 3, 4].map((i) => ({ name: `costly-${i}`, expression: `${costly} && ${i} > 0` }));
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'deny', matchConditions }));
    expect(await statusOfRejection(create(fixture))).toMatchObject({
      code: 403,
      message:
        'configmaps "web" is forbidden: validation failed due to running out of cost budget, no further validation rules will be run',
    });
    expect(client.receivedReviews).toEqual([]);
  });

  it('skip a webhook with failurePolicy Ignore if one condition is false', async () => {
    const fixture = await createFixtureWithNamespace(createClient({ deny }));
    await fixture.registry.create(
      configurationResources.validating,
      undefined,
      configuration('a', { path: 'deny', matchConditions: conditions, failurePolicy: 'Ignore' }),
    );
    expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
  });

  it('can use the request, and the object in the version that the webhook receives', async () => {
    const client = createClient({ deny });
    const fixture = await createFixtureWithNamespace(client);
    const kindExpression =
      "request.kind.kind == 'ConfigMap' && object.kind == 'ConfigMap' && oldObject == null && request.operation == 'CREATE'";
    const userExpression =
      "'system:masters' in request.userInfo.groups && request.resource.resource == 'configmaps' && has(request.namespace)";
    const matchConditions = [
      ...conditions.slice(1),
      { name: 'kind', expression: kindExpression },
      { name: 'who', expression: userExpression },
    ];
    await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'deny', matchConditions }));
    await create(fixture);
    expect(client.receivedReviews).toEqual([]);
    expect(await statusOfRejection(create(fixture, { dryRun: true }))).toMatchObject({ code: 400 });
  });

  it.each([
    ['object.', /compilation failed: ERROR: <input>:1:\d+: /],
    ['request.nothing == 1', /compilation failed: ERROR: <input>:1:8: undefined field 'nothing'/],
    ['request.name', /must evaluate to bool but got string/],
    ['self == 1', /undeclared reference to 'self'/],
  ])('reject a configuration whose condition does not compile: %s', async (expression, message) => {
    const fixture = await createFixtureWithNamespace(createClient({ deny }));
    const invalidConfiguration = configuration('a', { path: 'deny', matchConditions: [{ name: 'x', expression }] });
    const status = await statusOfRejection(fixture.registry.create(configurationResources.validating, undefined, invalidConfiguration));
    expect(status).toMatchObject({ code: 422, details: { causes: [{ field: 'webhooks[0].matchConditions[0].expression' }] } });
    expect(status.message).toMatch(message);
  });
});

describe('request deadline', () => {
  it('limits the time of all webhooks together, even with failurePolicy Ignore', async () => {
    const hangingClient: WebhookClient = {
      post: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      close: () => undefined,
    };
    const fixture = await createFixtureWithNamespace(hangingClient);
    const slow = { path: 'slow', failurePolicy: 'Ignore', timeoutSeconds: 20 };
    await fixture.registry.create(configurationResources.mutating, undefined, configuration('a', slow, slow, slow));
    const pendingCreate = create(fixture);
    await flushPromises();
    // The deadline is 34 s after the start of the request.
    fixture.clock.advance(20_000);
    expect(await isSettled(pendingCreate)).toBe(false);
    fixture.clock.advance(14_000);
    expect(await statusOfRejection(pendingCreate)).toMatchObject({
      code: 504,
      message: 'Timeout: request did not complete within requested timeout',
    });
  });
});

it('validating webhooks are called concurrently, and the first refusal in order is reported', async () => {
  let answerSlowWebhook: (answer: object) => void = () => undefined;
  const slowDeny = () => new Promise<object>((resolve) => (answerSlowWebhook = resolve));
  const client = createClient({ slow: slowDeny, deny, allow });
  const fixture = await createFixtureWithNamespace(client);
  await fixture.registry.create(
    configurationResources.validating,
    undefined,
    configuration('a', { path: 'slow' }, { path: 'deny' }, { path: 'allow' }),
  );
  const pendingCreate = create(fixture);
  await flushPromises();
  expect(client.receivedReviews).toHaveLength(3);
  answerSlowWebhook({ allowed: false, status: { message: 'after all' } });
  expect(await statusOfRejection(pendingCreate)).toMatchObject({
    message: 'admission webhook "slow.0.example.com" denied the request: after all',
  });
});

it('an admission function with IfNeeded is called again after changes of a webhook', async () => {
  const client = createClient({ label: patch([{ op: 'add', path: '/metadata/labels', value: { webhook: '1' } }]) });
  const { admission: webhooks, store, clock, registry: builtInRegistry } = createFixture({ client });
  const functions = createFunctionAdmission([
    {
      operations: ['CREATE'],
      resources: ['configmaps'],
      reinvocationPolicy: 'IfNeeded',
      mutate: ({ object }) => [{ op: 'add', path: '/data', value: { seen: Object.keys(object?.metadata.labels ?? {}).join() } }],
    },
  ]);
  const strategies = builtInRegistry.resources.map((resource) => builtInRegistry.strategyFor(resource));
  const registry = createRegistry({ store, clock, strategies, admission: composeAdmission(functions, webhooks) });
  await registry.create(resources.namespaces, undefined, { metadata: { name: 'default' } });
  await registry.create(configurationResources.mutating, undefined, configuration('a', { path: 'label' }));
  expect(await registry.create(configMaps, 'default', { metadata: { name: 'web' } })).toMatchObject({
    metadata: { labels: { webhook: '1' } },
    data: { seen: 'webhook' },
  });
  expect(client.receivedReviews).toHaveLength(1);
});

it('close() closes the client and ignores later configurations', async () => {
  let closeCount = 0;
  const client: WebhookClient = {
    ...createClient({}),
    close() {
      closeCount += 1;
    },
  };
  const fixture = await createFixtureWithNamespace(client);
  fixture.admission.close();
  expect(closeCount).toBe(1);
  await fixture.registry.create(configurationResources.validating, undefined, configuration('a', { path: 'deny' }));
  expect(await create(fixture)).toMatchObject({ metadata: { name: 'web' } });
});
