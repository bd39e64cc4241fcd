import { edit, get, jsonPatch, mergePatch, newNamespace, post, put, remove, strategic, type Topic } from '../compare/step.ts';
import { configMap } from './objects.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const validating = `${group}/validatingwebhookconfigurations`;
const mutating = `${group}/mutatingwebhookconfigurations`;

/** A webhook that by default matches no request of the script. */
const webhook = (fields: object = {}): object => ({
  name: 'hook.example.com',
  clientConfig: { url: 'https://127.0.0.1:9/hook' },
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...fields,
});
const configuration = (kind: string, name: string, webhooks: readonly object[] | undefined): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks,
});
const v = (name: string, ...webhooks: readonly object[]): object => configuration('Validating', name, webhooks);
const m = (name: string, ...webhooks: readonly object[]): object => configuration('Mutating', name, webhooks);
const CONFIG_MAPS = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: 'Namespaced' };
const onlyHere = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'c-hooks' } } };

export const webhooks: Topic = {
  name: 'webhook configurations',
  steps: [
    post(validating, v('c-v', webhook()), { as: 'v' }),
    post(mutating, m('c-m', webhook({ reinvocationPolicy: 'IfNeeded', timeoutSeconds: 5 })), { as: 'm' }),
    get(`${validating}/c-v`),
    get(`${mutating}/c-m`),
    post(validating, configuration('Validating', 'c-none', undefined)),
    post(validating, v('c-service', webhook({ clientConfig: { service: { name: 's', namespace: 'n' } } }))),
    post(validating, v('c-service-path', webhook({ clientConfig: { service: { name: 's', namespace: 'n', path: 'x//y', port: 0 } } }))),
    post(validating, v('c-both', webhook({ clientConfig: { url: 'https://a', service: { name: 's', namespace: 'n' } } }))),
    post(validating, v('c-neither', webhook({ clientConfig: {} }))),
    post(validating, v('c-http', webhook({ clientConfig: { url: 'http://a?b#c' } }))),
    post(validating, v('c-ca', webhook({ clientConfig: { url: 'https://a', caBundle: 'eA==' } }))),
    post(validating, v('c-name', webhook({ name: 'short' }))),
    post(validating, v('c-twice', webhook(), webhook())),
    post(validating, v('c-side', webhook({ sideEffects: 'Some' }))),
    post(validating, v('c-side-none', webhook({ sideEffects: undefined }))),
    post(validating, v('c-review', webhook({ admissionReviewVersions: ['v9'] }))),
    post(validating, v('c-review-none', webhook({ admissionReviewVersions: [] }))),
    post(validating, v('c-review-twice', webhook({ admissionReviewVersions: ['v1', 'v1', '1-x'] }))),
    post(validating, v('c-timeout', webhook({ timeoutSeconds: 31, failurePolicy: 'Perhaps', matchPolicy: 'Roughly' }))),
    post(
      validating,
      v('c-rules', webhook({ rules: [{ apiGroups: ['*', 'a'], apiVersions: [], operations: ['READ'], resources: ['*/*', 'a'] }] })),
    ),
    post(
      validating,
      v(
        'c-rules-2',
        webhook({ rules: [{ apiGroups: ['a'], apiVersions: ['*'], operations: ['*', 'CREATE'], resources: [''], scope: 'Some' }] }),
      ),
    ),
    post(validating, v('c-selector', webhook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }))),
    post(validating, v('c-conditions', webhook({ matchConditions: [{ name: 'a', expression: 'true' }] }))),
    post(validating, v('c-conditions-bad', webhook({ matchConditions: [{ name: 'A B', expression: '' }] }))),
    post(mutating, m('c-reinvocation', webhook({ reinvocationPolicy: 'Always' }))),
    put(`${validating}/c-v`, edit('v', { webhooks: [webhook({ failurePolicy: 'Ignore' })] })),
    put(`${validating}/c-v`, edit('v', { webhooks: [] })),
    strategic(`${mutating}/c-m`, { webhooks: [{ name: 'hook.example.com', timeoutSeconds: 7 }] }),
    strategic(`${mutating}/c-m`, { webhooks: [webhook({ name: 'second.example.com' })] }),
    jsonPatch(`${mutating}/c-m`, [{ op: 'remove', path: '/webhooks/0' }]),
    mergePatch(`${mutating}/c-m`, { webhooks: null }),
    get(`${validating}?fieldSelector=metadata.name%3Dc-v`),
    newNamespace('c-hooks'),
    post(validating, v('c-closed', webhook({ rules: [CONFIG_MAPS], failurePolicy: 'Ignore', timeoutSeconds: 1, ...onlyHere }))),
    post('/api/v1/namespaces/c-hooks/configmaps', configMap('ignored')),
    remove(`${validating}/c-closed`),
    remove(`${validating}/c-v`),
    remove(`${validating}/c-none`),
    remove(`${validating}/c-service`),
    remove(`${validating}/c-conditions`),
    remove(`${mutating}/c-m`),
    remove(`${validating}/none`),
  ],
};
