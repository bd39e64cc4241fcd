import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent, RequestOptions } from 'node:https';
import { type Address, CallBroken, type WebhookAnswer, type WebhookCall, type WebhookClient } from './client.ts';
import { describeNetworkError } from './network-errors.ts';

/** How many bytes an answer may have: a patch may hold a whole object, in base64. */
const maxAnswer: number = 8 * 1024 * 1024;

/** Asks webhooks through node:https, which is loaded when there is somebody to be asked. Connections are kept. */
export function createHttpsClient(): WebhookClient {
  const agents = createAgents();
  return {
    async post(call) {
      const agent = await agents.agentFor(call);
      const address = await located(call);
      for (;;) {
        const outcome = await attempt(call, agent, address);
        if (outcome !== 'stale') return outcome;
      }
    },
    close: () => agents.close(),
  };
}

async function located(call: WebhookCall): Promise<Address> {
  try {
    return await call.locate();
  } catch (error) {
    throw new CallBroken('call', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** "stale" where a kept connection turned out to be closed: another one has to do. */
async function attempt(call: WebhookCall, agent: Agent, address: Address): Promise<WebhookAnswer | 'stale'> {
  if (call.signal.aborted) throw new CallBroken('call', messageOf(call.signal.reason));
  const { request } = await import('node:https');
  const sent = request(optionsOf(call, agent, address));
  let response: IncomingMessage | undefined;
  try {
    response = await answered(sent, call.body);
    return await readWhole(call, response);
  } catch (error) {
    if (error instanceof CallBroken) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (sent.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return 'stale';
    const describe = (cause: Error): string => describeNetworkError(cause, address);
    throw new CallBroken('call', reasonOf(call, error, describe), { cause: error });
  } finally {
    // What is left of an answer that is not wanted any more is not waited for.
    if (!response?.complete) sent.destroy();
  }
}

const answered = (sent: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.on('response', resolve);
    // Later ones are told by the answer, too.
    sent.on('error', reject);
    sent.end(body);
  });

async function readWhole(call: WebhookCall, response: IncomingMessage): Promise<WebhookAnswer> {
  try {
    const body = await read(response);
    return { code: response.statusCode ?? 0, headers: headersOf(response), body };
  } catch (error) {
    throw new CallBroken('answer', reasonOf(call, error, endedEarly), { cause: error });
  }
}

const optionsOf = ({ host, path, body, serverName, signal }: WebhookCall, agent: Agent, address: Address): RequestOptions => ({
  agent,
  method: 'POST',
  host: address.host,
  port: address.port,
  path,
  servername: isIpAddress(serverName) ? '' : serverName,
  signal,
  headers: {
    host,
    accept: 'application/json, */*',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'kube-apiserver-admission',
  },
});

const isIpAddress = (name: string): boolean => /^[\d.]+$/.test(name) || name.includes(':');

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxAnswer) throw new RangeError(`the answer is longer than ${maxAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const headersOf = ({ headers }: IncomingMessage): WebhookAnswer['headers'] => ({
  'content-type': headers['content-type'],
  'retry-after': headers['retry-after'],
});

function reasonOf({ signal }: WebhookCall, error: unknown, describe: (error: Error) => string): string {
  return signal.aborted ? messageOf(signal.reason) : describe(error as Error);
}

const endedEarly = (error: Error): string => (error instanceof RangeError ? error.message : 'unexpected EOF');

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

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
