import { fullPod, minimalContainer, scheduledPod } from './manifest-pods.ts';

/** A valid object, which is sent unchanged and with single fields changed. */
export interface Base {
  readonly name: string;
  /** The key of a description. */
  readonly resource: string;
  readonly object: Readonly<Record<string, unknown>>;
}

const namespace = 'vectors';
const createBase = (resource: string, name: string, apiVersion: string, kind: string, fields: Record<string, unknown>): Base => {
  const { metadata, ...otherFields } = fields;
  const namespaced = !clusterScopedResources.has(resource);
  const fullMetadata = { name, ...(namespaced && { namespace }), ...(metadata as object) };
  return { name: `${resource}/${name}`, resource, object: { apiVersion, kind, metadata: fullMetadata, ...otherFields } };
};

const clusterScopedResources = new Set(['namespaces', 'nodes', 'mutatingWebhookConfigurations', 'validatingWebhookConfigurations']);

const createCoreBase = (resource: string, kind: string, name: string, fields: Record<string, unknown> = {}): Base =>
  createBase(resource, name, 'v1', kind, fields);

const sharedMetadata = {
  labels: { app: 'web', 'example.com/tier': 'front' },
  annotations: { note: 'kept', 'example.com/Owner': 'them' },
  finalizers: ['example.com/hold'],
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '7c1e2a34-0000-4000-8000-000000000001', controller: true },
  ],
};

const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }] };

const webhook = (name: string): Record<string, unknown> => ({
  name,
  clientConfig: { service: { namespace: 'default', name: 'hooks', path: '/check', port: 8443 } },
  rules: [
    { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services', 'pods/status'], scope: 'Namespaced' },
  ],
  sideEffects: 'None',
  admissionReviewVersions: ['v1', 'v1beta1'],
  namespaceSelector: selector,
  timeoutSeconds: 5,
});

const minimalWebhook = (name: string): Record<string, unknown> => ({
  name,
  clientConfig: { url: 'https://hooks.example.com/check' },
  sideEffects: 'NoneOnDryRun',
  admissionReviewVersions: ['v1'],
});

/** Valid objects of every resource. */
export const bases: readonly Base[] = [
  createCoreBase('namespaces', 'Namespace', 'plain'),
  createCoreBase('namespaces', 'Namespace', 'full', { metadata: sharedMetadata, spec: { finalizers: ['example.com/keep'] } }),
  createCoreBase('configMaps', 'ConfigMap', 'plain'),
  createCoreBase('configMaps', 'ConfigMap', 'full', { metadata: sharedMetadata, data: { a: '1', 'b.txt': '' }, binaryData: { c: 'AAEC' } }),
  createCoreBase('configMaps', 'ConfigMap', 'fixed', { data: { a: '1' }, immutable: true }),
  createCoreBase('secrets', 'Secret', 'plain', { data: { a: 'YQ==' }, stringData: { b: 'plain' } }),
  createCoreBase('secrets', 'Secret', 'tls', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }),
  createCoreBase('secrets', 'Secret', 'docker', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } }),
  createCoreBase('secrets', 'Secret', 'basic', { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' }, immutable: true }),
  createCoreBase('secrets', 'Secret', 'ssh', { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': 'YQ==' } }),
  createCoreBase('secrets', 'Secret', 'old-docker', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': 'e30=' } }),
  createCoreBase('serviceAccounts', 'ServiceAccount', 'plain', {
    secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }],
    imagePullSecrets: [{ name: 'pull' }],
    automountServiceAccountToken: false,
  }),
  createCoreBase('nodes', 'Node', 'plain'),
  createCoreBase('nodes', 'Node', 'full', {
    metadata: { labels: { 'kubernetes.io/hostname': 'full', 'node-role.kubernetes.io/worker': '' } },
    spec: {
      podCIDR: '10.1.0.0/24',
      podCIDRs: ['10.1.0.0/24', 'fd00:1::/64'],
      providerID: 'cloud://full',
      taints: [
        { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
        { key: 'example.com/slow', effect: 'NoExecute' },
      ],
      unschedulable: true,
    },
    status: {
      capacity: { cpu: '4', memory: '16384Mi', pods: '110', 'example.com/gpu': '2' },
      addresses: [
        { type: 'InternalIP', address: '10.9.0.1' },
        { type: 'Hostname', address: 'full' },
      ],
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: '2025-01-01T00:00:00Z' }],
      nodeInfo: { kubeletVersion: 'v1.36.3', osImage: 'Debian' },
      images: [{ names: ['web:1'], sizeBytes: 1000 }],
    },
  }),
  createCoreBase('endpoints', 'Endpoints', 'plain'),
  createCoreBase('endpoints', 'Endpoints', 'full', {
    metadata: sharedMetadata,
    subsets: [
      {
        addresses: [
          { ip: '10.2.0.2', hostname: 'b', nodeName: 'node-a', targetRef: { kind: 'Pod', name: 'b', namespace, uid: 'u2' } },
          { ip: '10.2.0.1' },
        ],
        notReadyAddresses: [{ ip: 'fd00::1' }],
        ports: [
          { name: 'http', port: 80 },
          { name: 'dns', port: 53, protocol: 'UDP', appProtocol: 'example.com/dns' },
        ],
      },
      { addresses: [{ ip: '10.2.0.3' }], ports: [{ port: 443 }] },
    ],
  }),
  createBase('endpointSlices', 'v4', 'discovery.k8s.io/v1', 'EndpointSlice', {
    metadata: { labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.2.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: 'a',
        nodeName: 'node-a',
        zone: 'a',
        targetRef: { kind: 'Pod', name: 'a', namespace },
        hints: { forZones: [{ name: 'a' }], forNodes: [{ name: 'node-a' }] },
        deprecatedTopology: { 'kubernetes.io/hostname': 'node-a' },
      },
      { addresses: ['10.2.0.2', '10.2.0.3'] },
    ],
    ports: [
      { name: 'http', port: 80, appProtocol: 'http' },
      { port: 53, protocol: 'UDP', name: 'dns' },
    ],
  }),
  createBase('endpointSlices', 'v6', 'discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'IPv6',
    endpoints: [{ addresses: ['fd00::1'] }],
    ports: [],
  }),
  createBase('endpointSlices', 'names', 'discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'FQDN',
    endpoints: [{ addresses: ['web.example.com'] }],
    ports: [{}],
  }),
  createBase('leases', 'plain', 'coordination.k8s.io/v1', 'Lease', {}),
  createBase('leases', 'held', 'coordination.k8s.io/v1', 'Lease', {
    metadata: sharedMetadata,
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2025-01-01T00:00:00.000000Z',
      renewTime: '2025-01-01T01:02:03.456789+02:00',
      leaseTransitions: 1,
    },
  }),
  createBase('mutatingWebhookConfigurations', 'hooks', 'admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', {
    webhooks: [{ ...webhook('one.example.com'), reinvocationPolicy: 'IfNeeded', matchPolicy: 'Exact' }, minimalWebhook('two.example.com')],
  }),
  createBase('validatingWebhookConfigurations', 'hooks', 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    webhooks: [{ ...webhook('one.example.com'), failurePolicy: 'Ignore' }, minimalWebhook('two.example.com')],
  }),
  createCoreBase('events', 'Event', 'old', {
    involvedObject: { kind: 'Pod', namespace, name: 'web', uid: 'u', fieldPath: 'spec.containers{main}' },
    reason: 'Started',
    message: 'started',
    source: { component: 'kubelet', host: 'node-a' },
    firstTimestamp: '2025-01-01T00:00:00Z',
    lastTimestamp: '2025-01-01T00:00:01+01:00',
    count: 2,
    type: 'Normal',
  }),
  createBase('groupEvents', 'new', 'events.k8s.io/v1', 'Event', {
    eventTime: '2025-01-01T00:00:00.000001Z',
    series: { count: 2, lastObservedTime: '2025-01-01T00:00:02.000000Z' },
    reportingController: 'example.com/web',
    reportingInstance: 'web-0',
    action: 'Start',
    reason: 'Started',
    regarding: { kind: 'Pod', namespace, name: 'web' },
    related: { kind: 'Node', name: 'node-a' },
    note: 'started',
    type: 'Warning',
  }),
  createCoreBase('services', 'Service', 'plain', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  createCoreBase('services', 'Service', 'full', {
    metadata: sharedMetadata,
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http', appProtocol: 'example.com/web' },
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
      ],
      sessionAffinity: 'ClientIP',
      externalIPs: ['192.0.2.1'],
      publishNotReadyAddresses: true,
      trafficDistribution: 'PreferClose',
      internalTrafficPolicy: 'Local',
    },
  }),
  createCoreBase('services', 'Service', 'node-port', { spec: { type: 'NodePort', ports: [{ port: 80 }], externalTrafficPolicy: 'Local' } }),
  createCoreBase('services', 'Service', 'balanced', {
    spec: {
      type: 'LoadBalancer',
      ports: [{ port: 443, name: 'tls' }],
      loadBalancerClass: 'example.com/balancer',
      loadBalancerSourceRanges: ['10.0.0.0/8', ' 192.168.0.0/16 '],
      loadBalancerIP: '192.0.2.9',
      allocateLoadBalancerNodePorts: false,
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    },
  }),
  createCoreBase('services', 'Service', 'headless', { spec: { clusterIP: 'None', selector: { app: 'web' } } }),
  createCoreBase('services', 'Service', 'elsewhere', { spec: { type: 'ExternalName', externalName: 'db.example.com.' } }),
  createCoreBase('pods', 'Pod', 'plain', { spec: { containers: [minimalContainer] } }),
  createCoreBase('pods', 'Pod', 'full', fullPod),
  createCoreBase('pods', 'Pod', 'placed', scheduledPod),
  createCoreBase('pods', 'Pod', 'gated', {
    spec: {
      containers: [minimalContainer],
      schedulingGates: [{ name: 'example.com/wait' }],
      nodeSelector: { zone: 'a' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  }),
];
