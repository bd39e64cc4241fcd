import { computeEndpointSlices, computeEndpoints } from 'kube-endpoints';
import type { ApiObject } from 'kube-endpoints/port';
import type { Node, Pod, Service } from 'kube-endpoints/types';
import { type ClusterSize, createObjects } from '../controllers/objects.ts';

/** Yields the objects of a dump of a cluster: Services with their pods, Endpoints and EndpointSlices, and nodes. */
export function* createDump(size: ClusterSize, nodeCount: number): Generator<ApiObject> {
  const objects = [...createObjects(size, nodeCount)].map((object, index) =>
    asStored(object.kind === 'Service' ? withClusterIP(object, index) : object),
  );
  yield* objects;
  const objectsOf = <T>(kind: string): T[] => objects.filter((object) => object.kind === kind) as T[];
  const nodes = objectsOf<Node>('Node');
  const pods = Map.groupBy(objectsOf<Pod>('Pod'), ({ metadata }) => metadata?.labels?.['app']);
  for (const service of objectsOf<Service>('Service')) {
    const selectedPods = pods.get(service.metadata?.name ?? '') ?? [];
    const endpoints = computeEndpoints(service, selectedPods) as ApiObject | undefined;
    if (endpoints) yield asStored({ ...endpoints, apiVersion: 'v1', kind: 'Endpoints' });
    for (const slice of computeEndpointSlices(service, selectedPods, { nodes })) {
      const name = `${service.metadata?.name}-x7k2p`;
      yield asStored({
        ...slice,
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...slice.metadata, name },
      } as unknown as ApiObject);
    }
  }
}

function withClusterIP(service: ApiObject, index: number): ApiObject {
  const clusterIP = `10.${96 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  const spec = { ...(service['spec'] as object), type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'] };
  return { ...service, spec: { ...spec, ipFamilyPolicy: 'SingleStack', sessionAffinity: 'None' }, status: { loadBalancer: {} } };
}

/** Adds the metadata that the API server sets, in its order of fields. */
function asStored({ apiVersion, kind, metadata, ...rest }: ApiObject): ApiObject {
  const { annotations, generateName, labels, name, namespace, ownerReferences } = metadata;
  const stored = {
    annotations,
    creationTimestamp: '2026-01-01T00:00:00Z',
    generateName,
    labels,
    name,
    namespace,
    ownerReferences,
    resourceVersion: '1000',
    uid: `${kind}-${namespace}-${name}`,
  };
  return { apiVersion, kind, metadata: stored, ...rest } as ApiObject;
}
