import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics/metrics.ts';

export interface HealthOptions {
  /** 0 selects a free port. */
  readonly port: number;
  /** The address to listen on. By default all addresses, so that the kubelet's probes and scrapes can reach it. */
  readonly host?: string;
  /** Whether this replica can work: its caches are complete. It need not lead. With sharding, it must have owned a shard at least once. */
  readonly ready: () => boolean;
  /** Whether the process should keep running; true by default. */
  readonly alive?: () => boolean;
  /** If absent, "/metrics" is not served. */
  readonly metrics?: Pick<Metrics, 'scrape' | 'contentType'>;
}

export interface HealthServer {
  readonly port: number;
  /** Such as "http://127.0.0.1:8080". */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves "/healthz", "/livez", "/readyz" and "/metrics".
 * @throws RangeError if the port is invalid, or the error of Node.js if it cannot listen
 */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  requirePort(options.port);
  const server = createServer(limits, (request, response) => void respond(request, response, options));
  server.maxConnections = maxConnections;
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  const host = address === '::' || address === '0.0.0.0' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return { port, url: `http://${host}:${port}`, close: () => close(server) };
}

/**
 * Node.js would treat a string as the path of a Unix socket and create that file.
 * @throws RangeError if the port is not a whole number from 0 to 65535
 */
function requirePort(port: unknown): void {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new RangeError(`port is ${typeof port === 'string' ? JSON.stringify(port) : port}: give a whole number from 0 to 65535`);
}

/** Tight limits: probes and scrapes are short and come from few clients. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxRequestsPerSocket: 10_000,
} as const;
const maxConnections = 128;

interface ProbeResponse {
  readonly code: number;
  readonly body: string;
  readonly contentType?: string;
}

async function respond(request: IncomingMessage, response: ServerResponse, options: HealthOptions): Promise<void> {
  const { code, body, contentType = 'text/plain; charset=utf-8' } = await createProbeResponse(request, options);
  const headers = { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };
  response.writeHead(code, { ...headers, 'Content-Length': Buffer.byteLength(body), ...(code === 405 && { Allow: 'GET, HEAD' }) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function createProbeResponse({ method, url = '/' }: IncomingMessage, options: HealthOptions): Promise<ProbeResponse> {
  const { ready, alive = () => true, metrics } = options;
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, body: 'method not allowed\n' };
  const path = url.split('?', 1)[0];
  try {
    if (path === '/healthz' || path === '/livez') return createTextResponse(alive(), 'ok', 'not alive');
    if (path === '/readyz') return createTextResponse(ready(), 'ok', 'not ready: the caches have not synced, or no Lease was acquired');
    if (path === '/metrics' && metrics) return { code: 200, body: await metrics.scrape(), contentType: metrics.contentType };
  } catch {
    return { code: 500, body: 'internal error\n' };
  }
  return { code: 404, body: 'not found\n' };
}

const createTextResponse = (isOk: boolean, success: string, failure: string): ProbeResponse =>
  isOk ? { code: 200, body: success } : { code: 503, body: `${failure}\n` };

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
