import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** An HTTP response. */
export interface RawResponse {
  readonly code: number;
  readonly body: Buffer;
}

/**
 * A connection for sequential requests. It does as little as possible, because on a machine with two processors the client
 * competes with the measured server.
 */
export interface Connection {
  send(request: string): Promise<RawResponse>;
  /** Sends a request with an endless response, and calls `onPiece` with each piece. Resolves to the status code. */
  stream(request: string, onPiece: (piece: Buffer) => void): Promise<number>;
  close(): void;
}

export async function openConnection(url: string, ca: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.setNoDelay(true);
  return {
    send: (request) => exchange(socket, request),
    stream: (request, onPiece) => startStream(socket, request, onPiece),
    close: () => socket.destroy(),
  };
}

function exchange(socket: TLSSocket, request: string): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    /** Bytes of the whole response; Infinity if chunked; undefined until the headers are complete. */
    let length: number | undefined;
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      size += piece.length;
      length ??= parseLength(pieces.length === 1 ? piece : Buffer.concat(pieces));
      const isComplete = length === Number.POSITIVE_INFINITY ? endsChunkedBody(piece) : length !== undefined && size >= length;
      if (!isComplete) return;
      socket.off('data', onData).off('error', reject).off('close', onClose);
      resolve(parseResponse(pieces.length === 1 ? piece : Buffer.concat(pieces)));
    };
    const onClose = (): void => reject(new Error('the server closed the connection'));
    socket.on('data', onData).on('error', reject).on('close', onClose).write(request);
  });
}

const headSeparator = '\r\n\r\n';
const contentLength = /\r\ncontent-length: (\d+)/i;

function parseLength(received: Buffer): number | undefined {
  const headersEnd = received.indexOf(headSeparator);
  if (headersEnd < 0) return undefined;
  const length = contentLength.exec(received.toString('latin1', 0, headersEnd + 2))?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : headersEnd + headSeparator.length + Number(length);
}

const endsChunkedBody = (piece: Buffer): boolean => piece.length >= 5 && piece.toString('latin1', piece.length - 5) === '0\r\n\r\n';

function parseResponse(received: Buffer): RawResponse {
  const headersEnd = received.indexOf(headSeparator);
  const head = received.toString('latin1', 0, headersEnd);
  const body = received.subarray(headersEnd + headSeparator.length);
  return { code: Number(head.slice(9, 12)), body: /\r\ntransfer-encoding: chunked/i.test(head) ? decodeChunked(body) : body };
}

/** Returns the content of a chunked body. */
function decodeChunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let offset = 0; ; ) {
    const line = body.indexOf('\r\n', offset);
    const size = Number.parseInt(body.toString('latin1', offset, line), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(line + 2, line + 2 + size));
    offset = line + 2 + size + 2;
  }
}

function startStream(socket: TLSSocket, request: string, onPiece: (piece: Buffer) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('data', (piece: Buffer) => {
      const headersEnd = piece.indexOf(headSeparator);
      resolve(Number(piece.toString('latin1', 9, 12)));
      onPiece(piece.subarray(headersEnd + headSeparator.length));
      socket.on('data', onPiece);
    });
    socket.once('error', reject);
    socket.write(request);
  });
}
