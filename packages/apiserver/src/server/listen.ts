import { randomBytes as secureRandomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Route } from '../http/exchange.ts';
import { type Clock, systemClock } from '../store/index.ts';
import { createAuthenticate } from './authentication.ts';
import { createServingCertificate } from './certificates.ts';
import { kubeconfig, writePrivateFile } from './kubeconfig.ts';
import { checkOptions, defaultLimits, type Limits, type ListenOptions, type TlsFiles } from './options.ts';
import { createServing, type Serving } from './serving.ts';
import { createServerState, type ServerState } from './state.ts';

/** A server that listens, and what a client needs to reach it. */
export interface Listening {
  /** Such as "https://127.0.0.1:6443". */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** In PEM: what to trust, where TLS is spoken with a certificate that is not known otherwise. */
  readonly ca?: string;
  /** The first one of those that are let in. */
  readonly token?: string;
  kubeconfig(): string;
  /** For its owner's eyes only. */
  writeKubeconfig(path: string): Promise<void>;
  /**
   * Ends watches, lets what is being answered finish for so long (5 seconds by default), and closes all connections. Meanwhile the
   * server is alive but not ready.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** @throws RangeError for options that cannot be meant; what node:net says where it cannot listen */
export async function listen(route: Route, options: ListenOptions = {}): Promise<Listening> {
  checkOptions(options);
  const { host = '127.0.0.1', port = 0, clock = systemClock, randomBytes = secureRandomBytes, anonymous = false } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const state = options.state ?? createServerState();
  const tokens = options.tokens ?? (anonymous ? [] : [{ token: Buffer.from(randomBytes(32)).toString('base64url') }]);
  const tls = certificateFor(options, host, clock, randomBytes);
  const serving = createServing(route, {
    clock,
    limits,
    state,
    authenticate: createAuthenticate(tokens),
    anonymous,
    auditId: createAuditId(randomBytes),
    onError: options.onError ?? (() => undefined),
  });
  const server = await createServer(tls, limits);
  const close = connect(server, serving, { clock, limits, state });
  const address = await bind(server, host, port);
  server.on('error', (error) => options.onError?.(error));
  const client = { ...(tls?.ca !== undefined && { ca: tls.ca }), ...(tokens[0] && { token: tokens[0].token }) };
  const url = `${tls ? 'https' : 'http'}://${reachable(host)}:${address.port}`;
  return {
    url,
    host,
    port: address.port,
    ...client,
    kubeconfig: () => kubeconfig({ url, ...client }),
    writeKubeconfig: (path) => writePrivateFile(path, kubeconfig({ url, ...client })),
    close,
  };
}

function certificateFor(
  { tls = true, serverNames = [] }: ListenOptions,
  host: string,
  clock: Clock,
  randomBytes: (size: number) => Uint8Array,
): TlsFiles | undefined {
  if (typeof tls === 'object') return tls;
  if (!tls) return undefined;
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host, ...serverNames])];
  return createServingCertificate({ names, now: clock.now(), randomBytes });
}

async function createServer(tls: TlsFiles | undefined, limits: Limits): Promise<Server> {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.min(limits.headerMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // How often connections are looked over: a limit is kept as precisely as it is tight.
    connectionsCheckingInterval: Math.max(1, Math.min(5000, Math.floor(limits.headerMs / 4))),
    noDelay: true,
    // A client whose machine is gone says nothing: the kernel asks after it.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  if (!tls) return (await import('node:http')).createServer(options);
  const { createServer: createTlsServer } = await import('node:https');
  // No client shows a certificate; without a word about whom to trust, Node would load all authorities there are.
  return createTlsServer({ ...options, key: tls.key, cert: tls.cert, ca: tls.cert, handshakeTimeout: limits.headerMs });
}

/** @returns how to close it */
function connect(
  server: Server,
  serving: Serving,
  { clock, limits, state }: { readonly clock: Clock; readonly limits: Limits; readonly state: ServerState },
): Listening['close'] {
  const sockets = new Set<Socket>();
  const crowded = Math.floor(limits.connections * 0.9);
  server.maxConnections = limits.connections;
  // Of TLS as well, these are the bare ones: some of them have yet to shake hands.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // Clients that leave connections behind, each of them kept for a request to come, must not shut out others.
    if (sockets.size > crowded) server.closeIdleConnections();
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (incoming, response) => serving.arrive(incoming, response, false));
  server.on('checkContinue', (incoming, response) => serving.arrive(incoming, response, true));
  let closed: Promise<void> | undefined;
  const close = async (drainMs: number): Promise<void> => {
    state.closing = true;
    const down = new Promise<void>((resolve) => server.close(() => resolve()));
    serving.endLongRunning();
    if (drainMs > 0) await atMost(clock, drainMs, serving.idle());
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await down;
    serving.stop();
  };
  return ({ drainMs = 5000 } = {}) => {
    closed ??= close(drainMs);
    return closed;
  };
}

const bind = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Until something is done, or so many milliseconds have passed. */
const atMost = (clock: Clock, milliseconds: number, done: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const patience = clock.schedule(resolve, milliseconds);
    void done.then(() => {
      patience.cancel();
      resolve();
    });
  });

/** Where a client finds what listens on that host. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Numbers in the form of UUIDs, all of them from one random start. */
function createAuditId(randomBytes: (size: number) => Uint8Array): () => string {
  const random = Buffer.from(randomBytes(8)).toString('hex');
  const start = `${random.slice(0, 8)}-${random.slice(8, 12)}-4${random.slice(13, 16)}-8000-`;
  let count = 0;
  return () => {
    count += 1;
    return start + count.toString(16).padStart(12, '0');
  };
}
