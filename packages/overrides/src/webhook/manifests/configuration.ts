import type { ConfigurationOptions, Manifest } from './options.ts';

/** What has an API server ask the webhook about every write of Endpoints and EndpointSlices. */
export function mutatingWebhookConfiguration(options: ConfigurationOptions): Manifest {
  const { name, namespace, ca, injectCaFrom, excludeNamespaces = [] } = options;
  const service = { namespace, name, path: '/mutate', port: 443 };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name,
      labels: labelsOf(name),
      ...(injectCaFrom !== undefined && { annotations: { 'cert-manager.io/inject-ca-from': injectCaFrom } }),
    },
    webhooks: [
      {
        name: 'endpoints.kube-endpoints.dev',
        admissionReviewVersions: ['v1'],
        clientConfig: { service, ...(ca !== undefined && { caBundle: base64(ca) }) },
        rules: [rule('', 'endpoints'), rule('discovery.k8s.io', 'endpointslices')],
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        failurePolicy: options.failurePolicy ?? 'Ignore',
        timeoutSeconds: options.timeoutSeconds ?? 5,
        reinvocationPolicy: options.reinvocationPolicy ?? 'IfNeeded',
        // Its own endpoints have to come about without it.
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...new Set([namespace, ...excludeNamespaces])].sort() },
          ],
        },
      },
    ],
  };
}

export const labelsOf = (name: string): Readonly<Record<string, string>> => ({ 'app.kubernetes.io/name': name });

const rule = (group: string, resource: string): object => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  resources: [resource],
  operations: ['CREATE', 'UPDATE'],
  scope: 'Namespaced',
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
