import type { EndpointSlice, EndpointSliceInput, EndpointSubsetInput, EndpointsInput, ObjectMeta } from '../../../src/types/index.ts';

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const controllerName = 'endpointslicemirroring-controller.k8s.io';
export const mirrorLabels: Readonly<Record<string, string>> = { [managedByLabel]: controllerName, [serviceNameLabel]: 'db' };

/** Endpoints "shop/db" written by a user. */
export const makeEndpoints = (subsets: readonly EndpointSubsetInput[] = [], metadata: ObjectMeta = {}): EndpointsInput => ({
  metadata: { name: 'db', namespace: 'shop', uid: 'e1', ...metadata },
  subsets,
});

export const port = { name: 'sql', port: 5432, protocol: 'TCP' };
export const otherPort = { name: 'admin', port: 8080, protocol: 'TCP' };

/** A subset whose addresses are all ready; by default with one port. */
export const makeReadySubset = (ips: readonly string[], ...ports: (typeof port)[]): EndpointSubsetInput => ({
  addresses: ips.map((ip) => ({ ip })),
  ports: ports.length > 0 ? ports : [port],
});

/** A slice as the mirroring controller writes it, with ready endpoints. */
export const makeMirrored = (name: string, ips: readonly string[], overrides: Partial<EndpointSliceInput> = {}): EndpointSliceInput => ({
  addressType: 'IPv4',
  endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
  ports: [port],
  ...overrides,
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    generation: 1,
    labels: mirrorLabels,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'db', uid: 'e1', controller: true, blockOwnerDeletion: true }],
    ...overrides.metadata,
  },
});

/** Formats a slice in one line: name or prefix, type, ports, and addresses; "!" marks addresses that are not ready. */
export function summarizeSlice({ metadata, addressType, ports, endpoints }: EndpointSlice): string {
  const addresses = endpoints.map((endpoint) => `${endpoint.addresses.join()}${endpoint.conditions.ready ? '' : '!'}`);
  const name = metadata.name ?? `${metadata.generateName}*`;
  return `${name} ${addressType} ${ports.map((each) => each.name).join('+')}: ${addresses.join(' ')}`;
}
