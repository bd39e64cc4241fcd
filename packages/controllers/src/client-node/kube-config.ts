import type { RequestOptions } from 'node:https';

/** The fields of client-node's Cluster that are used here. */
export interface ConfiguredCluster {
  readonly name: string;
  readonly server: string;
  readonly caData?: string | undefined;
  readonly caFile?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly skipTLSVerify?: boolean | undefined;
  readonly proxyUrl?: string | undefined;
}

/** The fields of client-node's Context that are used here. */
export interface ConfiguredContext {
  readonly name: string;
  readonly cluster: string;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The fields of client-node's User that are used here. */
interface ConfiguredUser {
  readonly name: string;
  readonly exec?: ExecConfig | undefined;
  readonly authProvider?: { readonly config?: { readonly exec?: ExecConfig | undefined } | undefined } | undefined;
}

/** The field `exec` of a user of a kubeconfig. */
export interface ExecConfig {
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly apiVersion?: string;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

/** The methods of client-node's KubeConfig that are used here. Compatible with 1.x and 2.x. */
export interface KubeConfigLike {
  getCurrentContext(): string;
  getCurrentCluster(): ConfiguredCluster | null;
  getContexts(): readonly ConfiguredContext[];
  /** Without it, client-node runs the credential plugin of a user. */
  getCurrentUser?(): ConfiguredUser | null;
  /** Sets certificates, TLS verification, authentication headers, and an agent that supports the proxy. */
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

/**
 * Returns a copy fixed to the current context, so that the port does not send another cluster's credentials to this one if a shared
 * KubeConfig is switched later. The state of its authenticators stays shared.
 */
export function pinToCurrentContext<K extends KubeConfigLike>(kubeConfig: K): K {
  const pinnedFields: PropertyDescriptorMap = {};
  for (const field of ['currentContext', 'contexts', 'clusters', 'users']) {
    const value: unknown = (kubeConfig as unknown as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined) pinnedFields[field] = { value: Array.isArray(value) ? [...value] : value };
  }
  return Object.create(kubeConfig, pinnedFields) as K;
}

/** Returns a copy without credential plugins. */
export function withoutPlugins<K extends KubeConfigLike>(kubeConfig: K): K {
  const { users } = kubeConfig as unknown as { readonly users: readonly ConfiguredUser[] };
  const usersWithoutPlugins = users.map(({ exec: _, authProvider, ...user }) =>
    authProvider && !authProvider.config?.exec ? { ...user, authProvider } : user,
  );
  return Object.create(kubeConfig, { users: { value: usersWithoutPlugins } }) as K;
}

const originKey: unique symbol = Symbol('the files that a KubeConfig was loaded from');

/** Remembers the files that a KubeConfig was loaded from, for messages. */
export const setOrigin = (kubeConfig: object, origin: string): void =>
  void Object.defineProperty(kubeConfig, originKey, { value: origin, enumerable: false });

export const originOf = (kubeConfig: object): string | undefined => (kubeConfig as { readonly [originKey]?: string })[originKey];

/** @throws Error if the current context has no cluster */
export function clusterOf(kubeConfig: KubeConfigLike): ConfiguredCluster {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster) return cluster;
  const context = kubeConfig.getCurrentContext();
  if (!context) throw new Error('the kubeconfig has no current context: set one');
  throw new Error(`the current context ${JSON.stringify(context)} of the kubeconfig refers to a cluster that it does not define`);
}
