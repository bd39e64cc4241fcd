import type { Cluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';

/** Objects of the tests of the cluster. */

export interface WebDeployment extends ApiObject {
  readonly status: Readonly<Record<string, number>>;
}

export interface ScheduledPod extends ApiObject {
  readonly spec: { readonly nodeName: string };
}

export const createNodes = (count: number): ApiObject[] =>
  Array.from({ length: count }, (_, i) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}` } }));

export const createService = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
});

export interface WorkloadOptions {
  readonly image?: string;
  readonly replicas?: number;
  readonly container?: object;
  readonly spec?: object;
  readonly podSpec?: object;
}

export const createPodTemplate = (app: string, { image = 'web:1', container, podSpec }: WorkloadOptions = {}): object => ({
  metadata: { labels: { app } },
  spec: {
    containers: [{ name: 'web', image, readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 5 }, ...container }],
    ...podSpec,
  },
});

/** A Deployment of 3 replicas with maxSurge 1 and maxUnavailable 0. */
export const createDeployment = (name: string, options: WorkloadOptions = {}): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: options.replicas ?? 3,
    selector: { matchLabels: { app: name } },
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: createPodTemplate(name, options),
    ...options.spec,
  },
});

/** Runs until nothing was recorded for 100 seconds, at most for 2 hours. */
export function rest({ clock, timeline, runUntil }: Cluster): void {
  const end = clock.now() + 7_200_000;
  for (let length = -1; length !== timeline.length && clock.now() < end; ) {
    length = timeline.length;
    runUntil(clock.now() + 100_000);
  }
}

interface Slice extends ApiObject {
  readonly endpoints: readonly { readonly addresses: readonly string[]; readonly conditions: { readonly ready: boolean } }[] | null;
}

/** The ready addresses in the EndpointSlices of a Service, sorted. */
export const readyAddresses = (cluster: Cluster, service: string): string[] =>
  cluster
    .list<Slice>('EndpointSlice')
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions.ready)
    .flatMap(({ addresses }) => addresses)
    .sort();
