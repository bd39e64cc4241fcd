import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** A raw answer. */
export interface Answer {
  readonly code: number;
  readonly body: Buffer;
}

/**
 * A connection for sequential requests. It does as little as possible, because on a machine with two processors the client
 * competes with the measured server.
 */
export interface Connection {
  send(request: string): Promise<Answer>;
  /** Sends a request with an endless answer; calls `seen` with each piece. */
  stream(request: string, seen: (piece: Buffer) => void): Promise<number>;
  close(): void;
}

export async function open(url: string, ca: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.setNoDelay(true);
  return {
    send: (request) => exchange(socket, request),
    stream: (request, seen) => streamed(socket, request, seen),
    close: () => socket.destroy(),
  };
}

function exchange(socket: TLSSocket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    /** Of the whole answer; Infinity if chunked, undefined until the headers are complete. */
    let length: number | undefined;
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      size += piece.length;
      length ??= lengthOf(pieces.length === 1 ? piece : Buffer.concat(pieces));
      const isWhole = length === Number.POSITIVE_INFINITY ? endsChunks(piece) : length !== undefined && size >= length;
      if (!isWhole) return;
      socket.off('data', onData).off('error', reject).off('close', onClose);
      resolve(answerIn(pieces.length === 1 ? piece : Buffer.concat(pieces)));
    };
    const onClose = (): void => reject(new Error('the server closed the connection'));
    socket.on('data', onData).on('error', reject).on('close', onClose).write(request);
  });
}

const headEnd = '\r\n\r\n';
const contentLength = /\r\ncontent-length: (\d+)/i;

function lengthOf(received: Buffer): number | undefined {
  const end = received.indexOf(headEnd);
  if (end < 0) return undefined;
  const length = contentLength.exec(received.toString('latin1', 0, end + 2))?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : end + headEnd.length + Number(length);
}

const endsChunks = (piece: Buffer): boolean => piece.length >= 5 && piece.toString('latin1', piece.length - 5) === '0\r\n\r\n';

function answerIn(received: Buffer): Answer {
  const end = received.indexOf(headEnd);
  const head = received.toString('latin1', 0, end);
  const body = received.subarray(end + headEnd.length);
  return { code: Number(head.slice(9, 12)), body: /\r\ntransfer-encoding: chunked/i.test(head) ? joined(body) : body };
}

/** The content of a chunked body. */
function joined(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

function streamed(socket: TLSSocket, request: string, seen: (piece: Buffer) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('data', (piece: Buffer) => {
      const end = piece.indexOf(headEnd);
      resolve(Number(piece.toString('latin1', 9, 12)));
      seen(piece.subarray(end + headEnd.length));
      socket.on('data', seen);
    });
    socket.once('error', reject);
    socket.write(request);
  });
}
