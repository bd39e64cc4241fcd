import type { Agent } from 'node:https';
import { CallBroken, type WebhookCall } from './client.ts';

/** For how many servers connections are kept, as in the real server. */
const maxAgents = 200;
const maxIdleConnections = 8;

type Server = Pick<WebhookCall, 'host' | 'serverName' | 'authorities'>;

/** Connections, by the server and by whom it is believed to be that server. The one that was used least recently makes room. */
export interface Agents {
  /** @throws CallBroken where the authorities are none */
  agentFor(server: Server): Promise<Agent>;
  close(): void;
}

export function createAgents(): Agents {
  const agents = new Map<string, Agent>();
  return {
    async agentFor(server) {
      const key = `${server.host} ${server.serverName} ${server.authorities ?? ''}`;
      const agent = agents.get(key) ?? (await createAgent(server));
      const known = agents.get(key) ?? agent;
      agents.delete(key);
      agents.set(key, known);
      if (agents.size > maxAgents) dropFirst(agents);
      return known;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function dropFirst(agents: Map<string, Agent>): void {
  for (const [key, agent] of agents) {
    agents.delete(key);
    agent.destroy();
    return;
  }
}

async function createAgent({ authorities }: Server): Promise<Agent> {
  const [https, { createSecureContext }] = await Promise.all([import('node:https'), import('node:tls')]);
  if (authorities !== undefined && !authorities.includes('-----BEGIN CERTIFICATE-----')) {
    throw new CallBroken('setup', 'unable to load root certificates: unable to parse bytes as PEM block');
  }
  try {
    const secureContext = createSecureContext(authorities === undefined ? {} : { ca: authorities });
    // The options of TLS are handed on to every connection, which the types do not say.
    return new https.Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, ...{ secureContext } });
  } catch (error) {
    throw new CallBroken('setup', `unable to load root certificates: ${(error as Error).message}`, { cause: error });
  }
}
