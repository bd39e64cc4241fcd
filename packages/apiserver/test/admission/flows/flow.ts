type Json = Readonly<Record<string, unknown>>;

/** The URL path of a webhook and further fields of its configuration. */
export interface Hook extends Json {
  readonly path: string;
}

/** A request to the API server. */
export interface Call {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  /** The key of the resource in `flowResources`. */
  readonly resource: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly body?: Json;
  readonly query?: string;
}

/** A request to the API server, with the webhooks and objects that exist before it. */
export interface Flow {
  readonly name: string;
  /** Webhook configurations by name. */
  readonly mutating?: Readonly<Record<string, readonly Hook[]>>;
  readonly validating?: Readonly<Record<string, readonly Hook[]>>;
  /** Objects to create first. */
  readonly existingObjects?: readonly { readonly resource: string; readonly body: Json }[];
  readonly call: Call;
  /** Whether to record complete reviews instead of only the calls. */
  readonly completeReviews?: boolean;
}

export interface FlowResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const coreResource = (plural: string, kind: string, namespaced = true): FlowResource => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const flowResources: Readonly<Record<string, FlowResource>> = {
  configMaps: coreResource('configmaps', 'ConfigMap'),
  pods: coreResource('pods', 'Pod'),
  services: coreResource('services', 'Service'),
  nodes: coreResource('nodes', 'Node', false),
  namespaces: coreResource('namespaces', 'Namespace', false),
  events: coreResource('events', 'Event'),
  groupEvents: { ...coreResource('events', 'Event'), group: 'events.k8s.io' },
  mutating: {
    ...coreResource('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false),
    group: 'admissionregistration.k8s.io',
  },
};

/** Placeholder for the port, which differs between runs. */
export const portPlaceholder = 'PORT';

/** Creates a configuration of webhooks on a local port. */
export function createConfiguration(
  kind: 'Mutating' | 'Validating',
  name: string,
  hooks: readonly Hook[],
  port: number,
  caCertificate: string,
): Json {
  const caBundle = Buffer.from(caCertificate).toString('base64');
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: hooks.map(({ path, clientConfig, ...fields }, i) => ({
      name: `${path.replace(/[^a-z0-9-]/g, '') || 'root'}.${i}.example.com`,
      clientConfig: fillPlaceholders(clientConfig ?? { url: `https://127.0.0.1:${portPlaceholder}/${path}` }, port, caBundle),
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...fields,
    })),
  };
}

/** Fills in the port, and the CA bundle if none is set. */
function fillPlaceholders(config: unknown, port: number, caBundle: string): Json {
  const filledConfig = JSON.parse(JSON.stringify(config).replaceAll(portPlaceholder, String(port))) as Json;
  return { caBundle, ...filledConfig };
}
