import { X509Certificate } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { safeObserver } from 'kube-endpoints/internal/apimachinery';
import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { Overrides } from '../overrides.ts';
import { answerRequest, type OperationalHost } from './answering.ts';
import { type Connections, trackConnections } from './connections.ts';
import { createWebhookMetrics, type WebhookMetrics } from './metrics.ts';
import { defaultLimits, type ServingCertificate, type WebhookLimits, type WebhookObserver, type WebhookOptions } from './options.ts';
import type { ReviewHost } from './reviewing.ts';

export interface WebhookServer {
  /** @throws the error of Node.js if it cannot listen */
  listen(address?: { readonly host?: string; readonly port?: number }): Promise<{ readonly port: number; readonly url: string }>;
  /** True if reviews should be sent here. */
  readonly ready: boolean;
  readonly metrics: WebhookMetrics;
  /** The rules in force. */
  readonly overrides: Overrides;
  /** Replaces the rules for all reviews received from now on. */
  setOverrides(overrides: Overrides): void;
  /** Replaces the certificate for all new connections. @throws Error if the certificate is invalid; the previous certificate then stays */
  setCertificate(tls: ServingCertificate): void;
  /**
   * Becomes not ready at once and keeps serving for `delayMs` (default: 0), so that clients notice. Then refuses new connections, waits up
   * to `drainMs` (default: 10 seconds) for requests in progress, and closes.
   */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  readonly delayMs?: number;
  readonly drainMs?: number;
}

/**
 * Creates an admission webhook that answers reviews of Endpoints and EndpointSlices from rules, over HTTPS.
 * @throws Error if the certificate or its key is invalid
 */
export function createWebhookServer(options: WebhookOptions): WebhookServer {
  const { server, connections, state, host, metrics, clock, onEvent } = createComponents(options);
  const recordRules = (): void => metrics.reloaded({ what: 'rules', rules: state.overrides.rules.length, now: clock.now() });
  recordRules();
  metrics.reloaded({ what: 'certificate', expires: expiryOf(options.tls) });
  let closePromise: Promise<void> | undefined;
  return {
    metrics,
    get ready() {
      return host.isReady();
    },
    get overrides() {
      return state.overrides;
    },
    async listen(address = {}) {
      const boundAddress = await bind(server, address);
      state.listening = true;
      return boundAddress;
    },
    setOverrides(overrides) {
      state.overrides = overrides;
      recordRules();
      onEvent({ kind: 'rules', overrides });
    },
    setCertificate(tls) {
      createSecureContext(tls);
      const expires = expiryOf(tls);
      server.setSecureContext(tls);
      metrics.reloaded({ what: 'certificate', expires });
      onEvent({ kind: 'certificate', expires: new Date(expires).toISOString() });
    },
    close(closeOptions) {
      if (!closePromise) {
        state.closing = true;
        onEvent({ kind: 'closing', open: connections.activeRequestCount });
        closePromise = close(server, connections, clock, closeOptions);
      }
      return closePromise;
    },
  };
}

interface Components {
  readonly server: Server;
  readonly connections: Connections;
  readonly state: { overrides: Overrides; listening: boolean; closing: boolean };
  readonly host: ReviewHost & OperationalHost;
  readonly metrics: WebhookMetrics;
  readonly clock: SteadyClock;
  readonly onEvent: WebhookObserver;
}

function createComponents(options: WebhookOptions): Components {
  const { clock = systemClock, failurePolicy = 'allow' } = options;
  const limits: WebhookLimits = { ...defaultLimits, ...options.limits };
  const state = { overrides: options.overrides, listening: false, closing: false };
  const onEvent = safeObserver(options.onEvent);
  const server = createServer({ ...serverOptions(limits), ...options.tls });
  // Closes the connection of a client that does not read its answers.
  server.timeout = limits.requestMs + limits.answerMs;
  const connections = trackConnections(server, limits);
  const metrics = createWebhookMetrics({
    countRequestsInFlight: () => connections.activeRequestCount,
    includesProcess: options.processMetrics ?? true,
  });
  const host = {
    overrides: () => state.overrides,
    context: options.context,
    failurePolicy,
    limits,
    clock,
    metrics,
    bufferUsage: { bytes: 0 },
    isClosing: () => state.closing,
    isReady: () => state.listening && !state.closing && (options.ready?.() ?? true),
    onEvent,
    onResult: safeObserver(options.onResult),
  };
  server.on('request', (incoming, response) => answerRequest(incoming, response, host));
  return { server, connections, state, host, metrics, clock, onEvent };
}

const serverOptions = (limits: WebhookLimits): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: Math.min(limits.headerMs, limits.requestMs),
  requestTimeout: limits.requestMs,
  handshakeTimeout: limits.headerMs,
  keepAliveTimeout: limits.keepAliveMs,
  // Timeouts are enforced at this interval, so a short timeout needs a short interval.
  connectionsCheckingInterval: Math.max(1, Math.min(5000, Math.floor(limits.headerMs / 4))),
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
});

/** Returns the expiration time of a certificate, in milliseconds since the epoch. */
const expiryOf = ({ cert }: ServingCertificate): number => new X509Certificate(cert).validToDate.getTime();

function bind(server: Server, { host, port = 0 }: { readonly host?: string; readonly port?: number }): ReturnType<WebhookServer['listen']> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, backlog: maxBacklog, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject);
      const { address, family, port: actualPort } = server.address() as AddressInfo;
      const name = address === '::' || address === '0.0.0.0' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
      resolve({ port: actualPort, url: `https://${name}:${actualPort}` });
    });
  });
}

/** Clients whose connections do not fit into the backlog retry after a second. The operating system may have a lower limit. */
const maxBacklog = 4096;

async function close(server: Server, connections: Connections, clock: SteadyClock, options: CloseOptions = {}): Promise<void> {
  const { delayMs = 0, drainMs = 10_000 } = options;
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.schedule(resolve, delayMs));
  const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (drainMs > 0) await connections.waitUntilIdle(clock, drainMs);
  connections.destroy();
  await serverClosed;
}
