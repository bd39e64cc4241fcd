import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createRequestError, createTimeoutError, type RequestLine } from '../failures.ts';
import type { Settings } from '../options.ts';
import type { AbortCallbacks } from './aborts.ts';
import { probeAfterMs } from './agents.ts';

/** A request ready to be sent. */
export interface OutgoingRequest extends RequestLine {
  readonly agent: HttpAgent;
  readonly headers: readonly string[];
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Receives the response, or a failure. A failure may also follow the response. */
export interface ExchangeListener {
  onResponse(response: IncomingMessage, exchange: Exchange): void;
  /** Called at most once, and not after `end`. @param isStale whether the server had closed the reused connection */
  onFailure(error: unknown, isStale: boolean): void;
}

/** A request in progress. */
export interface Exchange {
  /** Marks the exchange as complete, so that later errors are ignored. */
  end(): void;
  /** Aborts the exchange with an error. */
  fail(error: unknown): void;
}

/** State that all exchanges with a server share. */
export interface ExchangeContext {
  readonly server: ServerAddress;
  readonly settings: Pick<Settings, 'timeout' | 'connectTimeout' | 'clock'>;
  readonly abortCallbacks: AbortCallbacks;
  /** The exchanges in progress. */
  readonly exchanges: Set<Exchange>;
}

/** Sends a request, and reports its response or failure to the listener. */
export function startExchange(context: ExchangeContext, outgoingRequest: OutgoingRequest, listener: ExchangeListener): void {
  const { server, settings, exchanges } = context;
  const { signal } = outgoingRequest;
  if (signal?.aborted) {
    listener.onFailure(signal.reason, false);
    return;
  }
  let clientRequest: ClientRequest | undefined;
  let removeAbortListener: (() => void) | undefined;
  const finish = (): void => {
    exchanges.delete(exchange);
    removeAbortListener?.();
  };
  const fail = (error: unknown, isStale = false): void => {
    if (!exchanges.has(exchange)) return;
    finish();
    clientRequest?.destroy();
    listener.onFailure(error, isStale);
  };
  const exchange: Exchange = { end: finish, fail };
  exchanges.add(exchange);
  if (signal) removeAbortListener = context.abortCallbacks.onAbort(signal, () => fail(signal.reason));
  try {
    const request = sendRequest(server, settings.timeout, outgoingRequest);
    clientRequest = request;
    let hasResponse = false;
    request.on('error', (error) => fail(createRequestError(outgoingRequest, error), !hasResponse && isStaleConnection(request, error)));
    request.on('timeout', () =>
      fail(createTimeoutError(outgoingRequest, hasResponse ? 'nothing more was received' : 'no answer', settings.timeout)),
    );
    request.on('socket', (socket) => {
      if (!request.reusedSocket) watchConnect(socket, context, outgoingRequest, fail);
    });
    request.on('response', (response) => {
      hasResponse = true;
      response.on('error', (error) => fail(createRequestError(outgoingRequest, error)));
      if (exchanges.has(exchange)) listener.onResponse(response, exchange);
    });
    request.end(outgoingRequest.body);
  } catch (error) {
    fail(createRequestError(outgoingRequest, error));
  }
}

function sendRequest(
  { isTls, host, port }: ServerAddress,
  timeout: number,
  { agent, method, path, headers }: OutgoingRequest,
): ClientRequest {
  const request = isTls ? httpsRequest : httpRequest;
  return request({ agent, host, port, method, path, headers, timeout });
}

/** Returns true if the server has closed a reused connection. Most likely, it did not receive the request. */
function isStaleConnection(request: ClientRequest, error: Error): boolean {
  const { code } = error as { readonly code?: string };
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Applies the connect timeout, and enables TCP keepalive to detect a dead peer. */
function watchConnect(
  socket: Socket,
  { settings, server }: ExchangeContext,
  requestLine: RequestLine,
  fail: (error: unknown) => void,
): void {
  // A socket from a proxy agent is already connected.
  if (!socket.connecting) {
    socket.setKeepAlive(true, probeAfterMs);
    return;
  }
  const { connectTimeout, clock } = settings;
  const timer = clock.schedule(() => fail(createTimeoutError(requestLine, 'no connection', connectTimeout)), connectTimeout);
  socket.once('close', () => timer.cancel());
  socket.once(server.isTls ? 'secureConnect' : 'connect', () => {
    timer.cancel();
    socket.setKeepAlive(true, probeAfterMs);
  });
}

/** The address of the server, in the fields that node:http needs. */
export interface ServerAddress {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  /** For the header Host. */
  readonly authority: string;
  /** The path of the server, without a trailing slash; usually empty. */
  readonly prefix: string;
}

/**
 * @param server such as "https://10.96.0.1:443/k8s/clusters/c-1"
 * @throws Error if it is not an http or https URL
 */
export function parseServer(server: string): ServerAddress {
  // A text without a scheme is a host, as in client-go.
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new Error(`the kubeconfig's server ${JSON.stringify(server)} is not an address such as "https://10.96.0.1:6443"`);
  }
  const isTls = url.protocol === 'https:';
  return {
    isTls,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? 443 : 80)),
    authority: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}
