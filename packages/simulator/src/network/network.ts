import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { ProxyService } from 'kube-endpoints/proxy';
import { createDns } from './dns.ts';
import { createIngress, type IngressSettings } from './ingress.ts';
import { createKubeProxy, type KubeProxySettings, kubeProxyDefaults } from './kube-proxy.ts';
import {
  createNodeBalancers,
  createPodBalancers,
  isBalanced,
  type LoadBalancerSettings,
  loadBalancerDefaults,
  type OnExternal,
} from './load-balancer.ts';
import { createReadinessGates } from './readiness-gates.ts';
import { createRouteRecorder, createRouteTable, type NetworkContext, type RecordRoutes, type RouteTable } from './router.ts';
import { createNodeRoutes, type NodeIdentity } from './service-routes.ts';
import { createTargetRecorder } from './targets.ts';

export interface NetworkSettings {
  readonly kubeProxy?: Partial<KubeProxySettings>;
  readonly loadBalancer?: Partial<LoadBalancerSettings>;
  readonly ingresses?: readonly IngressSettings[];
}

/** Starts every component that routes: a kube-proxy and a resolver per node, CoreDNS, load balancers, and the ingress proxies of the settings. */
export function createNetwork(context: NetworkContext, nodes: readonly ApiObject[], settings: NetworkSettings = {}): RouteTable {
  const loadBalancer = { ...loadBalancerDefaults, ...settings.loadBalancer };
  const recorder = createRouteRecorder(context.clock);
  const gates = loadBalancer.readinessGate ? createReadinessGates(context) : undefined;
  const table = createRouteTable(
    loadBalancer.targets === 'pods' ? createTargetRecorder(context, loadBalancer, recorder, gates?.open) : recorder,
  );
  const { record } = table;
  const computeRoutes = createNodeRoutes(settings.kubeProxy?.version);
  const onExternal = createBalancers({ ...context, ...(gates && { watches: gates.watches }) }, loadBalancer, record);
  const identities = nodes.map(
    ({ metadata }): NodeIdentity => ({
      name: metadata.name as string,
      ...(metadata.labels && { labels: metadata.labels }),
    }),
  );
  for (const node of identities)
    createKubeProxy(context, { node, settings: { ...kubeProxyDefaults, ...settings.kubeProxy }, computeRoutes, record, onExternal });
  createDns(context, { nodes: identities.map(({ name }) => name), record });
  for (const ingress of settings.ingresses ?? []) createIngress(context, ingress, record);
  return table;
}

/** Starts the load balancers. Returns the receiver of the nodes' external routes. */
function createBalancers(context: NetworkContext, settings: LoadBalancerSettings, record: RecordRoutes): OnExternal {
  if (settings.targets === 'pods') {
    createPodBalancers(context, settings, record);
    return () => {};
  }
  const balanced = new Map<string, boolean>();
  context.watches.watch('load-balancers', ['Service'], ({ previous, current }) => {
    const service = (current ?? previous) as ApiObject;
    if (current && isBalanced(current as ProxyService))
      balanced.set(objectKey(service), (current as ProxyService).spec?.externalTrafficPolicy === 'Local');
    else balanced.delete(objectKey(service));
  });
  return createNodeBalancers(context, settings, (service) => balanced.get(service), record);
}
