import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from 'kube-endpoints/port';

/** The connections of a server, and what is being answered on them. */
export interface Connections {
  /** How many requests are being answered. */
  readonly live: number;
  /** Until nothing is being answered, or so many milliseconds have passed. */
  idle(clock: Clock, milliseconds: number): Promise<void>;
  /** Ends all of them. */
  destroy(): void;
}

/** @param most how many there may be; those that wait for another request make room for new ones */
export function followConnections(server: Server, most: number): Connections {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const crowded = Math.floor(most * 0.9);
  let live = 0;
  server.maxConnections = most;
  // Of TLS, these are the bare ones: some of them have yet to shake hands.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    if (sockets.size > crowded) server.closeIdleConnections();
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_, response) => {
    live += 1;
    response.once('close', () => {
      live -= 1;
      if (live === 0) for (const resume of waiting) resume();
    });
  });
  return {
    get live() {
      return live;
    },
    idle: (clock, milliseconds) =>
      new Promise((resolve) => {
        if (live === 0) return resolve();
        const done = (): void => {
          patience.cancel();
          waiting.delete(done);
          resolve();
        };
        const patience = clock.schedule(done, milliseconds);
        waiting.add(done);
      }),
    destroy() {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
