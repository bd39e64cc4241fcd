import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type ConfiguredContext, type KubeConfigLike, setOrigin } from '../kube-config.ts';
import { type Kubeconfig, mergeKubeconfigs, readIfExists, readKubeconfig } from './files.ts';

export interface LoadOptions<K extends KubeConfigLike = KubeConfigLike> {
  /** A file. By default the files of KUBECONFIG, then ~/.kube/config, then the service account of the pod that this process runs in. */
  readonly kubeconfig?: string | undefined;
  /** The current context by default. */
  readonly context?: string | undefined;
  /** The environment of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder of the pod's service account; by default the one that Kubernetes mounts. */
  readonly serviceAccountFolder?: string;
  /** A client-node library that the host has loaded already; its KubeConfig is the type of the result. */
  readonly library?: ClientNodeLibrary<K>;
}

export interface LoadedKubeConfig<K extends KubeConfigLike = KubeConfigLike> {
  readonly kubeConfig: K;
  /** The namespace of the context; "default" if it has no contexts. */
  readonly namespace: string;
  /** The cluster and the source of its configuration, for messages. */
  readonly description: string;
}

/**
 * Loads the configuration that kubectl would use.
 *
 * @throws Error with the code "NoCluster" if no configuration is found; Error if a file is missing or unreadable, client-node is not installed, or the context is unknown
 */
export async function loadKubeConfig<K extends KubeConfigLike = KubeConfigLike>(
  options: LoadOptions<K> = {},
): Promise<LoadedKubeConfig<K>> {
  const { config, origin, isInCluster } = await findConfig(options);
  const { KubeConfig } = options.library ?? ((await importLibrary()) as unknown as ClientNodeLibrary<K>);
  const contextName = selectContext(config, options.context, origin);
  const kubeConfig = new KubeConfig();
  const entries = { ...config, 'current-context': contextName };
  // An invalid entry does no harm unless the context uses it.
  (kubeConfig as unknown as Loadable).loadFromString(JSON.stringify(entries), { onInvalidEntry: 'filter' });
  setOrigin(kubeConfig, origin);
  const context = kubeConfig.getContexts().find(({ name }) => name === contextName);
  const server = requireServer(kubeConfig, context, { contextName, origin });
  return {
    kubeConfig,
    namespace: context?.namespace || 'default',
    description: isInCluster ? `the cluster of this pod, ${server}` : `context ${JSON.stringify(contextName)} of ${origin}, ${server}`,
  };
}

/** A method that both major versions of client-node have, with incompatible declared types. */
interface Loadable {
  loadFromString(config: string, options: { readonly onInvalidEntry: string }): void;
}

interface ConfigSource {
  readonly config: Kubeconfig;
  /** The files, or the service account, for messages. */
  readonly origin: string;
  readonly isInCluster?: boolean;
}

async function findConfig({
  kubeconfig,
  env = process.env,
  serviceAccountFolder,
}: Omit<LoadOptions, 'library' | 'context'>): Promise<ConfigSource> {
  if (kubeconfig !== undefined) {
    const config = await readKubeconfig(kubeconfig);
    if (!config) throw new Error(`the kubeconfig ${kubeconfig} does not exist`);
    return { config, origin: kubeconfig };
  }
  const configuredPaths = [...new Set((env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean))];
  const paths = configuredPaths.length > 0 ? configuredPaths : [join(env['HOME'] || env['USERPROFILE'] || homedir(), '.kube', 'config')];
  const files = await Promise.all(paths.map(async (path) => ({ path, config: await readKubeconfig(path) })));
  const existingFiles = files.flatMap(({ path, config }) => (config ? [{ path, config }] : []));
  if (existingFiles.length > 0)
    return {
      config: mergeKubeconfigs(existingFiles.map(({ config }) => config)),
      origin: existingFiles.map(({ path }) => path).join(', '),
    };
  const inCluster = await readInCluster(env, serviceAccountFolder);
  if (inCluster) return { config: inCluster, origin: 'the service account', isInCluster: true };
  const problem =
    configuredPaths.length > 0 ? `none of the files in KUBECONFIG exists (${paths.join(', ')})` : `${paths[0]} does not exist`;
  throw Object.assign(new Error(`no cluster found: ${problem}, and this process does not run in a pod`), { code: 'NoCluster' });
}

function selectContext({ 'current-context': current, contexts }: Kubeconfig, requested: string | undefined, origin: string): string {
  const name = requested ?? current;
  const contextNames = contexts.map((context) => context.name);
  if (name !== undefined && contextNames.includes(name)) return name;
  const hint =
    contextNames.length === 0 ? 'it has no contexts' : `there are ${contextNames.map((name) => JSON.stringify(name)).join(', ')}`;
  if (name === undefined) throw new Error(`${origin} has no current context: name one; ${hint}`);
  throw new Error(`${origin} has no context ${JSON.stringify(name)}: ${hint}`);
}

function requireServer(
  kubeConfig: KubeConfigLike,
  context: ConfiguredContext | undefined,
  { contextName, origin }: { readonly contextName: string; readonly origin: string },
): string {
  const cluster = kubeConfig.getCurrentCluster();
  if (context && cluster) return cluster.server;
  throw new Error(`context ${JSON.stringify(contextName)} of ${origin} has no cluster with a server`);
}

/** Where Kubernetes mounts the service account of a pod. */
export const defaultServiceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Reads the in-cluster configuration of a pod; undefined outside of a pod. Mirrors InClusterConfig of client-go. */
export async function readInCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder: string = defaultServiceAccountFolder,
): Promise<Kubeconfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = join(folder, 'token');
  if (!host || !port || (await readIfExists(tokenFile)) === undefined) return undefined;
  const caFile = join(folder, 'ca.crt');
  const hasCa = (await readIfExists(caFile)) !== undefined;
  const namespace = (await readIfExists(join(folder, 'namespace')))?.trim();
  const name = 'in-cluster';
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    'current-context': name,
    clusters: [{ name, cluster: { server, ...(hasCa && { 'certificate-authority': caFile }) } }],
    users: [{ name, user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }],
    contexts: [{ name, context: { cluster: name, user: name, ...(namespace && { namespace }) } }],
  };
}

/**
 * The exports of client-node that this package uses, in both major versions. Its types are not imported, so that this package compiles
 * without client-node.
 */
export interface ClientNodeLibrary<K extends KubeConfigLike = KubeConfigLike> {
  readonly KubeConfig: new () => K;
}

/** Imports client-node, an optional dependency. @throws Error that says what to install */
export async function importLibrary(
  load: () => Promise<ClientNodeLibrary> = () => import('@kubernetes/client-node'),
): Promise<ClientNodeLibrary> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@kubernetes/client-node')) throw error;
    throw new Error('Reading a kubeconfig requires @kubernetes/client-node, which is not installed: npm install @kubernetes/client-node', {
      cause: error,
    });
  }
}
