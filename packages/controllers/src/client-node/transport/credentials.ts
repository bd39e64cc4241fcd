import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import manifest from '../../../package.json' with { type: 'json' };
import { callWithin } from '../../base/time.ts';
import { type ConfiguredCluster, clusterOf, type KubeConfigLike } from '../kube-config.ts';
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
  let cache: CachedCredentials | undefined;
  let loadedAt = 0;
  let loading: Promise<Credentials> | undefined;
  const createTimeoutError = (): Error => new Error(`the kubeconfig's credentials cannot be loaded: no answer within ${timeout / 1000} s`);
  const load = async (): Promise<Credentials> => {
    // A credential plugin may never exit.
    const loaded = await callWithin({ clock, milliseconds: timeout, createTimeoutError }, () => loadCredentials(kubeConfig));
    const credentials = await updateCredentials(cache, loaded, { kubeConfig, host, settings });
    cache = { credentials, comparable: loaded.comparable };
    return credentials;
  };
  const reload = (): Promise<Credentials> => {
    loading ??= load().finally(() => {
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
      return reload();
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

async function loadCredentials(kubeConfig: KubeConfigLike): Promise<LoadedCredentials> {
  const options: RequestOptions = {};
  try {
    await kubeConfig.applyToHTTPSOptions(options);
  } catch (error) {
    throw new Error(`the kubeconfig's credentials cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, auth, agent } = options;
  const configuredTls = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  const tls = { ...(await tlsOptionsOf(clusterOf(kubeConfig))), ...omitUndefined(configuredTls) };
  return { comparable: { tls, headers: createHeaders(options.headers, auth) }, agent };
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
