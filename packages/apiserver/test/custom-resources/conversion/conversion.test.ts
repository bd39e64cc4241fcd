import { ApiError, type ApiObject, type Resource, type WatchEvent } from 'kube-endpoints/port';
import { afterEach, describe, expect, it } from 'vitest';
import { nextEvents } from '../../../../../test/contract/port/support.ts';
import { customResourceDefinitions } from '../../../src/custom-resources/index.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import type { WebhookCall, WebhookClient } from '../../../src/webhook-client/index.ts';
import { createFixture, type Fixture } from '../controller/fixture.ts';
import { makeDefinition, makeThing, makeVersion, openSchema, things } from '../support.ts';

const thingsV2: Resource = { ...things, version: 'v2' };
const key = (name: string) => ({ namespace: 'default', name });

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly ApiObject[];
}
interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: ConversionRequest;
}
type Answer = (review: Review) => unknown;

/** Converts as the webhook of the tests does: v1 has spec.hostPort, v2 has spec.host and spec.port. */
function convertThing({ spec, ...object }: ApiObject, apiVersion: string): ApiObject {
  const { hostPort, host = '', port = '', ...others } = spec as Record<string, string>;
  if (apiVersion === 'example.com/v1') return { ...object, apiVersion, spec: { ...others, hostPort: `${host}:${port}` } };
  const [newHost, newPort] = (hostPort ?? ':').split(':');
  return { ...object, apiVersion, spec: { ...others, host: newHost, port: newPort } };
}

const answerAll = (review: Review, change: (object: ApiObject) => unknown = (object) => object): object => ({
  apiVersion: review.apiVersion,
  kind: review.kind,
  response: {
    uid: review.request.uid,
    result: { status: 'Success' },
    convertedObjects: review.request.objects.map((object) => change(convertThing(object, review.request.desiredAPIVersion))),
  },
});

interface TestedWebhook extends Fixture {
  readonly reviews: Review[];
  readonly calls: WebhookCall[];
  setAnswer(answer: Answer): void;
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server with things in v1, which is stored, and v2, and a webhook that converts between them. */
async function createServer(
  options: { readonly versions?: readonly string[]; readonly clientConfig?: object } = {},
): Promise<TestedWebhook> {
  const { versions: conversionReviewVersions = ['v1'], clientConfig = { url: 'https://hook.example.com/convert' } } = options;
  const reviews: Review[] = [];
  const calls: WebhookCall[] = [];
  const state: { answer: Answer } = { answer: (review) => answerAll(review) };
  const webhookClient: WebhookClient = {
    async post(call) {
      calls.push(call);
      const review = JSON.parse(call.body) as Review;
      reviews.push(review);
      return { code: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(await state.answer(review)) };
    },
    close: () => undefined,
  };
  const fixture = await createFixture({ managesFields: true, webhookClient });
  closers.push(() => fixture.customResources.close());
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: clientConfig as Readonly<Record<string, unknown>>, conversionReviewVersions },
  };
  await fixture.createDefinition(makeDefinition({ versions: [makeVersion('v1'), makeVersion('v2')], conversion }));
  await fixture.customResources.settle();
  const setAnswer = (answer: Answer): void => {
    state.answer = answer;
  };
  return { ...fixture, reviews, calls, setAnswer };
}

const thing = (name: string, hostPort = 'a:1'): ApiObject => makeThing({ spec: { hostPort } }, { name });
const thingV2 = (name: string, host = 'a', port = '1'): ApiObject => ({
  ...makeThing({ spec: { host, port } }, { name }),
  apiVersion: 'example.com/v2',
});

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error ?? new Error('it did not fail');
  expect(error.status.code).toBe(500);
  return error.message;
}

describe('a custom resource with a conversion webhook', () => {
  it('is read, listed and watched in both versions', async () => {
    const { port } = await createServer();
    await port.create(things, thing('one', 'b:2'));
    expect(await port.get(thingsV2, key('one'))).toMatchObject({ apiVersion: 'example.com/v2', spec: { host: 'b', port: '2' } });
    const { items } = await port.list(thingsV2);
    expect(items.map(({ spec }) => spec)).toEqual([{ host: 'b', port: '2' }]);
    const watch = port.watch(thingsV2) as AsyncIterableIterator<WatchEvent>;
    await port.patch(things, key('one'), { spec: { hostPort: 'c:3' } }, { type: 'merge' });
    const events = await nextEvents(watch, 2);
    expect(events.map(({ type, object }) => [type, object.apiVersion, object['spec']])).toEqual([
      ['ADDED', 'example.com/v2', { host: 'b', port: '2' }],
      ['MODIFIED', 'example.com/v2', { host: 'c', port: '3' }],
    ]);
    await watch.return?.();
  });

  it('is written in both versions and stored in the storage version', async () => {
    const { port, store } = await createServer();
    const created = await port.create(thingsV2, thingV2('one'));
    expect(created).toMatchObject({ apiVersion: 'example.com/v2', spec: { host: 'a', port: '1' } });
    const readStored = (): unknown => store.get(things, key('one'))['spec'];
    expect(readStored()).toEqual({ hostPort: 'a:1' });
    await port.update(thingsV2, { ...created, spec: { host: 'b', port: '1' } });
    expect(readStored()).toEqual({ hostPort: 'b:1' });
    await port.patch(thingsV2, key('one'), [{ op: 'replace', path: '/spec/port', value: '9' }], { type: 'json' });
    expect(readStored()).toEqual({ hostPort: 'b:9' });
    await port.delete(thingsV2, key('one'));
    expect(store.list(things).items).toEqual([]);
  });

  it('is applied, with fields owned per version', async () => {
    const { port, store } = await createServer();
    const apply = { type: 'apply', fieldManager: 'm' } as const;
    await port.patch(thingsV2, key('one'), thingV2('one', 'a', '1'), apply);
    await port.patch(things, key('one'), { ...thing('one'), spec: { other: 'x' } }, { type: 'apply', fieldManager: 'n' });
    const applied = await port.patch(thingsV2, key('one'), thingV2('one', 'a', '2'), apply);
    expect(applied['spec']).toEqual({ host: 'a', other: 'x', port: '2' });
    expect(applied.metadata.managedFields).toMatchObject([
      { manager: 'm', apiVersion: 'example.com/v2' },
      { manager: 'n', apiVersion: 'example.com/v1' },
    ]);
    expect(store.get(things, key('one'))['spec']).toEqual({ hostPort: 'a:2', other: 'x' });
  });

  it('loses its managed fields if the webhook returns a field that the version does not have, and cannot be applied', async () => {
    const server = await createServer();
    const definition = await server.getDefinition();
    const versions = [makeVersion('v1'), makeVersion('v2', { schema: { openAPIV3Schema: { ...openSchema, properties: hostProperties } } })];
    await server.port.update(customResourceDefinitions, { ...definition, spec: { ...definition.spec, versions } } as ApiObject);
    await server.customResources.settle();
    await server.port.create(thingsV2, thingV2('one'));
    server.setAnswer((review) => answerAll(review, (object) => ({ ...object, spec: { ...(object['spec'] as object), surplus: 1 } })));
    const patch = { spec: { hostPort: 'b:1' } };
    await expect(
      server.port.patch(things, key('one'), { ...thing('one'), ...patch }, { type: 'apply', fieldManager: 'm' }),
    ).rejects.toThrow('.spec.surplus: field not declared in schema');
    const { metadata } = await server.port.patch(things, key('one'), patch, { type: 'merge' });
    expect(metadata).not.toHaveProperty('managedFields');
  });

  it('takes a dry run through the webhook without storing', async () => {
    const { port, store } = await createServer();
    expect(await port.create(thingsV2, thingV2('one'), { dryRun: true })).toMatchObject({ spec: { host: 'a' } });
    expect(store.list(things).items).toEqual([]);
  });

  it('converts the objects of a list with one call, and those already converted with none', async () => {
    const { port, reviews } = await createServer();
    for (const name of ['a', 'b', 'c']) await port.create(things, thing(name));
    await port.list(thingsV2);
    expect(reviews.map(({ request }) => request.objects.map(({ metadata }) => metadata.name))).toEqual([['a', 'b', 'c']]);
    await port.list(thingsV2);
    expect(reviews).toHaveLength(1);
  });

  it('calls no webhook in the storage version', async () => {
    const { port, reviews } = await createServer();
    await port.create(things, thing('one'));
    await port.list(things);
    await port.delete(things, key('one'));
    expect(reviews).toEqual([]);
  });

  it('selects a list by fields of the converted objects', async () => {
    const server = await createServer();
    const definition = await server.getDefinition();
    const versions = [
      makeVersion('v1'),
      makeVersion('v2', { selectableFields: [{ jsonPath: '.spec.host' }], schema: { openAPIV3Schema: hostSchema } }),
    ];
    await server.port.update(customResourceDefinitions, { ...definition, spec: { ...definition.spec, versions } } as ApiObject);
    await server.customResources.settle();
    await server.port.create(things, thing('one', 'x:1'));
    await server.port.create(things, thing('two', 'y:1'));
    const { items } = await server.port.list(thingsV2, { fieldSelector: 'spec.host=y' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['two']);
    expect(() => server.port.watch(thingsV2, { fieldSelector: 'spec.host=y' })).toThrow('cannot watch by spec.host');
  });

  it('keeps objects that were stored in another version readable after the storage version changed', async () => {
    const server = await createServer();
    await server.port.create(things, thing('old', 'b:2'));
    const definition = await server.getDefinition();
    const versions = [makeVersion('v1', { storage: false }), makeVersion('v2', { storage: true })];
    await server.port.update(customResourceDefinitions, { ...definition, spec: { ...definition.spec, versions } } as ApiObject);
    await server.customResources.settle();
    expect((await server.getDefinition()).status?.storedVersions).toEqual(['v1', 'v2']);
    expect(await server.port.get(thingsV2, key('old'))).toMatchObject({ apiVersion: 'example.com/v2', spec: { host: 'b' } });
    expect(await server.port.get(things, key('old'))).toMatchObject({ apiVersion: 'example.com/v1', spec: { hostPort: 'b:2' } });
    await server.port.patch(things, key('old'), { spec: { hostPort: 'b:3' } }, { type: 'merge' });
    expect(server.store.get(thingsV2, key('old'))).toMatchObject({ apiVersion: 'example.com/v2', spec: { host: 'b', port: '3' } });
  });
});

const hostProperties: Readonly<Record<string, Schema>> = {
  spec: { type: 'object', properties: { host: { type: 'string' }, port: { type: 'string' } } },
};

const hostSchema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { host: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true } },
} as const;

describe('the call of a conversion webhook', () => {
  it.each([
    [['v2', 'v1beta1', 'v1'], 'apiextensions.k8s.io/v1beta1'],
    [['v1', 'v1beta1'], 'apiextensions.k8s.io/v1'],
  ])('uses the first supported version of %j', async (versions, apiVersion) => {
    const { port, reviews } = await createServer({ versions });
    await port.create(things, thing('one'));
    await port.get(thingsV2, key('one'));
    expect(reviews).toMatchObject([{ apiVersion, kind: 'ConversionReview', request: { desiredAPIVersion: 'example.com/v2' } }]);
  });

  it('contains objects without resourceVersion, and sends the timeout', async () => {
    const { port, reviews, calls } = await createServer();
    await port.create(things, thing('one'));
    const { metadata } = await port.get(thingsV2, key('one'));
    expect(reviews[0]?.request.objects[0]?.metadata).not.toHaveProperty('resourceVersion');
    expect(metadata.resourceVersion).toMatch(/^\d+$/);
    expect(calls[0]).toMatchObject({ host: 'hook.example.com', path: '/convert?timeout=30s' });
  });

  it('goes to a Service, with the name that its certificate must have', async () => {
    const { port, calls } = await createServer({ clientConfig: { service: { namespace: 'shop', name: 'hook', path: '/c', port: 8443 } } });
    await port.create(things, thing('one'));
    await port.get(thingsV2, key('one'));
    expect(calls[0]).toMatchObject({ host: 'hook.shop.svc:8443', path: '/c?timeout=30s', serverName: 'hook.shop.svc' });
  });

  it('ends after 30 seconds', async () => {
    const server = await createServer();
    await server.port.create(things, thing('one'));
    server.setAnswer(
      () => new Promise((_, reject) => server.calls[0]?.signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const pending = messageOf(server.port.get(thingsV2, key('one')));
    await new Promise((resolve) => setImmediate(resolve));
    server.clock.advance(30_000);
    expect(await pending).toBe('conversion webhook for example.com/v1, Kind=Thing failed: aborted');
  });
});

describe('an answer of a conversion webhook', () => {
  const prefix = 'conversion webhook for example.com/v1, Kind=Thing';
  const response = (fields: object) => (review: Review) => ({
    ...answerAll(review),
    response: { ...(answerAll(review) as { response: object }).response, ...fields },
  });
  const changed = (change: (object: ApiObject) => unknown) => (review: Review) => answerAll(review, change);
  const withMetadata = (fields: object) => changed((object) => ({ ...object, metadata: { ...object.metadata, ...fields } }));

  it.each<[string, Answer, string]>([
    ['fails', response({ result: { status: 'Failure', message: 'not today' } }), 'failed: not today'],
    ['fails without a message', response({ result: { status: 'Failure' } }), "failed: response.result.status was 'Failure', not 'Success'"],
    ['has no result', response({ result: undefined }), "failed: response.result.status was '', not 'Success'"],
    ['has no response', (review) => ({ ...answerAll(review), response: undefined }), 'failed: no response provided'],
    ['has too few objects', response({ convertedObjects: [] }), 'returned 0 objects, expected 1'],
    ['has no object', response({ convertedObjects: null }), 'returned 0 objects, expected 1'],
    [
      'is of another version',
      (review) => ({ ...answerAll(review), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
      'failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion',
    ],
    [
      'is of another kind',
      (review) => ({ ...answerAll(review), kind: 'Other' }),
      'failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'has an object of a wrong version',
      changed((object) => ({ ...object, apiVersion: 'example.com/v3' })),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)',
    ],
    [
      'has an object of a wrong kind',
      changed((object) => ({ ...object, kind: 'Other' })),
      'returned invalid object at index 0: invalid kind (expected Thing, received Other)',
    ],
    ['changes the name', withMetadata({ name: 'two' }), 'returned invalid object: must have the same name: one != two'],
    ['changes the namespace', withMetadata({ namespace: 'x' }), 'returned invalid object: must have the same namespace: default != x'],
    ['lacks metadata', changed(({ metadata: _, ...object }) => object), 'returned invalid object: must have the same name: one != '],
    [
      'has labels that are no strings',
      withMetadata({ labels: { a: 1 } }),
      'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
    [
      'has labels of a wrong type',
      withMetadata({ labels: [] }),
      'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
    ],
  ])('that %s is an error', async (_, answer, message) => {
    const server = await createServer();
    await server.port.create(things, thing('one'));
    server.setAnswer(answer);
    expect(await messageOf(server.port.get(thingsV2, key('one')))).toBe(`${prefix} ${message}`);
    expect((await server.port.get(things, key('one')))['spec']).toEqual({ hostPort: 'a:1' });
  });

  it('that has another uid is an error, except in v1beta1', async () => {
    const otherUid = response({ uid: 'other' });
    const server = await createServer();
    await server.port.create(things, thing('one'));
    server.setAnswer(otherUid);
    expect(await messageOf(server.port.get(thingsV2, key('one')))).toMatch(/failed: expected response\.uid="[-0-9a-f]{36}", got "other"$/);
    const beta = await createServer({ versions: ['v1beta1'] });
    await beta.port.create(things, thing('one'));
    beta.setAnswer(otherUid);
    expect(await beta.port.get(thingsV2, key('one'))).toMatchObject({ spec: { host: 'a' } });
  });

  it('may change labels and annotations, and no other metadata', async () => {
    const server = await createServer();
    await server.port.create(
      things,
      makeThing({ spec: { hostPort: 'a:1' } }, { name: 'one', labels: { a: 'b' }, annotations: { c: 'd' } }),
    );
    server.setAnswer(withMetadata({ labels: { new: 'x' }, annotations: undefined, finalizers: ['x/y'], managedFields: [], generation: 7 }));
    const { metadata } = await server.port.get(thingsV2, key('one'));
    expect(metadata).toMatchObject({ labels: { new: 'x' }, generation: 1, managedFields: [{ apiVersion: 'example.com/v1' }] });
    expect(metadata).not.toHaveProperty('annotations');
    expect(metadata).not.toHaveProperty('finalizers');
  });

  it('fails a list with the index of the wrong object', async () => {
    const server = await createServer();
    for (const name of ['a', 'b']) await server.port.create(things, thing(name));
    server.setAnswer(changed((object) => (object.metadata.name === 'b' ? { ...object, kind: 'Other' } : object)));
    expect(await messageOf(server.port.list(thingsV2))).toBe(
      'conversion webhook for example.com/v2, Kind=ThingList returned invalid converted object at index 1: invalid kind (expected Thing, received Other)',
    );
  });

  it('stops a write before anything is stored', async () => {
    const server = await createServer();
    server.setAnswer(() => ({}));
    expect(await messageOf(server.port.create(thingsV2, thingV2('one')))).toContain(
      'conversion webhook for example.com/v2, Kind=Thing failed: ',
    );
    expect(server.store.list(things).items).toEqual([]);
  });
});
