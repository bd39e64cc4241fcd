import { createServer, type Socket } from 'node:net';
import { followConnection } from './connection.ts';
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
