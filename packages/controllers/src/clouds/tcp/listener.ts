import { createServer, type Socket } from 'node:net';
import { CloudError } from 'kube-endpoints/load-balancer';

/** A port that is listened to. */
export interface Listener {
  /** Takes no more connections; those there are go on. */
  close(): void;
}

export interface Listening {
  readonly address: string;
  readonly port: number;
  /** The connection is paused: nothing has been read of it. */
  readonly accept: (client: Socket) => void;
  /** In messages: whose port it is. */
  readonly owner: string;
}

/** @throws CloudError `Failed` */
export function listen({ address, port, accept, owner }: Listening): Promise<Listener> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
  server.on('connection', accept);
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => {
      const hint = hints[cause.code ?? ''] ?? cause.message;
      reject(new CloudError('Failed', `${owner} cannot listen on ${address}:${port}: ${hint}`, { cause }));
    };
    server.once('error', refuse);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', refuse);
      // A connection that could not be taken: the next may be.
      server.on('error', () => {});
      resolve({ close: () => void server.close() });
    });
  });
}

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does: stop it, or give another port (EADDRINUSE)',
  EADDRNOTAVAIL: 'the address is not of this machine: give addresses of a loopback range (EADDRNOTAVAIL)',
  EACCES: 'this process may not take ports below 1024: give another port, or give it the right to (EACCES)',
};
