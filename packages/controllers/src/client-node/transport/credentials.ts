import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import manifest from '../../../package.json' with { type: 'json' };
import { callWithin } from '../../base/time.ts';
import { type ExecCredential, type ExecPlugin, pluginOf, runPlugin } from '../exec-plugin.ts';
import { type ConfiguredCluster, clusterOf, type KubeConfigLike, withoutPlugins } from '../kube-config.ts';
import { omitUndefined, type Settings } from '../options.ts';
import { type Agents, createAgents, type TlsOptions } from './agents.ts';

/** Connections and headers of every request. */
export interface Credentials {
  readonly agents: Agents;
  /** Alternating names and values, the cheapest form for node:http. */
  readonly headers: readonly string[];
}

/** The credentials of a KubeConfig, reread when they may have changed. */
export interface CredentialSource {
  /** Returns synchronously if the cached credentials are recent enough. */
  getCurrent(): Credentials | Promise<Credentials>;
  /** Rereads the credentials after a server refused them. Returns the same object if they have not changed. */
  getReplacement(refused: Credentials): Promise<Credentials>;
  destroy(): void;
}

type SourceSettings = Pick<Settings, 'clock' | 'credentialsPeriod' | 'maxSockets' | 'timeout' | 'userAgent'>;

/** @param kubeConfig must not switch to another context */
export function createCredentialSource(kubeConfig: KubeConfigLike, host: string, settings: SourceSettings): CredentialSource {
  const { clock, credentialsPeriod, timeout } = settings;
  const pluginCache: PluginCache = { clock, last: undefined };
  let cache: CachedCredentials | undefined;
  let loadedAt = 0;
  let loading: Promise<Credentials> | undefined;
  const load = async (isRefused: boolean): Promise<Credentials> => {
    const plugin = pluginOf(kubeConfig);
    const problem = plugin ? `${plugin.description} did not end` : 'no answer';
    const createTimeoutError = (): Error => createLoadError(`${problem} within ${timeout / 1000} s`);
    if (isRefused) pluginCache.last = undefined;
    // A credential plugin may never exit.
    const loaded = await callWithin({ clock, milliseconds: timeout, createTimeoutError }, (signal) =>
      plugin ? loadWithPlugin(kubeConfig, plugin, pluginCache, signal) : loadCredentials(kubeConfig),
    );
    const credentials = await updateCredentials(cache, loaded, { kubeConfig, host, settings });
    cache = { credentials, comparable: loaded.comparable };
    return credentials;
  };
  const reload = (isRefused = false): Promise<Credentials> => {
    loading ??= load(isRefused).finally(() => {
      loading = undefined;
      loadedAt = clock.now();
    });
    return loading;
  };
  return {
    getCurrent() {
      if (cache === undefined) return reload();
      const { credentials } = cache;
      const age = clock.now() - loadedAt;
      // A clock that was set back must not extend the use of cached credentials.
      if (age >= 0 && age < credentialsPeriod) return credentials;
      // If rereading fails, the cached credentials may still be valid; otherwise the server answers 401.
      return reload().catch(() => credentials);
    },
    async getReplacement(refused) {
      if (cache !== undefined && cache.credentials !== refused) return cache.credentials;
      // A load in progress may use the refused credential of a plugin.
      const current = await loading;
      return current !== undefined && current !== refused ? current : reload(true);
    },
    destroy: () => cache?.credentials.agents.destroy(),
  };
}

/** The data of client-node that is compared to detect a change. Excludes the agent, because client-node creates a new agent each time. */
interface ComparableCredentials {
  readonly tls: TlsOptions;
  readonly headers: readonly string[];
}

interface CachedCredentials {
  readonly credentials: Credentials;
  readonly comparable: ComparableCredentials;
}

interface LoadedCredentials {
  readonly comparable: ComparableCredentials;
  readonly agent: unknown;
}

/** The last credential of a plugin. */
interface PluginCache {
  readonly clock: SourceSettings['clock'];
  last: { readonly config: unknown; readonly credential: ExecCredential } | undefined;
}

/** Loads credentials with those of a plugin, which runs again when its credential has expired. Client-node's errors would not name it. */
async function loadWithPlugin(
  kubeConfig: KubeConfigLike,
  plugin: ExecPlugin,
  cache: PluginCache,
  signal: AbortSignal,
): Promise<LoadedCredentials> {
  const { config } = plugin;
  const isUsable = cache.last?.config === config && (cache.last.credential.expiresAt ?? Infinity) > cache.clock.now();
  const credential = isUsable
    ? cache.last?.credential
    : await runPlugin(plugin, signal).catch((error: Error) => {
        throw createLoadError(error.message, error);
      });
  if (credential) cache.last = { config, credential };
  return loadCredentials(withoutPlugins(kubeConfig), credential);
}

const createLoadError = (problem: string, cause?: unknown): Error =>
  new Error(`the kubeconfig's credentials cannot be loaded: ${problem}`, { cause });

async function loadCredentials(kubeConfig: KubeConfigLike, pluginCredential?: ExecCredential): Promise<LoadedCredentials> {
  const options: RequestOptions = {};
  try {
    await kubeConfig.applyToHTTPSOptions(options);
  } catch (error) {
    throw createLoadError(messageOf(error), error);
  }
  if (pluginCredential) applyPluginCredential(options, pluginCredential);
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, auth, agent } = options;
  const configuredTls = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  const tls = { ...(await tlsOptionsOf(clusterOf(kubeConfig))), ...omitUndefined(configuredTls) };
  return { comparable: { tls, headers: createHeaders(options.headers, auth) }, agent };
}

function applyPluginCredential(options: RequestOptions, { token, cert, key }: ExecCredential): void {
  if (cert !== undefined) Object.assign(options, { cert, key });
  const headers = (options.headers ?? {}) as Record<string, string>;
  // A token of the kubeconfig has precedence.
  if (token !== undefined) headers['Authorization'] ??= `Bearer ${token}`;
  options.headers = headers;
}

/** Returns the TLS settings of the cluster, because client-node omits them if the context has no user. */
async function tlsOptionsOf({ caFile, caData, skipTLSVerify, tlsServerName }: ConfiguredCluster): Promise<TlsOptions> {
  const ca = caFile ? await readFile(caFile) : caData ? Buffer.from(caData, 'base64') : undefined;
  return omitUndefined({ ca, servername: tlsServerName || undefined, rejectUnauthorized: skipTLSVerify ? false : undefined });
}

function createHeaders(configuredHeaders: RequestOptions['headers'], auth: string | null | undefined): string[] {
  const headers: string[] = [];
  // Token files often end with a line break.
  for (const [name, value] of Object.entries(configuredHeaders ?? {}))
    for (const part of [value].flat()) headers.push(name, String(part).trim());
  const hasAuthorization = headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (auth && !hasAuthorization) headers.push('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  return headers;
}

/** Returns the same credentials if nothing changed, and reuses the connections if only the headers changed. */
async function updateCredentials(
  cached: CachedCredentials | undefined,
  { comparable, agent }: LoadedCredentials,
  { kubeConfig, host, settings }: { readonly kubeConfig: KubeConfigLike; readonly host: string; readonly settings: SourceSettings },
): Promise<Credentials> {
  if (cached !== undefined && isDeepStrictEqual(cached.comparable, comparable)) return cached.credentials;
  const isSameTls = cached !== undefined && isDeepStrictEqual(cached.comparable.tls, comparable.tls);
  const agents = isSameTls
    ? cached.credentials.agents
    : createAgents({ cluster: clusterOf(kubeConfig), tls: comparable.tls, agent, settings });
  if (!isSameTls) cached?.credentials.agents.retire();
  const userAgent = settings.userAgent ?? `kube-endpoints/${manifest.version}`;
  return { agents, headers: ['Host', host, 'User-Agent', userAgent, 'Accept', 'application/json', ...comparable.headers] };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));
