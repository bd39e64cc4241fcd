import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server. The proxy can cut all connections. */
export interface DroppingProxy {
  readonly url: string;
  /** Cuts all open connections; the proxy still accepts new ones. */
  drop(): void;
  close(): void;
}

export async function startDroppingProxy(url: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [source, destination] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(source);
      source.on('error', () => destination.destroy());
      source.on('close', () => {
        sockets.delete(source);
        destination.destroy();
      });
      source.pipe(destination);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop,
    close() {
      server.close();
      drop();
    },
  };
}
