import { expect, test } from 'vitest';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from '../../../src/resources/webhooks/webhooks.ts';
import { checkUpdate, readObject } from '../../../src/resources/write.ts';

const hook = {
  name: 'a.b.c',
  clientConfig: { service: { name: 'a', namespace: 'b' } },
  rules: [{}],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

test('webhook configurations get the defaults of Kubernetes', () => {
  const { value } = readObject(mutatingWebhookConfigurations, { webhooks: [hook] });
  const defaulted = {
    ...hook,
    clientConfig: { service: { name: 'a', namespace: 'b', port: 443 } },
    rules: [{ scope: '*' }],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  };
  expect(value).toEqual({ webhooks: [{ ...defaulted, reinvocationPolicy: 'Never' }] });
  expect(readObject(validatingWebhookConfigurations, { webhooks: [hook] }).value).toEqual({ webhooks: [defaulted] });
});

test('an update increments the generation if the webhooks change', () => {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', generation: 1 };
  const old = readObject(mutatingWebhookConfigurations, { metadata, webhooks: [] }).value;
  const generation = (object: object): unknown => {
    const checked = checkUpdate(mutatingWebhookConfigurations, object as never, old);
    return checked.causes ?? (checked.object['metadata'] as Record<string, unknown>)['generation'];
  };
  const changed = readObject(mutatingWebhookConfigurations, { metadata, webhooks: [{ ...hook, rules: [] }] }).value;
  expect([generation(old), generation(changed)]).toEqual([1, 2]);
});
