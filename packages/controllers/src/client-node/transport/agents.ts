import { type AgentOptions, type Agent as HttpAgent, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConfiguredCluster } from '../kube-config.ts';
import type { Settings } from '../options.ts';

/** What connections are made with. */
export interface TlsMaterial extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> {
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface Agents {
  /** A bounded number of connections, which are kept. */
  readonly calls: HttpAgent;
  /** A new connection for each request, for watches and for those who do not trust a kept one. */
  readonly fresh: HttpAgent;
  /** Lets what is under way finish, and keeps nothing. */
  retire(): void;
  destroy(): void;
}

export interface AgentsOptions {
  readonly cluster: ConfiguredCluster;
  readonly tls: TlsMaterial;
  /** The one that client-node made: behind a proxy it knows how to get through. */
  readonly made: unknown;
  readonly settings: Pick<Settings, 'maxSockets' | 'timeout'>;
}

export function createAgents({ cluster, tls, made, settings: { maxSockets, timeout } }: AgentsOptions): Agents {
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
    const agent = cluster.proxyUrl ? proxying(made, cluster.proxyUrl, all) : isTls ? new TlsAgent(all) : new PlainAgent(all);
    // They only ever lead to one server: the name, made of all certificates at each request otherwise, tells nothing apart.
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

/** Milliseconds of silence after which the kernel asks whether the other side is still there. */
export const probeAfter = 30_000;

/** client-node's agents for proxies close each connection after one request: others of the same class keep them. */
function proxying(made: unknown, proxyUrl: string, options: object): HttpAgent {
  const { constructor: Proxying } = made as { readonly constructor: new (...parameters: readonly unknown[]) => HttpAgent };
  return proxyUrl.startsWith('socks') ? new Proxying(proxyUrl, options) : new Proxying({ ...options, proxy: proxyUrl });
}
