type Json = Readonly<Record<string, unknown>>;

/** A webhook of a flow: its URL path and further fields of its configuration. */
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
  readonly before?: readonly { readonly resource: string; readonly body: Json }[];
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

const core = (plural: string, kind: string, namespaced = true): FlowResource => ({ group: '', version: 'v1', plural, kind, namespaced });

export const flowResources: Readonly<Record<string, FlowResource>> = {
  configMaps: core('configmaps', 'ConfigMap'),
  pods: core('pods', 'Pod'),
  services: core('services', 'Service'),
  nodes: core('nodes', 'Node', false),
  namespaces: core('namespaces', 'Namespace', false),
  events: core('events', 'Event'),
  groupEvents: { ...core('events', 'Event'), group: 'events.k8s.io' },
  mutating: { ...core('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false), group: 'admissionregistration.k8s.io' },
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
      clientConfig: withPort(clientConfig ?? { url: `https://127.0.0.1:${portPlaceholder}/${path}` }, port, caBundle),
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...fields,
    })),
  };
}

/** Fills in the port, and the CA bundle if none is set. */
function withPort(config: unknown, port: number, caBundle: string): Json {
  const withPortNumber = JSON.parse(JSON.stringify(config).replaceAll(portPlaceholder, String(port))) as Json;
  return { caBundle, ...withPortNumber };
}
