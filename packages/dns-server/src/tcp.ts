import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Clock, ScheduledCall } from 'kube-endpoints/port';
import type { Messages } from './happening.ts';
import type { DnsSettings } from './options.ts';
import type { Responder } from './responder.ts';

/** Answers what comes over TCP. */
export interface TcpFace {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** @throws what Node.js says where it cannot listen */
export async function openTcp(settings: DnsSettings, port: number, responder: Responder, signal: AbortSignal): Promise<TcpFace> {
  const { address, limits, tell } = settings;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    if (sockets.size >= limits.connections) {
      tell({ kind: 'connectionClosed', reason: 'crowded' });
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    followConnection(socket, settings, responder, signal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => tell({ kind: 'failed', what: 'socket', error }));
  return {
    port: (server.address() as { port: number }).port,
    get connections() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * Answers the queries of a connection, several at a time, each as soon as it can be. Who sends faster than is answered, or does not read the
 * answers, is read from no further; a connection on which nothing moves is closed.
 */
export function followConnection(socket: Socket, settings: DnsSettings, responder: Responder, signal: AbortSignal): void {
  const { limits, clock, tell } = settings;
  const frames = createFrames();
  const ended = new AbortController();
  const end = (reason?: 'idle' | 'malformed'): void => {
    if (reason && !socket.destroyed) tell({ kind: 'connectionClosed', reason });
    socket.destroy();
  };
  const idle = createIdleTimer(clock, limits.idleMs, () => end('idle'));
  const line: Line = { socket, idle, open: 0, isOver: false };
  const stop = (): void => ended.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const work = (): void => {
    while (line.open < limits.openPerConnection && !socket.destroyed) {
      const packet = frames.next();
      if (packet === null) end('malformed');
      if (!packet) break;
      idle.restart();
      line.open += 1;
      const messages = responder.respond(packet, { transport: 'tcp', address: socket.remoteAddress ?? '' }, ended.signal);
      void answer(line, messages)
        .catch((error: unknown) => {
          // Messages may have been sent already: no other answer can follow them.
          tell({ kind: 'failed', what: 'answer', error });
          end();
        })
        .finally(() => {
          line.open -= 1;
          work();
        });
    }
    if (line.open >= limits.openPerConnection) socket.pause();
    else if (!line.isOver) socket.resume();
    else if (line.open === 0) socket.end();
  };
  socket.on('data', (chunk: Buffer) => {
    frames.add(chunk);
    work();
  });
  socket.on('drain', idle.restart);
  socket.on('end', () => {
    line.isOver = true;
    work();
  });
  socket.once('close', () => {
    idle.stop();
    signal.removeEventListener('abort', stop);
    ended.abort();
  });
}

interface Line {
  readonly socket: Socket;
  readonly idle: IdleTimer;
  /** How many queries are worked on. */
  open: number;
  /** Whether the client says no more. */
  isOver: boolean;
}

/** Writes no faster than the client reads. */
async function answer({ socket, idle }: Line, messages: Messages | Promise<Messages>): Promise<void> {
  for (const message of messages instanceof Promise ? await messages : messages) {
    if (socket.destroyed) return;
    idle.restart();
    if (!socket.write(framed(message)) && !socket.destroyed) await drained(socket);
  }
}

async function drained(socket: Socket): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  socket.once('close', end);
  try {
    await once(socket, 'drain', { signal: over.signal });
  } catch {
    // It was closed: the caller looks at that next.
  } finally {
    socket.off('close', end);
  }
}

/** Cuts what comes over TCP into messages. */
export interface Frames {
  add(chunk: Uint8Array): void;
  /** The next message that is whole; undefined where there is none yet, null where what comes is none. */
  next(): Uint8Array | undefined | null;
}

export function createFrames(): Frames {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const joined = (): Uint8Array => {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Uint8Array;
  };
  /** Of the message that is being received, with its length; undefined as long as that is not known. */
  let wanted: number | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      size += chunk.length;
    },
    next() {
      if (wanted === undefined && size >= 2) {
        const [high = 0, low = 0] = joined();
        wanted = ((high << 8) | low) + 2;
      }
      if (wanted === undefined) return undefined;
      if (wanted < shortest + 2 || wanted > longest + 2) return null;
      if (size < wanted) return undefined;
      const whole = joined();
      const message = whole.subarray(2, wanted);
      chunks = [whole.subarray(wanted)];
      size -= wanted;
      wanted = undefined;
      return message;
    },
  };
}

/** A header is the least there is. */
const shortest = 12;
/** No query is longer: whoever announces more would have it kept in memory. */
const longest = 4096;

/** A message with its length before it. */
export const framed = (message: Uint8Array): Buffer => Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message]);

/** Calls back once nothing has happened for a while. */
export interface IdleTimer {
  /** Something has happened. */
  restart(): void;
  stop(): void;
}

export function createIdleTimer(clock: Clock, milliseconds: number, expired: () => void): IdleTimer {
  let last = clock.now();
  let call: ScheduledCall | undefined;
  // One call at a time, set anew when it comes too early: what happens often does not schedule often.
  const look = (): void => {
    const left = last + milliseconds - clock.now();
    if (left <= 0) expired();
    else call = clock.schedule(look, left);
  };
  call = clock.schedule(look, milliseconds);
  return {
    restart() {
      last = clock.now();
    },
    stop: () => call?.cancel(),
  };
}
