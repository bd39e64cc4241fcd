/** An object that the script sends. The functions below fill in the required fields. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly [field: string]: unknown;
}

export const configMap = (name: string, data: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const pod = (name: string, spec: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }], ...spec },
});

export const service = (name: string, spec: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, ...metadata },
  spec: { ports: [{ port: 80 }], ...spec },
});

export const endpoints = (name: string, subsets: readonly unknown[] | undefined, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name, ...metadata },
  subsets,
});

export const slice = (name: string, fields: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, ...metadata },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.2.3'] }],
  ports: [{ name: 'http', port: 80 }],
  ...fields,
});

export const node = (name: string, fields: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
  ...fields,
});

export const lease = (name: string, spec: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, ...metadata },
  spec,
});

export const secret = (name: string, fields: object = {}, metadata: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...metadata },
  ...fields,
});

export const serviceAccount = (name: string, fields: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name },
  ...fields,
});

export const deleteOptions = (options: object): object => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...options });
