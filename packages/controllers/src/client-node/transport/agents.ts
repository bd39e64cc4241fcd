import { type AgentOptions, type Agent as HttpAgent, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConfiguredCluster } from '../kube-config.ts';
import type { Settings } from '../options.ts';

/** The TLS options of a connection. */
export interface TlsMaterial extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> {
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface Agents {
  /** Reuses a limited number of connections. */
  readonly calls: HttpAgent;
  /** Opens a new connection for each request: for watches, and for a retry after a stale connection. */
  readonly fresh: HttpAgent;
  /** Closes idle connections; requests in progress may finish. */
  retire(): void;
  destroy(): void;
}

export interface AgentsOptions {
  readonly cluster: ConfiguredCluster;
  readonly tls: TlsMaterial;
  /** The agent that client-node created: it supports the proxy. */
  readonly agent: unknown;
  readonly settings: Pick<Settings, 'maxSockets' | 'timeout'>;
}

export function createAgents({ cluster, tls, agent: loadedAgent, settings: { maxSockets, timeout } }: AgentsOptions): Agents {
  const isTls = cluster.server.startsWith('https:');
  const { servername, rejectUnauthorized, ...material } = tls;
  const common = {
    keepAliveMsecs: probeAfter,
    ...(isTls && { secureContext: createSecureContext(material) }),
    ...(isTls && servername !== undefined && { servername }),
    ...(isTls && rejectUnauthorized !== undefined && { rejectUnauthorized }),
  };
  const make = (options: AgentOptions): HttpAgent => {
    const all = { ...common, ...options };
    const agent = cluster.proxyUrl ? createProxyAgent(loadedAgent, cluster.proxyUrl, all) : isTls ? new TlsAgent(all) : new PlainAgent(all);
    // Each agent serves one server only. The default name is computed from all certificates on each request, and is not needed.
    Object.assign(agent, { getName: () => 'server' });
    return agent;
  };
  const calls = make({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout });
  const fresh = make({ keepAlive: false });
  return {
    calls,
    fresh,
    retire() {
      for (const sockets of Object.values(calls.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    destroy() {
      calls.destroy();
      fresh.destroy();
    },
  };
}

/** Milliseconds of silence before the first TCP keepalive probe. */
export const probeAfter = 30_000;

/** client-node's proxy agents close each connection after one request. New instances of the same class can keep them open. */
function createProxyAgent(loadedAgent: unknown, proxyUrl: string, options: object): HttpAgent {
  const { constructor: Proxying } = loadedAgent as { readonly constructor: new (...parameters: readonly unknown[]) => HttpAgent };
  return proxyUrl.startsWith('socks') ? new Proxying(proxyUrl, options) : new Proxying({ ...options, proxy: proxyUrl });
}
