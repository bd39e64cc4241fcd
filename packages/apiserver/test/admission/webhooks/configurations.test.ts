import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { type Webhook, watchConfigurations } from '../../../src/admission/webhooks/configurations.ts';
import { createStore } from '../../../src/store/index.ts';
import { configurationResources } from '../support/fixture.ts';

const configuration = (name: string, ...webhooks: readonly object[]): ApiObject => ({ metadata: { name }, webhooks });
const hook = (name: string, fields: object = {}): object => ({ name, clientConfig: { url: 'https://a/' }, ...fields });
const idsOf = (webhooks: readonly Webhook[]): string[] => webhooks.map(({ id }) => id);

it('watchConfigurations returns current webhooks and parses configurations only after a change', () => {
  const store = createStore();
  const { mutatingWebhooks: mutating, validatingWebhooks: validating, close } = watchConfigurations(store);
  expect(mutating()).toEqual([]);
  store.create(configurationResources.mutating, { name: 'b' }, configuration('b', hook('x'), hook('y'), hook('x')));
  store.create(configurationResources.mutating, { name: 'a' }, configuration('a', hook('z')));
  expect(idsOf(mutating())).toEqual(['a/z/0', 'b/x/0', 'b/y/0', 'b/x/1']);
  expect(validating()).toEqual([]);
  const webhooks = mutating();
  store.create(resources.nodes, { name: 'n' }, { metadata: { name: 'n' } });
  expect(mutating()).toBe(webhooks);
  store.delete(configurationResources.mutating, { name: 'b' });
  expect(idsOf(mutating())).toEqual(['a/z/0']);
  close();
  store.delete(configurationResources.mutating, { name: 'a' });
  expect(idsOf(mutating())).toEqual(['a/z/0']);
});

it('watchConfigurations parses every field of a webhook', () => {
  const store = createStore();
  store.create(
    configurationResources.validating,
    { name: 'a' },
    configuration(
      'a',
      hook('x', {
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        matchPolicy: 'Exact',
        failurePolicy: 'Ignore',
        timeoutSeconds: 3,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        reinvocationPolicy: 'IfNeeded',
        matchConditions: [{ name: 'c', expression: 'true' }],
        namespaceSelector: {},
        objectSelector: { matchLabels: { a: '1' }, matchExpressions: [{ key: 'b', operator: 'In', values: ['2', '3'] }] },
      }),
    ),
  );
  const [webhook] = watchConfigurations(store).validatingWebhooks();
  expect(webhook).toMatchObject({
    name: 'x',
    rules: [{ scope: '*', resources: ['pods'] }],
    matchesEquivalentResources: false,
    ignoresFailure: true,
    timeoutSeconds: 3,
    sideEffects: 'None',
    reviewVersions: ['v1'],
    reinvocable: true,
    matchConditions: [{ name: 'c', expression: 'true' }],
  });
  expect(webhook).not.toHaveProperty('matchesNamespace');
  expect(
    [{ a: '1', b: '3' }, { a: '1' }, { a: '2', b: '2' }].map((labels) => webhook?.matchesObject?.(labels as Record<string, string>)),
  ).toEqual([true, false, false]);
});

it('watchConfigurations applies defaults to omitted fields of a webhook', () => {
  const store = createStore();
  store.create(configurationResources.mutating, { name: 'a' }, configuration('a', hook('x')));
  expect(watchConfigurations(store).mutatingWebhooks()).toMatchObject([
    { matchesEquivalentResources: true, ignoresFailure: false, timeoutSeconds: 10, reinvocable: false, rules: [], matchConditions: [] },
  ]);
});
