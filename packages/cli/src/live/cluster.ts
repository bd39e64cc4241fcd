import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { ClientPort } from 'kube-endpoints/port';
import { type IO, UsageError } from '../base/io.ts';
import type { ClusterFlags } from '../flags/cluster.ts';
import { createInstallCommand } from './install.ts';

/** A cluster of a kubeconfig. */
export interface Cluster {
  readonly port: ClientPort;
  /** Has its own connections, so that Lease calls do not wait for other calls. */
  readonly leasePort: ClientPort;
  /** The namespace of the context. */
  readonly namespace: string;
  /** The cluster and the source of its configuration, as text for the user. */
  readonly description: string;
  /** Such as "10.0.0.1:6443". */
  readonly host: string;
  /** Returns the version of the server, such as "v1.29.3+k3s1"; undefined if it sends none. */
  serverVersion(): Promise<string | undefined>;
  close(): void;
}

/** Connects to the cluster of a kubeconfig. @throws UsageError if the configuration is missing or invalid */
export async function connect({ kubeconfig, context }: ClusterFlags, { env, version }: Pick<IO, 'env' | 'version'>): Promise<Cluster> {
  const { createClientNodePort, loadKubeConfig } = await import('@kube-endpoints/controllers/client-node');
  try {
    const { kubeConfig, namespace, description } = await loadKubeConfig({ kubeconfig, context, env });
    const { host } = new URL(kubeConfig.getCurrentCluster()?.server ?? '');
    const options = { userAgent: `kube-endpoints/${version}` };
    const port = createClientNodePort(kubeConfig, options);
    const leasePort = createClientNodePort(kubeConfig, { ...options, maxSockets: 2 });
    const close = (): void => {
      port.close();
      leasePort.close();
    };
    return { port, leasePort, namespace, description, host, serverVersion: () => port.serverVersion(), close };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    const isLibraryMissing = code === 'ERR_MODULE_NOT_FOUND';
    const message = isLibraryMissing ? `${missingLibraryProblem}: ${createInstallCommand(import.meta.dirname)}` : messageOf(error);
    throw new UsageError(message, { cause: error });
  }
}

const missingLibraryProblem = 'reading a cluster requires @kubernetes/client-node, which is not installed; install it';

/** True if the environment configures a cluster: KUBECONFIG, or the service variables of a pod. */
export const isClusterConfigured = (env: IO['env']): boolean => Boolean(env['KUBECONFIG'] || env['KUBERNETES_SERVICE_HOST']);
