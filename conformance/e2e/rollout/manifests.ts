import type { ApiObject } from 'kube-endpoints/port';
import type { Row } from './rows.ts';

/** The objects of a row. */
export interface RowObjects {
  readonly namespace: string;
  readonly nodes: readonly string[];
  /** Without Nodes and Namespaces. */
  readonly objects: readonly ApiObject[];
  /** The objects that the change applies; none for a drain. */
  readonly change: readonly ApiObject[];
  /** The nodes that the change drains. */
  readonly drained: readonly string[];
}

/** The name of the workload, its Service and its budget. */
export const appName = 'web';
export const appPort = 8080;
export const defaultReplicas = 3;
export const servicePort = 80;
/** What each node has for pods. */
export const nodeResources: Readonly<Record<string, string>> = { cpu: '64', memory: '256Gi', pods: '250' };

/** @param id a DNS label, the prefix of the names of everything that is not in the namespace */
export function createRowObjects(row: Row, id: string): RowObjects {
  const nodes = [`${id}-n1`, `${id}-n2`];
  const [first = ''] = nodes;
  const replicas = row.replicas ?? defaultReplicas;
  const metadata = { name: appName, namespace: id };
  const selector = { matchLabels: labels };
  const objects: ApiObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ port: servicePort, targetPort: appPort, protocol: 'TCP' }] },
    },
    createWorkload(row, metadata, replicas, 'app:1'),
  ];
  if (row.budget) objects.push({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { selector, ...row.budget } });
  const changes: Readonly<Record<Row['action'], readonly ApiObject[]>> = {
    rollout: [createWorkload(row, metadata, replicas, 'app:2')],
    scaleDown: [createWorkload(row, metadata, Math.max(1, replicas >> 1), 'app:1')],
    drain: [],
  };
  return { namespace: id, nodes, objects, change: changes[row.action], drained: row.action === 'drain' ? [first] : [] };
}

const labels = { app: appName };

function createWorkload(row: Row, metadata: ApiObject['metadata'], replicas: number, image: string): ApiObject {
  const { kind = 'Deployment', strategy = defaultStrategy, minReadySeconds, grace = 20 } = row;
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      ...(kind === 'Deployment' && { strategy }),
      ...(kind === 'StatefulSet' && { serviceName: appName }),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: grace, containers: [createContainer(row, image)] } },
    },
  };
}

const defaultStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };

function createContainer({ preStop, hasProbe = true }: Row, image: string): object {
  const hook = preStop === 'exec' ? { exec: { command: ['sleep'] } } : { sleep: { seconds: preStop } };
  return {
    name: 'app',
    image,
    ports: [{ containerPort: appPort }],
    ...(preStop !== undefined && { lifecycle: { preStop: hook } }),
    ...(hasProbe && { readinessProbe: { httpGet: { path: '/healthz', port: appPort }, periodSeconds: 1, failureThreshold: 1 } }),
  };
}
