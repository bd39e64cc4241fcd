import type { Cluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';

/** The pods before the change, one per node. The deployer replaces the containers of the first three. */
export const podCount = 5;
export const batch: readonly string[] = ['web-0', 'web-1', 'web-2'];
export const service = 'default/web';

const nodes: readonly ApiObject[] = Array.from({ length: podCount }, (_, i) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `n${i}` },
}));

const webService: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

/** Pods with the strategy OnDelete: the deployer decides when they change. */
export const createSet = (image: string): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: podCount,
    serviceName: 'web',
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'OnDelete' },
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 30,
        containers: [
          {
            name: 'web',
            image,
            ports: [{ containerPort: 8080 }],
            readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 5 },
          },
        ],
      },
    },
  },
});

export const objects: readonly ApiObject[] = [...nodes, webService, createSet('web:1')];

type StoredPod = Pod & ApiObject;

export const findPod = (cluster: Cluster, name: string): StoredPod => cluster.get<StoredPod>('Pod', 'default', name) as StoredPod;

export const addressOf = (cluster: Cluster, name: string): string => findPod(cluster, name).status?.podIP ?? '';

/** Changes the image of a running pod, as an operator for in-place updates does. */
export function changeImage(cluster: Cluster, name: string, image: string): void {
  const pod = findPod(cluster, name);
  const containers = (pod.spec?.containers ?? []).map((container) => ({ ...container, image }));
  cluster.apply({ ...pod, spec: { ...pod.spec, containers } } as ApiObject);
}

/** Whether a pod runs an image and is ready. */
export function isUpdated(cluster: Cluster, name: string, image: string): boolean {
  const { metadata, status } = cluster.get<StoredPod>('Pod', 'default', name) ?? { metadata: {}, status: undefined };
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  const images = (status as { containerStatuses?: readonly { image?: string }[] } | undefined)?.containerStatuses?.map(
    (each) => each.image,
  );
  return isReady && metadata.deletionTimestamp === undefined && (images?.includes(image) ?? false);
}
