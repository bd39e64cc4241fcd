import { randomBytes as secureRandomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { limitConnections, type ServerConnections } from 'kube-endpoints/internal/apimachinery';
import { type Authorizer, allowAll, createImpersonator } from '../authorization/index.ts';
import type { Classifier } from '../flow-control/index.ts';
import type { Route } from '../http/exchange.ts';
import { type ServiceAccountTokens, serverAudience } from '../registry/index.ts';
import { type Clock, systemClock } from '../store/index.ts';
import { type Authenticator, createAuthenticator, type Token } from './authentication.ts';
import { type CertificateKeys, createCertificateKeys, signServingCertificate } from './certificates.ts';
import { createHttp2Sessions, type Http2Sessions } from './http2.ts';
import { formatKubeconfig, writePrivateFile } from './kubeconfig.ts';
import { certificateNamesOf, checkOptions, defaultLimits, type Limits, type ListenOptions, type TlsFiles } from './options.ts';
import { createRequestHandler, type RequestHandler } from './serving.ts';
import { createServerState, type ServerState } from './state.ts';

/** A listening server, and what a client needs to connect to it. */
export interface Listening {
  /** Such as "https://127.0.0.1:6443". */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The certificate authority to trust, in PEM; absent without TLS or if the given certificate has no `ca`. */
  readonly ca?: string;
  /** The first of the accepted tokens, if any. */
  readonly token?: string;
  kubeconfig(): string;
  /** Writes the kubeconfig to a file that only its owner can read. */
  writeKubeconfig(path: string): Promise<void>;
  /**
   * Ends watches, waits up to drainMs (default 5,000) for other requests to finish, and closes all connections. Meanwhile the server is
   * alive but not ready.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** What a server decides about requests, in addition to the options of the caller. */
interface ServerParts {
  readonly authorizer?: Authorizer;
  readonly classifyFlow?: Classifier;
  readonly findServiceAccount?: ServiceAccountTokens['findUser'];
  /** For a new certificate. Default: keys that are created when the server starts to listen. */
  readonly certificateKeys?: Promise<CertificateKeys>;
}

/**
 * @param options of the caller, with the authorizer of the server, which by default allows all requests, and its tokens
 * @throws RangeError if an option is invalid; the error of node:net if the port cannot be bound
 */
export async function listen(route: Route, options: ListenOptions & ServerParts = {}): Promise<Listening> {
  checkOptions(options);
  const { host = '127.0.0.1', port = 0, clock = systemClock, randomBytes = secureRandomBytes } = options;
  const { anonymous = false, authorizer = allowAll } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const state = options.state ?? createServerState();
  const tokens = options.tokens ?? (anonymous ? [] : [{ token: Buffer.from(randomBytes(32)).toString('base64url') }]);
  const tls = await resolveCertificate(options, clock, randomBytes);
  const server = createServer(tls, limits);
  if (tls) divertHttp2(server, (socket) => void http2Sessions.serve(socket).catch(() => socket.destroy()));
  const connections = limitConnections(server, {
    maxConnections: limits.connections,
    ...(tls && { tls: { startMs: limits.headerMs, defer: setImmediate } }),
  });
  const requestHandler = createRequestHandler(route, {
    clock,
    limits,
    state,
    authenticate: startAuthentication(tokens, state, options.findServiceAccount),
    anonymous,
    authorizer,
    impersonate: createImpersonator(authorizer),
    ...(options.classifyFlow && { classifyFlow: options.classifyFlow }),
    auditId: createAuditIdGenerator(randomBytes),
    onError: options.onError ?? (() => undefined),
    connections,
  });
  const http2Sessions = createHttp2Sessions(requestHandler.handle, { clock, limits });
  const close = attachRequestHandler(server, requestHandler, { clock, connections, http2Sessions, state });
  const address = await bind(server, host, port);
  server.on('error', (error) => options.onError?.(error));
  const credentials = { ...(tls?.ca !== undefined && { ca: tls.ca }), ...(tokens[0] && { token: tokens[0].token }) };
  const url = `${tls ? 'https' : 'http'}://${toLocalAddress(host)}:${address.port}`;
  return {
    url,
    host,
    port: address.port,
    ...credentials,
    kubeconfig: () => formatKubeconfig({ url, ...credentials }),
    writeKubeconfig: (path) => writePrivateFile(path, formatKubeconfig({ url, ...credentials })),
    close,
  };
}

function startAuthentication(
  tokens: readonly Token[],
  state: ServerState,
  findServiceAccount: ServerParts['findServiceAccount'],
): Authenticator {
  const authenticate = createAuthenticator(tokens, (token) => findServiceAccount?.(token)?.user);
  // Static tokens are valid for the audience of the API server only.
  state.findUser = (token, audiences) => {
    const user = audiences.includes(serverAudience) ? authenticate(`Bearer ${token}`, {}) : undefined;
    return findServiceAccount?.(token, audiences) ?? (user && { user, audiences: [serverAudience] });
  };
  return authenticate;
}

async function resolveCertificate(
  { tls = true, certificateKeys, ...options }: ListenOptions & Pick<ServerParts, 'certificateKeys'>,
  clock: Clock,
  randomBytes: (size: number) => Uint8Array,
): Promise<TlsFiles | undefined> {
  if (typeof tls === 'object') return tls;
  if (!tls) return undefined;
  const keys = await (certificateKeys ?? createCertificateKeys());
  return signServingCertificate(keys, { names: certificateNamesOf(options), now: clock.now(), randomBytes });
}

function createServer(tls: TlsFiles | undefined, limits: Limits): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.min(limits.headerMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Milliseconds between checks for timed-out connections: short limits need frequent checks.
    connectionsCheckingInterval: Math.max(1, Math.min(5000, Math.floor(limits.headerMs / 4))),
    noDelay: true,
    // TCP keep-alive detects clients whose machine is gone.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  if (!tls) return process.getBuiltinModule('node:http').createServer(options);
  // Clients use no certificates. An empty list of authorities keeps Node.js from loading all its default authorities.
  return process
    .getBuiltinModule('node:https')
    .createServer({ ...options, key: tls.key, cert: tls.cert, ca: [], ALPNProtocols, handshakeTimeout: limits.headerMs });
}

const ALPNProtocols = ['h2', 'http/1.1'];

/** Passes TLS connections whose clients have chosen HTTP/2 to `serveHttp2`. The others stay with the server. */
function divertHttp2(server: Server, serveHttp2: (socket: TLSSocket) => void): void {
  const [serveHttp1] = server.listeners('secureConnection') as [(this: Server, socket: TLSSocket) => void];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') serveHttp2(socket);
    else serveHttp1.call(server, socket);
  });
}

interface ServerComponents {
  readonly clock: Clock;
  readonly connections: ServerConnections;
  readonly http2Sessions: Http2Sessions;
  readonly state: ServerState;
}

/** Passes the requests of the server to `requestHandler`. @returns the function that closes the server */
function attachRequestHandler(
  server: Server,
  requestHandler: RequestHandler,
  { clock, connections, http2Sessions, state }: ServerComponents,
): Listening['close'] {
  server.on('request', (incoming, response) => requestHandler.handle(incoming, response, false));
  server.on('checkContinue', (incoming, response) => requestHandler.handle(incoming, response, true));
  let closePromise: Promise<void> | undefined;
  const close = async (drainMs: number): Promise<void> => {
    state.closing = true;
    const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    requestHandler.endLongRunning();
    http2Sessions.close();
    if (drainMs > 0) await waitAtMost(clock, drainMs, requestHandler.waitUntilIdle());
    connections.destroy();
    await serverClosed;
    requestHandler.stop();
    http2Sessions.stop();
  };
  return ({ drainMs = 5000 } = {}) => {
    closePromise ??= close(drainMs);
    return closePromise;
  };
}

const bind = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: maxBacklog }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Clients whose connections do not fit into the backlog retry after a second. The operating system may have a lower limit. */
const maxBacklog = 4096;

/** Resolves when `done` does, or after `milliseconds`. */
const waitAtMost = (clock: Clock, milliseconds: number, done: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = clock.schedule(resolve, milliseconds);
    void done.then(() => {
      timer.cancel();
      resolve();
    });
  });

/** Returns the address at which local clients reach a server that listens on this host. */
function toLocalAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Creates a function that generates IDs in the form of UUIDs: a random prefix and a counter. */
function createAuditIdGenerator(randomBytes: (size: number) => Uint8Array): () => string {
  const random = Buffer.from(randomBytes(8)).toString('hex');
  const prefix = `${random.slice(0, 8)}-${random.slice(8, 12)}-4${random.slice(13, 16)}-8000-`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(16).padStart(12, '0');
  };
}
