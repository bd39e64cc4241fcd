import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Kubeconfig } from './files.ts';

/** Where a pod finds what its service account may use. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The configuration of a pod for the cluster that it runs in; undefined outside of one. As InClusterConfig of client-go. */
export async function readInCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder: string = serviceAccountFolder,
): Promise<Kubeconfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = join(folder, 'token');
  if (!host || !port || (await textOf(tokenFile)) === undefined) return undefined;
  const caFile = join(folder, 'ca.crt');
  const hasCa = (await textOf(caFile)) !== undefined;
  const namespace = (await textOf(join(folder, 'namespace')))?.trim();
  const name = 'in-cluster';
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    'current-context': name,
    clusters: [{ name, cluster: { server, ...(hasCa && { 'certificate-authority': caFile }) } }],
    users: [{ name, user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }],
    contexts: [{ name, context: { cluster: name, user: name, ...(namespace && { namespace }) } }],
  };
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
