import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import manifest from '../../../package.json' with { type: 'json' };
import { type ConfiguredCluster, clusterOf, type KubeConfigLike } from '../kube-config.ts';
import type { Settings } from '../options.ts';
import { type Agents, createAgents, type TlsMaterial } from './agents.ts';

/** Connections and headers of every request. */
export interface Credentials {
  readonly agents: Agents;
  /** Alternating names and values, the cheapest form for node:http. */
  readonly headers: readonly string[];
}

/** The credentials of a KubeConfig, reread when they may have changed. */
export interface CredentialSource {
  /** Returns synchronously if they are fresh. */
  current(): Credentials | Promise<Credentials>;
  /** Rereads credentials that a server refused. Returns the same ones if there are no others. */
  replacementFor(refused: Credentials): Promise<Credentials>;
  destroy(): void;
}

type SourceSettings = Pick<Settings, 'clock' | 'credentialsPeriod' | 'maxSockets' | 'timeout' | 'userAgent'>;

/** @param kubeConfig must stay on its context */
export function createCredentialSource(kubeConfig: KubeConfigLike, host: string, settings: SourceSettings): CredentialSource {
  const { clock, credentialsPeriod } = settings;
  let known: CachedCredentials | undefined;
  let loadedAt = 0;
  let loading: Promise<Credentials> | undefined;
  const load = async (): Promise<Credentials> => {
    const found = await withTimeout(loadMaterial(kubeConfig), settings);
    const credentials = await updateCredentials(known, found, { kubeConfig, host, settings });
    known = { credentials, material: found.material };
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
    current() {
      if (known === undefined) return reload();
      const { credentials } = known;
      const age = clock.now() - loadedAt;
      // A clock that was set back must not extend their use.
      if (age >= 0 && age < credentialsPeriod) return credentials;
      // If rereading fails, the old ones may still be valid; otherwise the server answers 401.
      return reload().catch(() => credentials);
    },
    async replacementFor(refused) {
      if (known !== undefined && known.credentials !== refused) return known.credentials;
      return reload();
    },
    destroy: () => known?.credentials.agents.destroy(),
  };
}

/** The comparable part of what client-node returns. The agent is not part of it, because client-node creates a new one each time. */
interface CredentialMaterial {
  readonly tls: TlsMaterial;
  readonly headers: readonly string[];
}

interface CachedCredentials {
  readonly credentials: Credentials;
  readonly material: CredentialMaterial;
}

interface LoadedCredentials {
  readonly material: CredentialMaterial;
  readonly agent: unknown;
}

async function loadMaterial(kubeConfig: KubeConfigLike): Promise<LoadedCredentials> {
  const options: RequestOptions = {};
  try {
    await kubeConfig.applyToHTTPSOptions(options);
  } catch (error) {
    throw new Error(`the kubeconfig's credentials cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, auth, agent } = options;
  const chosen = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  const tls = { ...(await ofCluster(clusterOf(kubeConfig))), ...definedOf(chosen) };
  return { material: { tls, headers: headersOf(options.headers, auth) }, agent };
}

/** client-node omits the TLS settings of the cluster if the context has no user. */
async function ofCluster({ caFile, caData, skipTLSVerify, tlsServerName }: ConfiguredCluster): Promise<TlsMaterial> {
  const ca = caFile ? await readFile(caFile) : caData ? Buffer.from(caData, 'base64') : undefined;
  return definedOf({ ca, servername: tlsServerName || undefined, rejectUnauthorized: skipTLSVerify ? false : undefined });
}

function headersOf(configured: RequestOptions['headers'], auth: string | null | undefined): string[] {
  const headers: string[] = [];
  // Token files often end with a line break.
  for (const [name, value] of Object.entries(configured ?? {})) for (const each of [value].flat()) headers.push(name, String(each).trim());
  const hasAuthorization = headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (auth && !hasAuthorization) headers.push('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  return headers;
}

/** Returns the same credentials if nothing changed, and reuses the connections if only the headers changed. */
async function updateCredentials(
  known: CachedCredentials | undefined,
  { material, agent }: LoadedCredentials,
  { kubeConfig, host, settings }: { readonly kubeConfig: KubeConfigLike; readonly host: string; readonly settings: SourceSettings },
): Promise<Credentials> {
  if (known !== undefined && isDeepStrictEqual(known.material, material)) return known.credentials;
  const isSameTls = known !== undefined && isDeepStrictEqual(known.material.tls, material.tls);
  const agents = isSameTls
    ? known.credentials.agents
    : createAgents({ cluster: clusterOf(kubeConfig), tls: material.tls, agent, settings });
  if (!isSameTls) known?.credentials.agents.retire();
  const userAgent = settings.userAgent ?? `kube-endpoints/${manifest.version}`;
  return { agents, headers: ['Host', host, 'User-Agent', userAgent, 'Accept', 'application/json', ...material.headers] };
}

/** Limits the time of a credential plugin that does not exit. */
function withTimeout<T>(work: Promise<T>, { clock, timeout }: SourceSettings): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(
      () => reject(new Error(`the kubeconfig's credentials cannot be loaded: no answer within ${timeout / 1000} s`)),
      timeout,
    );
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));

const definedOf = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
