import { isWatched } from 'kube-endpoints/proxy';
import type { OnExternal } from './load-balancer.ts';
import { createRouter, type NetworkContext, type RecordRoutes } from './router.ts';
import type { ComputeNodeRoutes, NodeIdentity, NodeRoutes } from './service-routes.ts';

export interface KubeProxySettings {
  /** `minSyncPeriod` of kube-proxy, in milliseconds. */
  readonly minSyncPeriodMs: number;
  /** The release whose endpoints the rules have, such as "1.25"; by default, the newest one that `kube-endpoints/proxy` knows. */
  readonly version?: string;
}

/** The default of iptables and nftables (1.36, pkg/proxy/apis/config/v1alpha1/defaults.go). */
export const kubeProxyDefaults: KubeProxySettings = { minSyncPeriodMs: 1000 };

export interface KubeProxyOptions {
  readonly node: NodeIdentity;
  readonly settings: KubeProxySettings;
  readonly computeRoutes: ComputeNodeRoutes;
  /** Records the routes of connections from pods of the node. */
  readonly record: RecordRoutes;
  /** Receives the routes of connections from outside to the node. */
  readonly onExternal: OnExternal;
}

/**
 * Runs the kube-proxy of a node. A sync reads the changes that arrived by its start, and its rules take effect at its end. It requests a
 * sync for each change, no matter whether the rules change, like OnEndpointSliceUpdate (1.36, pkg/proxy/nftables/proxier.go).
 */
export function createKubeProxy(context: NetworkContext, { node, settings, computeRoutes, record, onExternal }: KubeProxyOptions): void {
  const actor = `kube-proxy/${node.name}`;
  createRouter(context, {
    actor,
    node: node.name,
    delay: 'proxySync',
    minIntervalMs: settings.minSyncPeriodMs,
    isWatched,
    apply: (service, state) => {
      const { internal, external } = state ? computeRoutes(state, node) : noRoutes;
      record(actor, service, internal);
      onExternal(service, node.name, external);
    },
  });
}

const noRoutes: NodeRoutes = { internal: [], external: [] };
