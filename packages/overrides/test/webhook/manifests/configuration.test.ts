import { describe, expect, it } from 'vitest';
import { mutatingWebhookConfiguration } from '../../../src/webhook/index.ts';

const names = { name: 'kube-endpoints-webhook', namespace: 'kube-endpoints' };

describe('the configuration', () => {
  const [webhook] = (mutatingWebhookConfiguration({ ...names, ca: 'PEM' }) as unknown as { webhooks: Record<string, unknown>[] }).webhooks;

  it('has writes of endpoints reviewed, and lets them pass where they cannot be', () => {
    expect(webhook).toMatchObject({
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { ...names, path: '/mutate', port: 443 }, caBundle: 'UEVN' },
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      timeoutSeconds: 5,
      reinvocationPolicy: 'IfNeeded',
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], resources: ['endpoints'], operations: ['CREATE', 'UPDATE'] },
        { apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'], operations: ['CREATE', 'UPDATE'] },
      ],
    });
  });

  it('leaves the webhook’s own endpoints alone, and those that it is told to', () => {
    const values = (...excludeNamespaces: readonly string[]): unknown =>
      (
        mutatingWebhookConfiguration({ ...names, excludeNamespaces })['webhooks'] as {
          namespaceSelector: { matchExpressions: { values: unknown }[] };
        }[]
      )[0]?.namespaceSelector.matchExpressions[0]?.values;
    expect(values()).toEqual(['kube-endpoints']);
    expect(values('kube-system', 'kube-endpoints')).toEqual(['kube-endpoints', 'kube-system']);
  });
});
