// Objects of the benchmarks as JSON: small, like most objects of a cluster.

export const namespace = 'bench';

export const configMap = (i: number, value = 'first'): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `settings-${i}`, labels: { app: 'web' } }, data: { value } });

export const pod = (i: number, generation = 'first'): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `web-${i}`, labels: { app: 'web', tier: `t${i % 10}` }, annotations: { generation } },
    spec: { nodeName: `node-${i % 100}`, containers: [{ name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }] },
  });

export const service = (i: number, app = 'web'): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${i}` },
    spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  });

export const slice = (i: number, ready = true): string =>
  JSON.stringify({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `web-${i}`, labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: 10 }, (_, n) => ({ addresses: [`10.1.${i % 250}.${n + 1}`], conditions: { ready } })),
  });

export type Paths = Readonly<Record<'configMaps' | 'pods' | 'services' | 'slices', string>>;

export const pathsIn = (name: string): Paths => ({
  configMaps: `/api/v1/namespaces/${name}/configmaps`,
  pods: `/api/v1/namespaces/${name}/pods`,
  services: `/api/v1/namespaces/${name}/services`,
  slices: `/apis/discovery.k8s.io/v1/namespaces/${name}/endpointslices`,
});
