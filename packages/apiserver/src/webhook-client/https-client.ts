import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent, RequestOptions } from 'node:https';
import { type Address, type WebhookAnswer, type WebhookCall, type WebhookClient, WebhookConnectionError } from './client.ts';
import { describeNetworkError } from './network-errors.ts';

/** Maximum bytes of an answer: a patch may contain a whole object in base64. */
const maxAnswerBytes: number = 8 * 1024 * 1024;

/** Calls webhooks with node:https, which is loaded on first use. Connections are kept alive. */
export function createHttpsClient(): WebhookClient {
  const agents = createAgents();
  return {
    async post(call) {
      const agent = await agents.getAgent(call);
      const address = await resolveAddress(call);
      for (;;) {
        const outcome = await tryPost(call, agent, address);
        if (outcome !== 'stale') return outcome;
      }
    },
    close: () => agents.close(),
  };
}

async function resolveAddress(call: WebhookCall): Promise<Address> {
  try {
    return await call.locate();
  } catch (error) {
    throw new WebhookConnectionError('call', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Posts a call once. Returns "stale" if a kept-alive connection turned out to be closed; the caller then retries. */
async function tryPost(call: WebhookCall, agent: Agent, address: Address): Promise<WebhookAnswer | 'stale'> {
  if (call.signal.aborted) throw new WebhookConnectionError('call', messageOf(call.signal.reason));
  const { request } = await import('node:https');
  const clientRequest = request(toRequestOptions(call, agent, address));
  let response: IncomingMessage | undefined;
  try {
    response = await send(clientRequest, call.body);
    return await readAnswer(call, response);
  } catch (error) {
    if (error instanceof WebhookConnectionError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (clientRequest.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return 'stale';
    const describeError = (cause: Error): string => describeNetworkError(cause, address);
    throw new WebhookConnectionError('call', describeFailure(call, error, describeError), { cause: error });
  } finally {
    // Closes the connection instead of reading the rest of an unneeded answer.
    if (!response?.complete) clientRequest.destroy();
  }
}

const send = (clientRequest: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    clientRequest.on('response', resolve);
    // Later errors also reach the response stream.
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });

async function readAnswer(call: WebhookCall, response: IncomingMessage): Promise<WebhookAnswer> {
  try {
    const body = await readText(response);
    return { code: response.statusCode ?? 0, headers: headersOf(response), body };
  } catch (error) {
    throw new WebhookConnectionError('answer', describeFailure(call, error, describeReadError), { cause: error });
  }
}

const toRequestOptions = ({ host, path, body, serverName, signal }: WebhookCall, agent: Agent, address: Address): RequestOptions => ({
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

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new RangeError(`the answer is longer than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const headersOf = ({ headers }: IncomingMessage): WebhookAnswer['headers'] => ({
  'content-type': headers['content-type'],
  'retry-after': headers['retry-after'],
});

function describeFailure({ signal }: WebhookCall, error: unknown, describeError: (error: Error) => string): string {
  return signal.aborted ? messageOf(signal.reason) : describeError(error as Error);
}

const describeReadError = (error: Error): string => (error instanceof RangeError ? error.message : 'unexpected EOF');

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** Maximum number of servers with kept-alive connections, as in kube-apiserver. */
const maxAgents = 200;
const maxIdleConnections = 8;

type ServerIdentity = Pick<WebhookCall, 'host' | 'serverName' | 'authorities'>;

/** Connection pools by server and certificate authorities. Drops the least recently used pool if there are more than `maxAgents`. */
export interface Agents {
  /** @throws WebhookConnectionError if the authorities are not valid PEM certificates */
  getAgent(server: ServerIdentity): Promise<Agent>;
  close(): void;
}

export function createAgents(): Agents {
  const agents = new Map<string, Agent>();
  return {
    async getAgent(server) {
      const key = `${server.host} ${server.serverName} ${server.authorities ?? ''}`;
      const agent = agents.get(key) ?? (await createAgent(server));
      // A concurrent call may have added an agent meanwhile.
      const cachedAgent = agents.get(key) ?? agent;
      agents.delete(key);
      agents.set(key, cachedAgent);
      if (agents.size > maxAgents) dropLeastRecentlyUsed(agents);
      return cachedAgent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function dropLeastRecentlyUsed(agents: Map<string, Agent>): void {
  for (const [key, agent] of agents) {
    agents.delete(key);
    agent.destroy();
    return;
  }
}

async function createAgent({ authorities }: ServerIdentity): Promise<Agent> {
  const [https, { createSecureContext }] = await Promise.all([import('node:https'), import('node:tls')]);
  if (authorities !== undefined && !authorities.includes('-----BEGIN CERTIFICATE-----')) {
    throw new WebhookConnectionError('setup', 'unable to load root certificates: unable to parse bytes as PEM block');
  }
  try {
    const secureContext = createSecureContext(authorities === undefined ? {} : { ca: authorities });
    // The agent passes TLS options on to every connection, which its types do not declare.
    return new https.Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, ...{ secureContext } });
  } catch (error) {
    throw new WebhookConnectionError('setup', `unable to load root certificates: ${(error as Error).message}`, { cause: error });
  }
}
