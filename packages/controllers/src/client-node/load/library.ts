import type { KubeConfigLike } from '../kube-config.ts';

/**
 * What is needed of client-node itself. Both its majors fit; their own types stay out of this package's, for those who have neither.
 */
export interface ClientNodeLibrary<K extends KubeConfigLike = KubeConfigLike> {
  readonly KubeConfig: new () => K;
}

/** client-node, which is there only if the host has installed it. @throws Error that says what to install */
export async function importLibrary(
  load: () => Promise<ClientNodeLibrary> = () => import('@kubernetes/client-node'),
): Promise<ClientNodeLibrary> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@kubernetes/client-node')) throw error;
    throw new Error('Reading a kubeconfig takes @kubernetes/client-node, which is not installed: npm install @kubernetes/client-node', {
      cause: error,
    });
  }
}
