import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { PassThrough } from 'node:stream';
import { createTimeout, type Http, type HttpRequest, type HttpResponse, type StreamedResponse, splitLines } from './http.ts';
import type { Target } from './target.ts';

/** Creates a client like `connectTo`, over HTTP/2. All requests share one connection until the server closes it. */
export function connectOverHttp2({ url, ca, token }: Target): Http {
  let session: ClientHttp2Session | undefined;
  const getSession = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(url, { ca });
      session.on('error', () => {});
    }
    return session;
  };
  const start = (request: HttpRequest): ClientHttp2Stream => {
    const headers = {
      ':method': request.method,
      ':path': request.path,
      accept: 'application/json',
      'user-agent': 'comparison/1.0',
      authorization: `Bearer ${token}`,
      ...request.headers,
    };
    const stream = getSession().request(headers, { endStream: request.body === undefined });
    if (request.body !== undefined) stream.end(request.body);
    return stream;
  };
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const stream = start(request);
    const { milliseconds, error: timeoutError } = createTimeout(request);
    stream.setTimeout(milliseconds, () => stream.destroy(timeoutError));
    try {
      const headers = await readHeaders(stream);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      return { code: headers[':status'] ?? 0, headers, bytes, text: bytes.toString('utf8') };
    } catch (error) {
      return retry(stream, error, () => send(request));
    }
  };
  const openStream = async (request: HttpRequest): Promise<StreamedResponse> => {
    const stream = start(request);
    try {
      const headers = await readHeaders(stream);
      // A stream that is closed before it is read would fail.
      const chunks = stream.pipe(new PassThrough());
      return { code: headers[':status'] ?? 0, headers, chunks, lines: splitLines(chunks), close: () => closeStream(stream) };
    } catch (error) {
      return retry(stream, error, () => openStream(request));
    }
  };
  return {
    send,
    stream: openStream,
    close: () => session?.destroy(),
  };
}

/** Sends a request again if the server has closed the connection before it processed the request. */
async function retry<T>(stream: ClientHttp2Stream, error: unknown, again: () => Promise<T>): Promise<T> {
  const wasOpen = stream.session?.closed === false;
  if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.rstCode === constants.NGHTTP2_NO_ERROR && !wasOpen)) return again();
  throw error;
}

function closeStream(stream: ClientHttp2Stream): void {
  stream.on('error', () => {});
  stream.close(constants.NGHTTP2_CANCEL);
}

function readHeaders(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders & { readonly ':status'?: number }> {
  return new Promise((resolve, reject) => {
    stream.on('response', resolve).on('error', reject);
    stream.on('close', () => reject(new Error(`the stream was closed with code ${stream.rstCode} before the answer`)));
  });
}
