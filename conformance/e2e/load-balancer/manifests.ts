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
  const nodeNames = balancedNodes(nodes).map(({ metadata }) => metadata?.name);
  const servicesWithBalancer = services.filter((service) => wantsLoadBalancer(service) && !service.metadata?.deletionTimestamp);
  const sortUids = (list: readonly (string | null | undefined)[]): readonly string[] => list.map((uid) => uid ?? '').sort();
  return [
    check(
      'cloud',
      'a load balancer for each Service that needs one, and no others',
      sortUids(cloud.held.map(({ reference }) => reference.uid)),
      sortUids(servicesWithBalancer.map(({ metadata }) => metadata?.uid)),
    ),
    ...services.flatMap((service) => {
      const key = `${service.metadata?.namespace}/${service.metadata?.name}`;
      const balancer = cloud.held.find(({ reference }) => reference.uid === service.metadata?.uid);
      const needsBalancer = servicesWithBalancer.includes(service);
      return [
        ...(hasOtherClass(service) ? [] : [check(key, 'its finalizer', hasCleanupFinalizer(service), needsBalancer)]),
        check(key, 'its status', service.status?.loadBalancer?.ingress?.[0]?.ip, balancer?.status.ingress?.[0]?.ip),
        ...(balancer ? [check(key, 'the nodes of its load balancer', balancer.nodes, nodeNames)] : []),
        ...(balancer ? [check(key, 'the ports of its load balancer', portsOf(balancer.service), portsOf(service))] : []),
      ];
    }),
  ];
}

/**
 * Whether a Service has a loadBalancerClass. Its finalizer is not checked: if a controller is killed after it deleted the load balancer and
 * before it removed the finalizer, the next controller keeps the finalizer until the Service is deleted.
 */
const hasOtherClass = ({ spec }: BalancedService): boolean => typeof spec?.loadBalancerClass === 'string';

const portsOf = ({ spec }: BalancedService): unknown =>
  (spec?.ports ?? []).map(({ port, nodePort, appProtocol }) => [port, nodePort, appProtocol]);
