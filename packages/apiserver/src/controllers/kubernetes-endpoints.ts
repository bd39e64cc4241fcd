import { setImmediate } from 'node:timers/promises';
import { type ApiObject, hasReason, type Resource, resources } from 'kube-endpoints/port';
import { type Registry, serverUser } from '../registry/index.ts';

/** An address and port at which the API server accepts connections; not a loopback address, which Endpoints must not contain. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * Publishes the server's address as the endpoint of the Service default/kubernetes. Mirrors pkg/controlplane/reconcilers (1.36), which runs
 * in kube-apiserver itself, so that kube-controller-manager does not replace it.
 */
export async function publishServerAddress(registry: Registry, { ip, port }: ServerAddress): Promise<void> {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  await apply(registry, resources.endpoints, endpointsFields, {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip }], ports }],
  });
  // Requests that arrived meanwhile come first: clients wait for the first answers of a server that starts.
  await setImmediate();
  await apply(registry, resources.endpointSlices, sliceFields, {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: ip.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports,
  });
}

const endpointsFields = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:endpointslice.kubernetes.io/skip-mirror': {} } },
  'f:subsets': {},
};

const sliceFields = {
  'f:addressType': {},
  'f:endpoints': {},
  'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/service-name': {} } },
  'f:ports': {},
};

/** @param fieldsV1 the fields that managedFields contain after a creation of the object, which has its defaults */
async function apply(registry: Registry, resource: Resource, fieldsV1: object, object: ApiObject): Promise<void> {
  const options = { fieldManager: 'kube-apiserver', user: serverUser };
  const { name = '', namespace = '' } = object.metadata;
  try {
    if (registry.store.find(resource, { namespace, name })) {
      await registry.update(
        resource,
        { namespace, name },
        (current) => ({ ...(current as ApiObject), ...object, metadata: { ...current?.metadata, ...object.metadata } }),
        options,
      );
    } else await registry.create(resource, namespace, object, { ...options, fieldsV1, isDecoded: true });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists', 'Conflict')) throw error;
  }
}
