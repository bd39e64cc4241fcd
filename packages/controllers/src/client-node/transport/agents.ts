import { type AgentOptions, type Agent as HttpAgent, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConfiguredCluster } from '../kube-config.ts';
import type { Settings } from '../options.ts';

/** The TLS options of a connection. */
export interface TlsOptions extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> {
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface Agents {
  /** Reuses a limited number of connections. */
  readonly pooled: HttpAgent;
  /** Opens a new connection for each request. It is used for watches, and for a retry after a stale connection. */
  readonly unpooled: HttpAgent;
  /** Closes idle connections; requests in progress may finish. */
  retire(): void;
  destroy(): void;
}

export interface AgentsOptions {
  readonly cluster: ConfiguredCluster;
  readonly tls: TlsOptions;
  /** The agent that client-node created, which supports the proxy of the cluster. */
  readonly agent: unknown;
  readonly settings: Pick<Settings, 'maxSockets' | 'timeout'>;
}

export function createAgents({ cluster, tls, agent: loadedAgent, settings: { maxSockets, timeout } }: AgentsOptions): Agents {
  const isTls = cluster.server.startsWith('https:');
  const { servername, rejectUnauthorized, ...secureContextOptions } = tls;
  const commonOptions = {
    keepAliveMsecs: probeAfterMs,
    ...(isTls && { secureContext: createSecureContext(secureContextOptions) }),
    ...(isTls && servername !== undefined && { servername }),
    ...(isTls && rejectUnauthorized !== undefined && { rejectUnauthorized }),
  };
  const createAgent = (options: AgentOptions): HttpAgent => {
    const agentOptions = { ...commonOptions, ...options };
    const agent = cluster.proxyUrl
      ? createProxyAgent(loadedAgent, cluster.proxyUrl, agentOptions)
      : isTls
        ? new TlsAgent(agentOptions)
        : new PlainAgent(agentOptions);
    // Each agent serves one server only. The default name is computed from all certificates on each request, and is not needed.
    Object.assign(agent, { getName: () => 'server' });
    return agent;
  };
  const pooled = createAgent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout });
  const unpooled = createAgent({ keepAlive: false });
  return {
    pooled,
    unpooled,
    retire() {
      for (const sockets of Object.values(pooled.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    destroy() {
      pooled.destroy();
      unpooled.destroy();
    },
  };
}

/** Milliseconds of silence before the first TCP keepalive probe. */
export const probeAfterMs = 30_000;

/** client-node's proxy agents close each connection after one request. New instances of the same class can keep them open. */
function createProxyAgent(loadedAgent: unknown, proxyUrl: string, options: object): HttpAgent {
  const { constructor: ProxyAgent } = loadedAgent as { readonly constructor: new (...parameters: readonly unknown[]) => HttpAgent };
  return proxyUrl.startsWith('socks') ? new ProxyAgent(proxyUrl, options) : new ProxyAgent({ ...options, proxy: proxyUrl });
}
