import type { RequestOptions } from 'node:https';

/** The parts of client-node's Cluster that matter here. */
export interface ConfiguredCluster {
  readonly name: string;
  readonly server: string;
  readonly caData?: string | undefined;
  readonly caFile?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly skipTLSVerify?: boolean | undefined;
  readonly proxyUrl?: string | undefined;
}

/** The parts of client-node's Context that matter here. */
export interface ConfiguredContext {
  readonly name: string;
  readonly cluster: string;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

/** What this room needs of client-node's KubeConfig. Those of 1.x and 2.x fit. */
export interface KubeConfigLike {
  getCurrentContext(): string;
  getCurrentCluster(): ConfiguredCluster | null;
  getContexts(): readonly ConfiguredContext[];
  /** Fills in certificates, what is checked of the server's, the headers that say who asks, and an agent that knows the proxy. */
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

/**
 * The same configuration, which stays on its context: whoever switches a shared KubeConfig to another cluster later does not make a port
 * send that cluster's credentials to this one. What its authenticators remember is shared.
 */
export function pinned<K extends KubeConfigLike>(kubeConfig: K): K {
  const fixed: PropertyDescriptorMap = {};
  for (const field of ['currentContext', 'contexts', 'clusters', 'users']) {
    const value: unknown = (kubeConfig as unknown as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined) fixed[field] = { value: Array.isArray(value) ? [...value] : value };
  }
  return Object.create(kubeConfig, fixed) as K;
}

/** @throws Error where the current context leads to no cluster */
export function clusterOf(kubeConfig: KubeConfigLike): ConfiguredCluster {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster) return cluster;
  const context = kubeConfig.getCurrentContext();
  if (!context) throw new Error('the kubeconfig has no current context: set one');
  throw new Error(`the kubeconfig's current context ${JSON.stringify(context)} leads to no cluster of it`);
}
