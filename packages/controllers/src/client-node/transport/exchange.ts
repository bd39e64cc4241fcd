import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { type Asked, brokenRequest, lateAnswer } from '../failures.ts';
import type { Settings } from '../options.ts';
import type { Aborts } from './aborts.ts';
import { probeAfter } from './agents.ts';

/** A request as it goes over a connection. */
export interface Outgoing extends Asked {
  readonly agent: HttpAgent;
  readonly headers: readonly string[];
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who is told of the answer; of both, or of the failure alone. */
export interface Listener {
  response(response: IncomingMessage, exchange: Exchange): void;
  /** Told once, and not after `end`. */
  failure(error: unknown, isStale: boolean): void;
}

/** A request under way. */
export interface Exchange {
  /** Says that nothing more is expected of it: what comes later is nobody's affair. */
  end(): void;
  /** Breaks it off. */
  fail(error: unknown): void;
}

/** What all exchanges with a server have in common. */
export interface Line {
  readonly server: ServerAddress;
  readonly settings: Pick<Settings, 'timeout' | 'connectTimeout' | 'clock'>;
  readonly aborts: Aborts;
  /** Those under way. */
  readonly open: Set<Exchange>;
}

/** Sends a request. */
export function startExchange(line: Line, outgoing: Outgoing, listener: Listener): void {
  const { server, settings, open } = line;
  const { signal } = outgoing;
  if (signal?.aborted) {
    listener.failure(signal.reason, false);
    return;
  }
  let sent: ClientRequest | undefined;
  let forget: (() => void) | undefined;
  const end = (): void => {
    open.delete(exchange);
    forget?.();
  };
  const fail = (error: unknown, isStale = false): void => {
    if (!open.has(exchange)) return;
    end();
    sent?.destroy();
    listener.failure(error, isStale);
  };
  const exchange: Exchange = { end, fail };
  open.add(exchange);
  if (signal) forget = line.aborts.on(signal, () => fail(signal.reason));
  try {
    const request = send(server, settings.timeout, outgoing);
    sent = request;
    let hasAnswer = false;
    request.on('error', (error) => fail(brokenRequest(outgoing, error), !hasAnswer && isStale(request, error)));
    request.on('timeout', () => fail(lateAnswer(outgoing, hasAnswer ? 'nothing more came' : 'no answer', settings.timeout)));
    request.on('socket', (socket) => {
      if (!request.reusedSocket) lookAfter(socket, line, outgoing, fail);
    });
    request.on('response', (response) => {
      hasAnswer = true;
      response.on('error', (error) => fail(brokenRequest(outgoing, error)));
      if (open.has(exchange)) listener.response(response, exchange);
    });
    request.end(outgoing.body);
  } catch (error) {
    fail(brokenRequest(outgoing, error));
  }
}

function send({ isTls, host, port }: ServerAddress, timeout: number, { agent, method, path, headers }: Outgoing): ClientRequest {
  const request = isTls ? httpsRequest : httpRequest;
  return request({ agent, host, port, method, path, headers, timeout });
}

/** A kept connection that the server has closed meanwhile: the request cannot have been answered, and most likely has not arrived. */
function isStale(request: ClientRequest, error: Error): boolean {
  const { code } = error as { readonly code?: string };
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** A new connection has less time to stand than an answer has to come, and one whose other side is gone must not be silent for ever. */
function lookAfter(socket: Socket, { settings, server }: Line, asked: Asked, fail: (error: unknown) => void): void {
  // behind a proxy it stands by now
  if (!socket.connecting) {
    socket.setKeepAlive(true, probeAfter);
    return;
  }
  const { connectTimeout, clock } = settings;
  const late = clock.schedule(() => fail(lateAnswer(asked, 'no connection', connectTimeout)), connectTimeout);
  socket.once('close', () => late.cancel());
  socket.once(server.isTls ? 'secureConnect' : 'connect', () => {
    late.cancel();
    socket.setKeepAlive(true, probeAfter);
  });
}

/** Where the server is, in the parts that node:http takes. */
export interface ServerAddress {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  /** For the header Host. */
  readonly authority: string;
  /** The path under which it is reached, without a slash at its end; mostly empty. */
  readonly prefix: string;
}

/** @param server such as "https://10.96.0.1:443/k8s/clusters/c-1" @throws Error */
export function parseServer(server: string): ServerAddress {
  // as client-go: without a scheme it is a host
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new Error(`the kubeconfig's server ${JSON.stringify(server)} is no address such as "https://10.96.0.1:6443"`);
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
