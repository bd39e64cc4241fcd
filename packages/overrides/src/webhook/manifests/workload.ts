import { labelsOf } from './configuration.ts';
import type { Manifest, ManifestOptions } from './options.ts';

/** The program, where its rules are, and how it is reached. */
export function workload(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, rules, replicas = 2 } = options;
  const labels = labelsOf(name);
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: rulesName(name) }, data: rules },
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
          spec: podSpec(options, labels),
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
const rulesName = (name: string): string => `${name}-rules`;

function podSpec(options: ManifestOptions, labels: Readonly<Record<string, string>>): object {
  const { name, tlsSecret = `${name}-tls` } = options;
  const ids = { runAsUser: 65532, runAsGroup: 65532 };
  return {
    serviceAccountName: name,
    automountServiceAccountToken: options.connected ?? true,
    terminationGracePeriodSeconds: 30,
    securityContext: { runAsNonRoot: true, ...ids, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container(options)],
    volumes: [
      { name: 'rules', configMap: { name: rulesName(name) } },
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

function container({ name, image = 'kube-endpoints:latest', rules, failurePolicy, connected = true }: ManifestOptions): object {
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
