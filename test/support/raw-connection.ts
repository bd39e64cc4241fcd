import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends raw bytes. */
export interface RawConnection<Kind extends Socket = Socket> {
  readonly socket: Kind;
  send(bytes: string): void;
  /** Resolves to all received text once it matches the pattern. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves to all received text once the server has closed the connection. */
  readonly closed: Promise<string>;
}

export function createRawConnection<Kind extends Socket>(socket: Kind): RawConnection<Kind> {
  onTestFinished(() => void socket.destroy());
  let received = '';
  const checks = new Set<() => void>();
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    for (const check of checks) check();
  });
  const closed = new Promise<string>((resolve) => {
    const finish = (): void => {
      socket.end();
      resolve(received);
    };
    // The server may also reset the connection.
    socket.on('end', finish).on('close', finish).on('error', finish);
  });
  return {
    socket,
    closed,
    send: (bytes) => void socket.write(bytes),
    until: (pattern) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!pattern.test(received)) return;
          checks.delete(check);
          resolve(received);
        };
        checks.add(check);
        check();
      }),
  };
}

/** Formats the request line and the headers as a client sends them, followed by `rest`. */
export const formatRequestHead = (line: string, headers: Readonly<Record<string, string | number>>, rest = ''): string => {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${rest}`;
};
