import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import type { ServerAddress } from './servers.ts';

/** A question to a server, in a message of its own. */
export interface Exchange {
  readonly server: ServerAddress;
  readonly message: Uint8Array;
  /** Whether a message is the answer. Others are dropped, whoever sent them. */
  accepts(message: Uint8Array): boolean;
  /** Ends it: it is then rejected with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Over UDP, from a port that the system chooses each time; only what the server itself sends is looked at. */
export function exchangeOverUdp({ server, message, accepts, signal }: Exchange): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      // Closing may still tell of what the network said meanwhile.
      socket.on('error', () => {});
      socket.close();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (received) => {
      if (accepts(received)) end(() => resolve(received));
    });
    socket.connect(server.port, server.address, () => socket.send(message));
  });
}

/** Over TCP, on a connection of its own. */
export function exchangeOverTcp({ server, message, accepts, signal }: Exchange): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect(server.port, server.address);
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.destroy();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error(`${server.address} closed the connection without an answer`))));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length >= 2 ? received.readUInt16BE(0) : 0;
      if (received.length < 2 || received.length < length + 2) return;
      const answer = received.subarray(2, length + 2);
      end(() => (accepts(answer) ? resolve(answer) : reject(new Error(`${server.address} answered something else than was asked`))));
    });
    socket.on('connect', () => socket.write(Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message])));
  });
}
