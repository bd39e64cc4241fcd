const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }] };

export const minimalContainer: Readonly<Record<string, unknown>> = { name: 'main', image: 'images.example.com/web:1.2' };

const fullContainer = {
  name: 'main',
  image: 'images.example.com/web',
  command: ['/web'],
  args: ['--port', '8080'],
  workingDir: '/srv',
  ports: [
    { name: 'http', containerPort: 8080 },
    { name: 'dns', containerPort: 53, protocol: 'UDP', hostPort: 5353 },
  ],
  env: [
    { name: 'MODE', value: 'fast' },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'main' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ],
  envFrom: [{ configMapRef: { name: 'settings' } }, { prefix: 'S_', secretRef: { name: 'keys' } }],
  resources: { limits: { cpu: '0.5', memory: '1024Mi' }, requests: { cpu: '250m' } },
  livenessProbe: { httpGet: { port: 8080 } },
  readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5 },
  startupProbe: { exec: { command: ['true'] }, failureThreshold: 30 },
  lifecycle: { preStop: { sleep: { seconds: 5 } }, postStart: { exec: { command: ['true'] } } },
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'settings', mountPath: '/etc/web', readOnly: true, subPath: 'web' },
  ],
  securityContext: { runAsUser: 1000, runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  terminationMessagePolicy: 'FallbackToLogsOnError',
};

export const fullPod: Readonly<Record<string, unknown>> = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [fullContainer, { ...minimalContainer, name: 'side', image: 'images.example.com/side:latest' }],
    initContainers: [
      { ...minimalContainer, name: 'init', image: 'busybox@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
      { ...minimalContainer, name: 'mesh', restartPolicy: 'Always', readinessProbe: { grpc: { port: 9000 } } },
    ],
    volumes: [
      { name: 'data', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'a/b', mode: 288 }] } },
      { name: 'keys', secret: { secretName: 'keys', optional: true } },
      { name: 'host', hostPath: { path: '/var/log' } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'about', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 'token' } }, { configMap: { name: 'settings' } }] } },
    ],
    nodeSelector: { zone: 'a' },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' }],
    hostname: 'web-0',
    subdomain: 'web',
    serviceAccountName: 'web',
    imagePullSecrets: [{ name: 'pull' }],
    dnsConfig: { nameservers: ['10.0.0.10'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] },
    hostAliases: [{ ip: '10.1.1.1', hostnames: ['db', 'db.example.com'] }],
    readinessGates: [{ conditionType: 'example.com/ready' }],
    securityContext: { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000] },
    terminationGracePeriodSeconds: 60,
    activeDeadlineSeconds: 3600,
    priorityClassName: 'system-node-critical',
  },
};

export const scheduledPod: Readonly<Record<string, unknown>> = {
  spec: {
    containers: [{ ...minimalContainer, ports: [{ containerPort: 80 }], resources: { limits: { cpu: 1, memory: '64Mi' } } }],
    hostNetwork: true,
    dnsPolicy: 'ClusterFirstWithHostNet',
    restartPolicy: 'Never',
    nodeName: 'node-a',
    schedulerName: 'mine',
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    shareProcessNamespace: true,
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector, topologyKey: 'kubernetes.io/hostname' }],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: { labelSelector: selector, topologyKey: 'zone' } }],
      },
    },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector }],
  },
};
