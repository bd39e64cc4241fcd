import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

export interface KubeconfigOptions {
  /** The server's URL, such as "https://127.0.0.1:6443". */
  readonly url: string;
  /** The certificate authority, in PEM. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** Name of the cluster, the user and the context. */
  readonly name?: string;
  readonly namespace?: string;
}

/** Formats a kubeconfig with one cluster, one user and one context, the current one. */
export function formatKubeconfig({ url, ca, token, name = 'kube-endpoints', namespace }: KubeconfigOptions): string {
  const quotedName = JSON.stringify(name);
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${quotedName}`,
    '  cluster:',
    `    server: ${JSON.stringify(url)}`,
    ...(ca === undefined ? [] : [`    certificate-authority-data: ${Buffer.from(ca).toString('base64')}`]),
    'users:',
    `- name: ${quotedName}`,
    ...(token === undefined ? ['  user: {}'] : ['  user:', `    token: ${JSON.stringify(token)}`]),
    'contexts:',
    `- name: ${quotedName}`,
    '  context:',
    `    cluster: ${quotedName}`,
    `    user: ${quotedName}`,
    ...(namespace === undefined ? [] : [`    namespace: ${JSON.stringify(namespace)}`]),
    `current-context: ${quotedName}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes a file that only its owner can read. The file is replaced atomically: readers see the old or the new content. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  // Imported on demand to keep the start of the server fast.
  const { open, rename, rm } = await import('node:fs/promises');
  const temporaryPath = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
