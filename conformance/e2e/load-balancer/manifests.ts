import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import { type BalancedNode, type BalancedService, balancedNodes, wantsLoadBalancer } from 'kube-endpoints/load-balancer';
import type { Manifest } from '../../../examples/manifest.ts';
import { type Api, pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { CloudServer } from './cloud-server.ts';

export const namespace = 'balanced';

export const nodeManifest = (name: string, labels: Readonly<Record<string, string>> = {}): Manifest =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { providerID: `cloud:///${name}` } }) as unknown as Manifest;

export const serviceManifest = (name: string, spec: Readonly<Record<string, unknown>> = {}): Manifest =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ name: 'http', port: 80 }], ...spec },
  }) as unknown as Manifest;

export const servicePath = (name: string): string => pathOf('Service', namespace, name);

/** Compares the Services in the cluster with the load balancers in the cloud. */
export async function compareAll(api: Api, { cloud }: CloudServer): Promise<Check[]> {
  const services = (await api.list(pathOf('Service', namespace))) as unknown as readonly BalancedService[];
  const nodes = (await api.list(pathOf('Node'))) as unknown as readonly BalancedNode[];
  const names = balancedNodes(nodes).map(({ metadata }) => metadata?.name);
  const wanting = services.filter((service) => wantsLoadBalancer(service) && !service.metadata?.deletionTimestamp);
  const uids = (list: readonly (string | null | undefined)[]): readonly string[] => list.map((uid) => uid ?? '').sort();
  return [
    check(
      'cloud',
      'a load balancer for each Service that wants one, and no other',
      uids(cloud.held.map(({ reference }) => reference.uid)),
      uids(wanting.map(({ metadata }) => metadata?.uid)),
    ),
    ...services.flatMap((service) => {
      const key = `${service.metadata?.namespace}/${service.metadata?.name}`;
      const held = cloud.held.find(({ reference }) => reference.uid === service.metadata?.uid);
      const wants = wanting.includes(service);
      return [
        ...(isForeign(service) ? [] : [check(key, 'its finalizer', hasCleanupFinalizer(service), wants)]),
        check(key, 'its status', service.status?.loadBalancer?.ingress?.[0]?.ip, held?.status.ingress?.[0]?.ip),
        ...(held ? [check(key, 'the nodes of its load balancer', held.nodes, names)] : []),
        ...(held ? [check(key, 'the ports of its load balancer', portsOf(held.service), portsOf(service))] : []),
      ];
    }),
  ];
}

/**
 * If a controller is killed between the deletion of the load balancer and the patch, its successor leaves the finalizer until the Service
 * is deleted.
 */
const isForeign = ({ spec }: BalancedService): boolean => typeof spec?.loadBalancerClass === 'string';

const portsOf = ({ spec }: BalancedService): unknown =>
  (spec?.ports ?? []).map(({ port, nodePort, appProtocol }) => [port, nodePort, appProtocol]);
