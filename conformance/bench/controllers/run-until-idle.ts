import { setImmediate as nextIteration } from 'node:timers/promises';
import type * as Runtime from '@kube-endpoints/controllers';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { type ClusterSize, createObjects } from './objects.ts';
import { createVirtualCluster, type VirtualCluster } from './virtual-cluster.ts';

const { createControllers } = (await import('@kube-endpoints/controllers')) as typeof Runtime;

/** Runs controllers on a cluster in this process until they have no work left. */
export async function runUntilIdle(
  cluster: VirtualCluster,
  names?: readonly ControllerName[],
): Promise<{ controllers: Runtime.Controllers; stop(): Promise<void> }> {
  const controller = new AbortController();
  const controllers = createControllers({ port: cluster.port, ...(names && { controllers: names }) });
  const running = controllers.run(controller.signal);
  do await nextIteration();
  while (!controllers.ready || !controllers.idle);
  return {
    controllers,
    async stop() {
      controller.abort();
      await running;
    },
  };
}

const kindByPlural: Readonly<Record<string, string>> = { pods: 'Pod', services: 'Service', nodes: 'Node' };

/** Creates a cluster that generates its objects while they are listed, so that they do not stay in memory. */
export function createSizedCluster(size: ClusterSize): VirtualCluster {
  return createVirtualCluster(function* (resource: Resource) {
    const kind = kindByPlural[resource.plural];
    if (kind === undefined) return;
    for (const object of createObjects(size)) if (object.kind === kind) yield withServerMetadata(object);
  });
}

/** Adds the metadata, and the defaults of a Service's spec, that a server adds. */
export const withServerMetadata = (object: ApiObject): ApiObject => {
  const { name, namespace = '' } = object.metadata;
  const metadata = {
    ...object.metadata,
    uid: `${namespace}-${name}-0000-4000-8000`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const spec =
    object.kind === 'Service'
      ? { ...(object['spec'] as object), clusterIP: '10.96.0.10', ipFamilies: ['IPv4'], type: 'ClusterIP' }
      : object['spec'];
  // As received from the network: strings are not shared with other objects.
  return JSON.parse(JSON.stringify({ ...object, metadata, spec })) as ApiObject;
};
