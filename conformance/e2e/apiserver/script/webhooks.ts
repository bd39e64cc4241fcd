import {
  createNamespace,
  editedAnswer,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';
import { configMap } from './objects.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const validatingPath = `${group}/validatingwebhookconfigurations`;
const mutatingPath = `${group}/mutatingwebhookconfigurations`;

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
const validatingConfig = (name: string, ...webhooks: readonly object[]): object => configuration('Validating', name, webhooks);
const mutatingConfig = (name: string, ...webhooks: readonly object[]): object => configuration('Mutating', name, webhooks);
const CONFIG_MAPS = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: 'Namespaced' };
const namespaceFilter = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'c-hooks' } } };

export const webhooks: Topic = {
  name: 'webhook configurations',
  steps: [
    post(validatingPath, validatingConfig('c-v', webhook()), { saveAs: 'v' }),
    post(mutatingPath, mutatingConfig('c-m', webhook({ reinvocationPolicy: 'IfNeeded', timeoutSeconds: 5 })), { saveAs: 'm' }),
    get(`${validatingPath}/c-v`),
    get(`${mutatingPath}/c-m`),
    post(validatingPath, configuration('Validating', 'c-none', undefined)),
    post(validatingPath, validatingConfig('c-service', webhook({ clientConfig: { service: { name: 's', namespace: 'n' } } }))),
    post(
      validatingPath,
      validatingConfig('c-service-path', webhook({ clientConfig: { service: { name: 's', namespace: 'n', path: 'x//y', port: 0 } } })),
    ),
    post(
      validatingPath,
      validatingConfig('c-both', webhook({ clientConfig: { url: 'https://a', service: { name: 's', namespace: 'n' } } })),
    ),
    post(validatingPath, validatingConfig('c-neither', webhook({ clientConfig: {} }))),
    post(validatingPath, validatingConfig('c-http', webhook({ clientConfig: { url: 'http://a?b#c' } }))),
    post(validatingPath, validatingConfig('c-ca', webhook({ clientConfig: { url: 'https://a', caBundle: 'eA==' } }))),
    post(validatingPath, validatingConfig('c-name', webhook({ name: 'short' }))),
    post(validatingPath, validatingConfig('c-twice', webhook(), webhook())),
    post(validatingPath, validatingConfig('c-side', webhook({ sideEffects: 'Some' }))),
    post(validatingPath, validatingConfig('c-side-none', webhook({ sideEffects: undefined }))),
    post(validatingPath, validatingConfig('c-review', webhook({ admissionReviewVersions: ['v9'] }))),
    post(validatingPath, validatingConfig('c-review-none', webhook({ admissionReviewVersions: [] }))),
    post(validatingPath, validatingConfig('c-review-twice', webhook({ admissionReviewVersions: ['v1', 'v1', '1-x'] }))),
    post(validatingPath, validatingConfig('c-timeout', webhook({ timeoutSeconds: 31, failurePolicy: 'Perhaps', matchPolicy: 'Roughly' }))),
    post(
      validatingPath,
      validatingConfig(
        'c-rules',
        webhook({ rules: [{ apiGroups: ['*', 'a'], apiVersions: [], operations: ['READ'], resources: ['*/*', 'a'] }] }),
      ),
    ),
    post(
      validatingPath,
      validatingConfig(
        'c-rules-2',
        webhook({ rules: [{ apiGroups: ['a'], apiVersions: ['*'], operations: ['*', 'CREATE'], resources: [''], scope: 'Some' }] }),
      ),
    ),
    post(
      validatingPath,
      validatingConfig('c-selector', webhook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } })),
    ),
    post(validatingPath, validatingConfig('c-conditions', webhook({ matchConditions: [{ name: 'a', expression: 'true' }] }))),
    post(validatingPath, validatingConfig('c-conditions-bad', webhook({ matchConditions: [{ name: 'A B', expression: '' }] }))),
    post(mutatingPath, mutatingConfig('c-reinvocation', webhook({ reinvocationPolicy: 'Always' }))),
    put(`${validatingPath}/c-v`, editedAnswer('v', { webhooks: [webhook({ failurePolicy: 'Ignore' })] })),
    put(`${validatingPath}/c-v`, editedAnswer('v', { webhooks: [] })),
    strategicPatch(`${mutatingPath}/c-m`, { webhooks: [{ name: 'hook.example.com', timeoutSeconds: 7 }] }),
    strategicPatch(`${mutatingPath}/c-m`, { webhooks: [webhook({ name: 'second.example.com' })] }),
    jsonPatch(`${mutatingPath}/c-m`, [{ op: 'remove', path: '/webhooks/0' }]),
    mergePatch(`${mutatingPath}/c-m`, { webhooks: null }),
    get(`${validatingPath}?fieldSelector=metadata.name%3Dc-v`),
    createNamespace('c-hooks'),
    // No server listens on the webhook's port, so failurePolicy Ignore must let the ConfigMap through.
    post(
      validatingPath,
      validatingConfig('c-closed', webhook({ rules: [CONFIG_MAPS], failurePolicy: 'Ignore', timeoutSeconds: 1, ...namespaceFilter })),
    ),
    post('/api/v1/namespaces/c-hooks/configmaps', configMap('ignored')),
    remove(`${validatingPath}/c-closed`),
    remove(`${validatingPath}/c-v`),
    remove(`${validatingPath}/c-none`),
    remove(`${validatingPath}/c-service`),
    remove(`${validatingPath}/c-conditions`),
    remove(`${mutatingPath}/c-m`),
    remove(`${validatingPath}/none`),
  ],
};
