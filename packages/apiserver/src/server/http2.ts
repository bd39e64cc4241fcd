import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream, ServerOptions } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../store/index.ts';
import { createDeadlines } from './deadlines.ts';
import { Http2Request, Http2Response } from './http2-messages.ts';
import type { Limits } from './options.ts';
import type { RequestHandler } from './serving.ts';

/** The HTTP/2 connections of a server. */
export interface Http2Sessions {
  /** Serves requests on a connection whose client has chosen HTTP/2. */
  serve(socket: TLSSocket): Promise<void>;
  /** Refuses further requests, and closes each connection when its requests are answered. */
  close(): void;
  /** Cancels timers. */
  stop(): void;
}

export function createHttp2Sessions(handle: RequestHandler['handle'], { clock, limits }: { clock: Clock; limits: Limits }): Http2Sessions {
  const sessions = new Set<ServerHttp2Session>();
  const idleSessions = createDeadlines<IdleSession>(clock, ({ session }) => session.close());
  const resetStreams = createDeadlines<ResetStream>(clock, ({ socket }) => socket.destroy());
  const requireClose = (stream: ServerHttp2Stream, socket: TLSSocket): void => {
    const resetStream: ResetStream = { socket, deadline: clock.now() + limits.stallMs };
    resetStreams.add(resetStream);
    stream.once('close', () => resetStreams.delete(resetStream));
  };
  return {
    async serve(socket) {
      // Imported on demand, because many servers have no client that uses HTTP/2.
      const { performServerHandshake } = await import('node:http2');
      if (socket.destroyed) return;
      const session = performServerHandshake(socket, createSessionOptions(limits));
      sessions.add(session);
      session.setLocalWindowSize(connectionWindowBytes);
      const idle: IdleSession = { session, deadline: clock.now() + limits.headerMs };
      idleSessions.add(idle);
      let openStreams = 0;
      session.on('stream', (stream, headers, _flags, rawHeaders) => {
        stream.on('error', ignore);
        const refusalCode = findRefusalCode(session, { headers, rawHeaders, limits });
        if (refusalCode !== undefined) return stream.close(refusalCode);
        openStreams += 1;
        idleSessions.delete(idle);
        stream.once('close', () => {
          openStreams -= 1;
          if (openStreams > 0 || session.destroyed) return;
          idle.deadline = clock.now() + limits.keepAliveMs;
          idleSessions.add(idle);
        });
        const request = new Http2Request(stream, headers, rawHeaders, socket);
        const response = new Http2Response(stream, session, { method: request.method, onReset: () => requireClose(stream, socket) });
        handle(request, response, headers.expect === '100-continue');
      });
      session.on('error', ignore).once('close', () => {
        sessions.delete(session);
        idleSessions.delete(idle);
      });
    },
    close() {
      for (const session of sessions) session.close();
    },
    stop() {
      idleSessions.clear();
      resetStreams.clear();
    },
  };
}

interface ReceivedHeaders {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly limits: Limits;
}

/** Returns the error code for a stream that is refused without an answer, as by the server of Go. */
function findRefusalCode(session: ServerHttp2Session, { headers, rawHeaders, limits }: ReceivedHeaders): number | undefined {
  // The client may have sent requests before it knew that the connection is closed.
  if (session.closed) return refusedStream;
  // Node.js checks this, too, but only after the client has acknowledged the setting.
  if (sizeOf(rawHeaders) > limits.headerBytes) return enhanceYourCalm;
  return malformedPath.test(headers[':path'] ?? '') ? protocolError : undefined;
}

/** A percent sign before the query that is not part of an escape. */
const malformedPath = /^[^?%]*(?:%[0-9a-f]{2}[^?%]*)*%(?![0-9a-f]{2})/i;

/** The size of a list of headers as RFC 9113, section 6.5.2, defines it. */
function sizeOf(rawHeaders: readonly string[]): number {
  let size = 16 * rawHeaders.length;
  for (const text of rawHeaders) size += text.length;
  return size;
}

/**
 * A stream that the server has reset. It is not closed before the client has read what was sent earlier: if it reads nothing, never. Until
 * then, Node.js does not read other requests of the connection, and the request counts as in progress.
 */
interface ResetStream {
  readonly socket: TLSSocket;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

interface IdleSession {
  readonly session: ServerHttp2Session;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** Errors of a stream or session close it, which is all that the server needs to know. */
const ignore = (): void => undefined;

/** Mirrors SecureServingInfo.Serve (apiserver/pkg/server/secure_serving.go, 1.36), except for the number of streams. */
const createSessionOptions = ({ headerBytes }: Limits): ServerOptions => ({
  // Not 100: Node.js frees a stream that the client resets only in the next turn of the event loop, and refuses a stream that the client
  // opens before. So the number must be one that clients do not reach.
  settings: { maxConcurrentStreams: 1000, initialWindowSize: streamWindowBytes, maxHeaderListSize: headerBytes },
  maxHeaderListPairs: 256,
  // In megabytes. Answers that the client has not read yet count; the limits for requests in flight and the deadlines bound them.
  maxSessionMemory: 4096,
});

/** Bytes of a request body that a client may send before the server reads them. */
const streamWindowBytes = 256 * 1024;
const connectionWindowBytes = 4 * 1024 * 1024;

/** Error codes of RFC 9113. */
const protocolError = 1;
const refusedStream = 7;
const enhanceYourCalm = 11;
