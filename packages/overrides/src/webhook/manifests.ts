/** Creates all manifests, in the order to apply them; the webhook configuration comes last. */
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
    ...(connected ? rbacManifests(options) : []),
    ...workloadManifests(options),
    mutatingWebhookConfiguration(options),
  ];
}

/** Makes API servers call the webhook for every write of Endpoints and EndpointSlices. */
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
        clientConfig: { service, ...(ca !== undefined && { caBundle: encodeBase64(ca) }) },
        rules: [createRule('', 'endpoints'), createRule('discovery.k8s.io', 'endpointslices')],
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        failurePolicy: options.failurePolicy ?? 'Ignore',
        timeoutSeconds: options.timeoutSeconds ?? 5,
        reinvocationPolicy: options.reinvocationPolicy ?? 'IfNeeded',
        // The webhook's own endpoints must not depend on the webhook.
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

const createRule = (group: string, resource: string): object => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  resources: [resource],
  operations: ['CREATE', 'UPDATE'],
  scope: 'Namespaced',
});

const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** An API object to apply. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

export interface ConfigurationOptions {
  /** Name of the webhook's Service, and of the other objects except the Namespace and the rules ConfigMap. */
  readonly name: string;
  readonly namespace: string;
  /** The CA that API servers trust, in PEM. */
  readonly ca?: string | undefined;
  /** Alternative to `ca`: "namespace/name" of a Certificate whose CA cert-manager injects. */
  readonly injectCaFrom?: string | undefined;
  /** Default: "Ignore". If the webhook is unavailable, endpoints are written unchanged. */
  readonly failurePolicy?: 'Ignore' | 'Fail' | undefined;
  /** 1 to 30; default: 5. */
  readonly timeoutSeconds?: number | undefined;
  /** Default: "IfNeeded": called again if another webhook changes the object later. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  /** Namespaces whose endpoints are not reviewed, besides the webhook's own namespace. */
  readonly excludeNamespaces?: readonly string[] | undefined;
}

export interface ManifestOptions extends ConfigurationOptions {
  readonly image?: string | undefined;
  /** Default: 2. */
  readonly replicas?: number | undefined;
  /** Rule files by name, for a ConfigMap that the webhook reloads when it changes. */
  readonly rules: Readonly<Record<string, string>>;
  /** Name of a Secret with tls.crt and tls.key; default: the name followed by "-tls". */
  readonly tlsSecret?: string | undefined;
  /** Whether the webhook may call the API server, to read the objects that rules use and to patch objects so that they are synced and reviewed again.
   * True by default. */
  readonly connected?: boolean | undefined;
}

/** Creates the permissions that the webhook needs: to read the objects that rules use, and to patch objects so that they are synced and
 * reviewed again. */
export function rbacManifests({ name, namespace }: Pick<ManifestOptions, 'name' | 'namespace'>): readonly Manifest[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name, labels: labelsOf(name) };
  return [
    {
      apiVersion,
      kind: 'ClusterRole',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch', 'patch'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['endpoints'], verbs: ['list', 'watch', 'patch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'patch'] },
      ],
    },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

/** Creates the ConfigMap with the rule files, the Service, the Deployment and the PodDisruptionBudget. */
export function workloadManifests(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, rules, replicas = 2 } = options;
  const labels = labelsOf(name);
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: rulesConfigMapName(name) }, data: rules },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ name: 'https', port: 443, targetPort: 'https' }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(ports.http) } },
          spec: createPodSpec(options, labels),
        },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    },
  ];
}

const ports = { https: 8443, http: 8080 } as const;
const rulesFolder = '/etc/kube-endpoints/rules';
const tlsFolder = '/etc/kube-endpoints/tls';
const rulesConfigMapName = (name: string): string => `${name}-rules`;

function createPodSpec(options: ManifestOptions, labels: Readonly<Record<string, string>>): object {
  const { name, tlsSecret = `${name}-tls` } = options;
  const ids = { runAsUser: 65532, runAsGroup: 65532 };
  return {
    serviceAccountName: name,
    automountServiceAccountToken: options.connected ?? true,
    terminationGracePeriodSeconds: 30,
    securityContext: { runAsNonRoot: true, ...ids, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [createContainer(options)],
    volumes: [
      { name: 'rules', configMap: { name: rulesConfigMapName(name) } },
      { name: 'tls', secret: { secretName: tlsSecret } },
    ],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
  };
}

function createContainer({ name, image = 'kube-endpoints:latest', rules, failurePolicy, connected = true }: ManifestOptions): object {
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      'webhook',
      ...Object.keys(rules).map((file) => `--rules=${rulesFolder}/${file}`),
      `--cert=${tlsFolder}/tls.crt`,
      `--key=${tlsFolder}/tls.key`,
      `--port=${ports.https}`,
      `--metrics-port=${ports.http}`,
      `--failure-policy=${failurePolicy === 'Fail' ? 'deny' : 'allow'}`,
      '--shutdown-delay=5s',
      '--log-format=json',
      ...(connected ? ['--in-cluster'] : []),
    ],
    ports: [
      { name: 'https', containerPort: ports.https },
      { name: 'http', containerPort: ports.http },
    ],
    livenessProbe: { httpGet: { path: '/livez', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      { name: 'rules', mountPath: rulesFolder, readOnly: true },
      { name: 'tls', mountPath: tlsFolder, readOnly: true },
    ],
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  };
}
