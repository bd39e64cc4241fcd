type Json = Readonly<Record<string, unknown>>;

/** A webhook of a flow: its path, and more fields of its configuration. */
export interface Hook extends Json {
  readonly path: string;
}

/** A request to the API server. */
export interface Call {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  /** The key of the resource in `places`. */
  readonly resource: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly body?: Json;
  readonly query?: string;
}

/** Existing objects, webhooks, and the request to make. */
export interface Flow {
  readonly name: string;
  /** Webhook configurations by name. */
  readonly mutating?: Readonly<Record<string, readonly Hook[]>>;
  readonly validating?: Readonly<Record<string, readonly Hook[]>>;
  /** Objects to create first. */
  readonly before?: readonly { readonly resource: string; readonly body: Json }[];
  readonly call: Call;
  /** Whether to record complete reviews instead of only the calls. */
  readonly whole?: boolean;
}

export interface Place {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const core = (plural: string, kind: string, namespaced = true): Place => ({ group: '', version: 'v1', plural, kind, namespaced });

export const places: Readonly<Record<string, Place>> = {
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
export const portMark = 'PORT';

/** A configuration of webhooks on a local port. */
export function configurationOf(
  kind: 'Mutating' | 'Validating',
  name: string,
  hooks: readonly Hook[],
  port: number,
  authority: string,
): Json {
  const caBundle = Buffer.from(authority).toString('base64');
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: hooks.map(({ path, clientConfig, ...more }, i) => ({
      name: `${path.replace(/[^a-z0-9-]/g, '') || 'root'}.${i}.example.com`,
      clientConfig: withPort(clientConfig ?? { url: `https://127.0.0.1:${portMark}/${path}` }, port, caBundle),
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...more,
    })),
  };
}

/** Fills in the port, and the authority if none is set. */
function withPort(config: unknown, port: number, caBundle: string): Json {
  const filled = JSON.parse(JSON.stringify(config).replaceAll(portMark, String(port))) as Json;
  return { caBundle, ...filled };
}
