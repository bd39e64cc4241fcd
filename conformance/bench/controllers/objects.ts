import type { ApiObject } from 'kube-endpoints/port';

/** The size of a cluster in which every Service has the same number of pods. Each pod is selected by exactly one Service. */
export interface ClusterSize {
  readonly services: number;
  readonly podsPerService: number;
}

export const countPods = ({ services, podsPerService }: ClusterSize): number => services * podsPerService;

const servicesPerNamespace = 100;
const defaultNodeCount = 100;

export const namespaceOf = (service: number): string => `team-${Math.floor(service / servicesPerNamespace)}`;
export const serviceName = (service: number): string => `web-${service}`;
export const podName = (service: number, pod: number): string => `web-${service}-7d4b9c8f6-${pod.toString(36).padStart(5, '0')}`;

/** Creates all objects of a cluster, with pods as a kubelet reports them. */
export function* createObjects(size: ClusterSize, nodeCount: number = defaultNodeCount): Generator<ApiObject> {
  for (let n = 0; n * servicesPerNamespace < size.services; n++) {
    yield { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${n}` } };
  }
  for (let n = 0; n < nodeCount; n++) yield createNode(n);
  for (let service = 0; service < size.services; service++) {
    yield createService(service);
    for (let pod = 0; pod < size.podsPerService; pod++) yield createPod(service, pod, service * size.podsPerService + pod, nodeCount);
  }
}

const createNode = (n: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${n}`, labels: { 'kubernetes.io/hostname': `node-${n}`, 'topology.kubernetes.io/zone': `zone-${n % 3}` } },
  spec: {},
  status: {
    allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: startTime }],
    addresses: [{ type: 'InternalIP', address: `192.168.0.${n + 1}` }],
  },
});

const createService = (service: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: serviceName(service), namespace: namespaceOf(service), labels: { app: serviceName(service), team: 'red' } },
  spec: {
    selector: { app: serviceName(service) },
    ports: [
      { name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' },
      { name: 'metrics', port: 9090, protocol: 'TCP', targetPort: 9090 },
    ],
  },
});

/** Creates a pod as large as a typical one of a Deployment: about two kilobytes of JSON. `index` is unique in the cluster. */
export function createPod(service: number, pod: number, index: number, nodeCount: number = defaultNodeCount): ApiObject {
  const app = serviceName(service);
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-7d4b9c8f6`, uid: uidOf('2', service), controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(service, pod),
      generateName: `${app}-7d4b9c8f6-`,
      namespace: namespaceOf(service),
      labels: { app, 'pod-template-hash': '7d4b9c8f6', team: 'red', version: 'v1' },
      annotations: { 'checksum/config': 'b6d6b3c8d1a94f5e0a7c9f2e3d4c5b6a79880716', 'prometheus.io/scrape': 'true' },
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: { nodeName: `node-${index % nodeCount}`, serviceAccountName: 'default', containers: [createContainer(imageOf(service))] },
    status: createStatus(service, index, nodeCount),
  };
}

const imageOf = (service: number): string => `images.example.com/shop/${serviceName(service)}:1.${service % 40}.2`;

const createContainer = (image: string): object => ({
  name: 'web',
  image,
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'LOG_LEVEL', value: 'info' },
    { name: 'DATABASE_URL', value: 'postgres://database.shop.svc.cluster.local:5432/shop' },
  ],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 },
});

function createStatus(service: number, index: number, nodeCount: number): object {
  const ip = `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  const container = { name: 'web', image: imageOf(service), imageID: `sha256:${uidOf('3', service)}` };
  return {
    phase: 'Running',
    hostIP: `192.168.0.${(index % nodeCount) + 1}`,
    podIP: ip,
    podIPs: [{ ip }],
    startTime,
    qosClass: 'Burstable',
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: startTime,
    })),
    containerStatuses: [
      {
        ...container,
        containerID: `containerd://${uidOf('4', index)}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: startTime } },
      },
    ],
  };
}

const startTime = '2026-01-01T00:00:00Z';

const uidOf = (prefix: string, index: number): string => `${prefix}f1c2c4e-0000-4000-8000-${String(index).padStart(12, '0')}`;
