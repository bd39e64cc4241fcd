import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import * as clientNode2 from '@kubernetes/client-node';
import * as clientNode1 from 'client-node-1';
import { onTestFinished } from 'vitest';
import { type ClientNodePort, type ClientNodePortOptions, createClientNodePort } from '../../src/client-node/index.ts';

/** Both maintained major versions of client-node. */
export const majors: readonly {
  readonly major: number;
  readonly KubeConfig: typeof clientNode1.KubeConfig | typeof clientNode2.KubeConfig;
}[] = [
  { major: 1, KubeConfig: clientNode1.KubeConfig },
  { major: 2, KubeConfig: clientNode2.KubeConfig },
];

/** A request received by the fake server. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: ReceivedRequest, response: ServerResponse, socket: Socket) => void;

export interface FakeServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** The number of connections made to the server. */
  readonly connectionCount: number;
}

/** Starts a plain HTTP server that answers with the handler; closes it after the test. */
export async function startFakeServer(handler: Handler): Promise<FakeServer> {
  const requests: ReceivedRequest[] = [];
  let connectionCount = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      requests.push(received);
      handler(received, response, request.socket);
    });
  });
  server.on('connection', () => {
    connectionCount += 1;
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => server.closeAllConnections());
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connectionCount() {
      return connectionCount;
    },
  };
}

/** Listens on loopback until the test ends. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

export const respondWithJson =
  (body: unknown, code = 200, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_, response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const respondWithText =
  (body: string, code = 200, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_, response) => {
    response.writeHead(code, headers).end(body);
  };

export const notFound = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'pods "web" not found',
  reason: 'NotFound',
  details: { name: 'web', kind: 'pods' },
  code: 404,
} as const;

type ClusterFields = Readonly<Record<string, unknown>>;

/** Creates a configuration for one server; client-node sends nothing over plain HTTP unless skipTLSVerify is set. */
export function createConfigFor(server: string, user: object = { token: 'secret' }, cluster: ClusterFields = {}): clientNode2.KubeConfig {
  const config = new clientNode2.KubeConfig();
  loadConfig(config, server, user, cluster);
  return config;
}

export function loadConfig(
  config: { loadFromOptions(options: unknown): void },
  server: string,
  user: object = { token: 'secret' },
  cluster: ClusterFields = {},
): void {
  config.loadFromOptions({
    clusters: [{ name: 'fake', server, skipTLSVerify: true, ...cluster }],
    users: [{ name: 'tester', ...user }],
    contexts: [{ name: 'test', cluster: 'fake', user: 'tester' }],
    currentContext: 'test',
  });
}

/** Creates a port to a server; closes it after the test. */
export function createPortTo(server: string, options: ClientNodePortOptions = {}, user?: object): ClientNodePort {
  const port = createClientNodePort(createConfigFor(server, user), options);
  onTestFinished(() => port.close());
  return port;
}

/** Returns the error that a promise rejects with. @throws if it resolves */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { readonly code?: unknown }> {
  return promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: Error) => error,
  );
}

/** Waits until the condition holds. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
