import type { ApiObject } from 'kube-endpoints/port';

export interface Size {
  readonly pods: number;
  readonly nodes: number;
  /** Among how many Deployments the pods are divided. The first one changes. */
  readonly deployments: number;
}

const createDeployment = (name: string, replicas: number, image: string): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }], readinessProbe: { httpGet: { path: '/', port: 8080 } } }],
      },
    },
  },
});

const createService = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
});

/** The objects of a cluster, and a rollout without preStop hooks, which drops requests. */
export function createRollout({ pods, nodes, deployments }: Size): { readonly objects: ApiObject[]; readonly change: ApiObject[] } {
  const replicas = pods / deployments;
  const names = Array.from({ length: deployments }, (_, i) => `web-${i}`);
  return {
    objects: [
      ...Array.from({ length: nodes }, (_, i) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i + 1}` } })),
      ...names.flatMap((name) => [createService(name), createDeployment(name, replicas, 'web:1')]),
    ],
    change: [createDeployment('web-0', replicas, 'web:2')],
  };
}
