/** What is applied to a cluster for the webhook to run there, and to be asked. */
import { labelsOf, mutatingWebhookConfiguration } from './configuration.ts';
import type { Manifest, ManifestOptions } from './options.ts';
import { rights } from './rights.ts';
import { workload } from './workload.ts';

export type { ConfigurationOptions, Manifest, ManifestOptions } from './options.ts';
export { mutatingWebhookConfiguration };

/** Everything, in the order in which it is to be applied: the API server is told last. */
export function webhookManifests(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, connected = true } = options;
  const labels = labelsOf(name);
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels }, automountServiceAccountToken: false },
    ...(connected ? rights(options) : []),
    ...workload(options),
    mutatingWebhookConfiguration(options),
  ];
}
