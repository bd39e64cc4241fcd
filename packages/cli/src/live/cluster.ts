import { messageOf } from 'kube-endpoints/internal';
import type { ClientPort } from 'kube-endpoints/port';
import { type IO, UsageError } from '../base/io.ts';
import type { ClusterFlags } from '../flags/cluster.ts';

/** A cluster that is reached by a kubeconfig. */
export interface Cluster {
  readonly port: ClientPort;
  /** With connections of its own. */
  readonly leasePort: ClientPort;
  /** That of the context. */
  readonly namespace: string;
  /** For people: which cluster this is, and where that is written. */
  readonly description: string;
  /** "10.0.0.1:6443" */
  readonly host: string;
  close(): void;
}

/** @throws UsageError where there is no such configuration, or it cannot be used */
export async function connect({ kubeconfig, context }: ClusterFlags, { env, version }: Pick<IO, 'env' | 'version'>): Promise<Cluster> {
  const { createClientNodePort, loadKubeConfig } = await import('@kube-endpoints/controllers/client-node');
  try {
    const { kubeConfig, namespace, description } = await loadKubeConfig({ kubeconfig, context, env });
    const options = { userAgent: `kube-endpoints/${version}` };
    const port = createClientNodePort(kubeConfig, options);
    const leasePort = createClientNodePort(kubeConfig, { ...options, maxSockets: 2 });
    const close = (): void => {
      port.close();
      leasePort.close();
    };
    const { host } = new URL(kubeConfig.getCurrentCluster()?.server ?? '');
    return { port, leasePort, namespace, description, host, close };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** Whether a command line, or what it is started in, leads to a cluster without naming one. */
export const isClusterNear = (env: IO['env']): boolean => Boolean(env['KUBECONFIG'] || env['KUBERNETES_SERVICE_HOST']);
