import type { ApiObject } from 'kube-endpoints/port';

export interface PodOptions {
  readonly app?: string;
  readonly ip?: string;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly node?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly readySince?: string;
}

/** A running pod on a node. */
export function podFor(name: string, options: PodOptions = {}): ApiObject {
  const { app = 'web', ip = '10.0.0.1', ready = true, phase = 'Running', node = 'n1', namespace = 'shop' } = options;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: options.labels ?? { app } },
    spec: { nodeName: node, containers: [{ name: 'main', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { phase, ...(ip && { podIP: ip, podIPs: [{ ip }] }), conditions: readiness(ready, options.readySince) },
  };
}

export const readiness = (ready: boolean, lastTransitionTime = '2026-01-01T00:00:00Z'): object[] => [
  { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime },
];

export function serviceFor(name: string, spec: Readonly<Record<string, unknown>> = {}, namespace = 'shop'): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
  };
}

export const nodeFor = (name: string, zone?: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...(zone && { labels: { 'topology.kubernetes.io/zone': zone } }) },
  status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
});
