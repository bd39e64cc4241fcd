import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createIdleTimer, type IdleTimer } from './idle.ts';
import type { DnsSettings } from './options.ts';
import { createFrames, framed } from './packet/frames.ts';
import type { Responder } from './responder.ts';
import type { Messages } from './sender.ts';

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
