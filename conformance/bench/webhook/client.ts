import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** Keep-alive connections, each of which sends the same request again as soon as it is answered. */
export interface LoadGenerator {
  /** Sends `count` requests and resolves when all are answered. @throws Error if a response is not the expected one */
  send(count: number): Promise<void>;
  close(): void;
}

/** @param expected text that every response must contain */
export async function createLoadGenerator(
  { port, ca }: { readonly port: number; readonly ca: string },
  body: string,
  { connections, expected }: { readonly connections: number; readonly expected: string },
): Promise<LoadGenerator> {
  const request = Buffer.from(
    `POST /mutate?timeout=10s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', servername: 'localhost', ca }));
  await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')));
  for (const socket of sockets) socket.setNoDelay(true);
  return {
    async send(count) {
      const remaining = { count };
      await Promise.all(sockets.map((socket) => sendRepeatedly(socket, request, remaining, expected)));
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Repeats the request until the remaining count is 0. */
function sendRepeatedly(socket: TLSSocket, request: Buffer, remaining: { count: number }, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const sendNext = (): boolean => {
      if (remaining.count <= 0) {
        socket.removeAllListeners('data');
        resolve();
        return false;
      }
      remaining.count -= 1;
      received = '';
      return socket.write(request);
    };
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const headersEnd = received.indexOf('\r\n\r\n');
      if (headersEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      if (received.length < headersEnd + 4 + length) return;
      if (!received.includes(expected)) reject(new Error(`an answer without ${expected}: ${received}`));
      sendNext();
    });
    socket.once('error', reject);
    sendNext();
  });
}
