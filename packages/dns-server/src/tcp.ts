import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createConnectionLimiter } from 'kube-endpoints/internal/apimachinery';
import type { Clock, ScheduledCall } from 'kube-endpoints/port';
import type { DnsSettings } from './options.ts';
import type { Responder } from './responder.ts';
import type { Messages } from './server-event.ts';

/** Answers queries over TCP. */
export interface TcpListener {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** @throws the error of Node.js if it cannot listen */
export async function openTcp(settings: DnsSettings, port: number, responder: Responder, signal: AbortSignal): Promise<TcpListener> {
  const { address, limits, onEvent } = settings;
  const limiter = createConnectionLimiter<Socket>({
    maxConnections: limits.connections,
    close(socket) {
      onEvent({ kind: 'connectionClosed', reason: 'crowded' });
      socket.destroy();
    },
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    const entry = limiter.add(socket, socket.remoteAddress ?? '');
    if (!entry) return;
    socket.once('close', () => limiter.remove(entry));
    const usage = { begin: () => limiter.begin(entry), end: () => limiter.end(entry) };
    serveConnection(socket, { settings, responder, signal, usage });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: address, backlog: maxBacklog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => onEvent({ kind: 'failed', what: 'socket', error }));
  return {
    port: (server.address() as { port: number }).port,
    get connections() {
      return limiter.entries.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { connection } of limiter.entries) connection.destroy();
      }),
  };
}

/** Clients whose connections do not fit into the backlog retry after a second. The operating system may have a lower limit. */
const maxBacklog = 4096;

interface ConnectionContext {
  readonly settings: DnsSettings;
  readonly responder: Responder;
  readonly signal: AbortSignal;
  readonly usage: Usage;
}

/** Reports the time in which a connection is in use, so that it is not closed for another one. */
interface Usage {
  begin(): void;
  end(): void;
}

/**
 * Answers the queries of a connection concurrently, each as soon as it is ready. Reading pauses if the client sends too fast or does not
 * read the answers. An idle connection is closed.
 */
function serveConnection(socket: Socket, { settings, responder, signal, usage }: ConnectionContext): void {
  const { limits, clock, onEvent } = settings;
  const frames = createFrames();
  const endController = new AbortController();
  const closeConnection = (reason?: 'idle' | 'malformed'): void => {
    if (reason && !socket.destroyed) onEvent({ kind: 'connectionClosed', reason });
    socket.destroy();
  };
  const idleTimer = createIdleTimer(clock, limits.idleMs, () => closeConnection('idle'));
  const connection: Connection = { socket, idleTimer, usage, openQueries: 0, clientEnded: false };
  const stop = (): void => endController.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const processFrames = (): void => {
    while (connection.openQueries < limits.openPerConnection && !socket.destroyed) {
      const packet = frames.next();
      if (packet === null) closeConnection('malformed');
      if (!packet) break;
      idleTimer.restart();
      connection.openQueries += 1;
      const messages = responder.respond(packet, { transport: 'tcp', address: socket.remoteAddress ?? '' }, endController.signal);
      void writeAnswer(connection, messages)
        .catch((error: unknown) => {
          // Part of the answer may have been sent, so an error response cannot follow.
          onEvent({ kind: 'failed', what: 'answer', error });
          closeConnection();
        })
        .finally(() => {
          connection.openQueries -= 1;
          processFrames();
        });
    }
    if (connection.openQueries >= limits.openPerConnection) socket.pause();
    else if (!connection.clientEnded) socket.resume();
    else if (connection.openQueries === 0) socket.end();
  };
  socket.on('data', (chunk: Buffer) => {
    frames.add(chunk);
    processFrames();
  });
  socket.on('drain', idleTimer.restart);
  socket.on('end', () => {
    connection.clientEnded = true;
    processFrames();
  });
  socket.once('close', () => {
    idleTimer.stop();
    signal.removeEventListener('abort', stop);
    endController.abort();
  });
}

interface Connection {
  readonly socket: Socket;
  readonly idleTimer: IdleTimer;
  readonly usage: Usage;
  /** Number of queries in progress. */
  openQueries: number;
  /** Whether the client has ended its side. */
  clientEnded: boolean;
}

/** Waits for 'drain' when the client reads slowly; then the connection is not in use. */
async function writeAnswer({ socket, idleTimer, usage }: Connection, messages: Messages | Promise<Messages>): Promise<void> {
  usage.begin();
  try {
    for (const message of messages instanceof Promise ? await messages : messages) {
      if (socket.destroyed) return;
      idleTimer.restart();
      if (socket.write(frameMessage(message)) || socket.destroyed) continue;
      usage.end();
      await waitForDrain(socket);
      usage.begin();
    }
  } finally {
    usage.end();
  }
}

async function waitForDrain(socket: Socket): Promise<void> {
  const socketClosed = new AbortController();
  const end = (): void => socketClosed.abort();
  socket.once('close', end);
  try {
    await once(socket, 'drain', { signal: socketClosed.signal });
  } catch {
    // The socket was closed; the caller checks that next.
  } finally {
    socket.off('close', end);
  }
}

/** Splits a TCP stream into messages. */
export interface Frames {
  add(chunk: Uint8Array): void;
  /** Returns the next complete message; undefined if more data is needed, null if the stream is malformed. */
  next(): Uint8Array | undefined | null;
}

export function createFrames(): Frames {
  let chunks: Uint8Array[] = [];
  let bufferedBytes = 0;
  const joinChunks = (): Uint8Array => {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Uint8Array;
  };
  /** Size of the message being received, including its length prefix; undefined until known. */
  let expectedBytes: number | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      bufferedBytes += chunk.length;
    },
    next() {
      if (expectedBytes === undefined && bufferedBytes >= 2) {
        const [high = 0, low = 0] = joinChunks();
        expectedBytes = ((high << 8) | low) + 2;
      }
      if (expectedBytes === undefined) return undefined;
      if (expectedBytes < minMessageBytes + 2 || expectedBytes > maxMessageBytes + 2) return null;
      if (bufferedBytes < expectedBytes) return undefined;
      const joined = joinChunks();
      const message = joined.subarray(2, expectedBytes);
      chunks = [joined.subarray(expectedBytes)];
      bufferedBytes -= expectedBytes;
      expectedBytes = undefined;
      return message;
    },
  };
}

/** The size of a header. */
const minMessageBytes = 12;
/** Larger than any query; limits the memory that a client can use. */
const maxMessageBytes = 4096;

/** Prefixes a message with its length, in two bytes. */
export const frameMessage = (message: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message]);

/** Calls back after a time without activity. */
export interface IdleTimer {
  /** Records activity. */
  restart(): void;
  stop(): void;
}

export function createIdleTimer(clock: Clock, idleMs: number, onExpired: () => void): IdleTimer {
  let lastActivity = clock.now();
  let call: ScheduledCall | undefined;
  // Activity only sets `lastActivity`, so it is cheap. The scheduled call runs at the old deadline and then reschedules itself.
  const checkActivity = (): void => {
    const remainingMs = lastActivity + idleMs - clock.now();
    if (remainingMs <= 0) onExpired();
    else call = clock.schedule(checkActivity, remainingMs);
  };
  call = clock.schedule(checkActivity, idleMs);
  return {
    restart() {
      lastActivity = clock.now();
    },
    stop: () => call?.cancel(),
  };
}
