import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';

// Not imported, because an import of node:http also loads undici, which takes a tenth of the time to start a server.
const { validateHeaderValue } = process.getBuiltinModule('node:http');

/** A request with the properties of node:http's IncomingMessage that the server uses. */
export class Http2Request {
  readonly httpVersionMajor = 2;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[] = [];
  readonly socket: TLSSocket;
  /** An unread body does not prevent further requests. */
  readonly complete = true;
  readonly #stream: ServerHttp2Stream;
  readonly #namesAndValues: readonly string[];

  /** @param namesAndValues of the headers in turn, as they were sent */
  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, namesAndValues: readonly string[], socket: TLSSocket) {
    this.#stream = stream;
    this.#namesAndValues = namesAndValues;
    this.method = headers[':method'] ?? 'GET';
    this.url = headers[':path'] ?? '/';
    this.headers = headers;
    this.socket = socket;
    if (headers.host === undefined && headers[':authority'] !== undefined) headers.host = headers[':authority'];
    // A body may have no declared length, like a chunked body of HTTP/1.1. Clients cannot send this header.
    if (!stream.endAfterHeaders && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  }

  get headersDistinct(): Readonly<Record<string, readonly string[]>> {
    const valuesByName = new Map<string, string[]>();
    for (let i = 0; i < this.#namesAndValues.length; i += 2) {
      const [name = '', value = ''] = this.#namesAndValues.slice(i, i + 2);
      valuesByName.set(name, [...(valuesByName.get(name) ?? []), value]);
    }
    return Object.fromEntries(valuesByName);
  }

  get destroyed(): boolean {
    return this.#stream.destroyed;
  }

  on(event: string, listener: (chunk: Uint8Array) => void): this {
    this.#stream.on(event, listener);
    // Node.js emits 'end', too, if the stream is reset or the client disconnects, but 'aborted' before it.
    if (event === 'close') this.#stream.on('aborted', listener as () => void);
    return this;
  }

  once(event: string, listener: () => void): this {
    this.#stream.once(event, listener);
    return this;
  }

  off(event: string, listener: (chunk: Uint8Array) => void): this {
    this.#stream.off(event, listener);
    if (event === 'close') this.#stream.off('aborted', listener as () => void);
    return this;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }
}

/** A response with the methods of node:http's ServerResponse that the server uses. */
export class Http2Response {
  statusCode = 200;
  writableEnded = false;
  readonly #stream: ServerHttp2Stream;
  readonly #session: ServerHttp2Session;
  readonly #isHead: boolean;
  readonly #onReset: () => void;

  /** @param options onReset is called before the server resets the stream */
  constructor(
    stream: ServerHttp2Stream,
    session: ServerHttp2Session,
    { method, onReset }: { readonly method: string; readonly onReset: () => void },
  ) {
    this.#stream = stream;
    this.#session = session;
    this.#isHead = method === 'HEAD';
    this.#onReset = onReset;
  }

  get destroyed(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  get writableFinished(): boolean {
    return this.#stream.writableFinished && !this.#stream.aborted;
  }

  /**
   * @param list names and values in turn; "Connection: close" closes the connection when its open requests are answered
   * @throws TypeError if a header is invalid
   */
  writeHead(code: number, list: readonly (string | readonly string[])[]): this {
    const headers: OutgoingHttpHeaders = { ':status': code };
    let closesSession = false;
    for (let i = 0; i < list.length; i += 2) {
      const name = (list[i] as string).toLowerCase();
      if (name === 'connection') closesSession = list[i + 1] === 'close';
      if (connectionHeaders.has(name)) continue;
      const value = list[i + 1] as string | string[];
      for (const text of Array.isArray(value) ? value : [value]) validateHeaderValue(name, text);
      headers[name] = value;
    }
    this.#stream.respond(headers);
    this.statusCode = code;
    if (closesSession) this.#session.close();
    return this;
  }

  /** Does nothing, because Node.js sends the headers at the end of the turn. */
  flushHeaders(): void {}

  writeContinue(): void {
    if (!this.destroyed) this.#stream.additionalHeaders({ ':status': 100 });
  }

  write(data: string | Uint8Array, onWritten?: () => void): boolean {
    return this.#stream.write(data, onWritten);
  }

  end(data?: string | Uint8Array): this {
    const stream = this.#stream;
    this.writableEnded = true;
    if (this.destroyed) return this;
    if (this.#isHead || data === undefined || data.length === 0) stream.end();
    else stream.end(data);
    // Discards the rest of the body until the answer is sent, and then refuses it.
    if (!stream.endAfterHeaders && !stream.readableEnded) stream.resume().once('finish', () => stream.close());
    return this;
  }

  /** Breaks off the response, so that the client does not take it for complete. */
  destroy(): void {
    if (this.#stream.destroyed) return;
    this.#onReset();
    this.#stream.close(internalError);
  }

  on(event: string, listener: () => void): this {
    this.#stream.on(event, listener);
    return this;
  }

  once(event: string, listener: () => void): this {
    this.#stream.once(event, listener);
    return this;
  }

  off(event: string, listener: () => void): this {
    this.#stream.off(event, listener);
    return this;
  }
}

/** The headers that RFC 9113, section 8.2.2, forbids. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** The error code INTERNAL_ERROR of RFC 9113. */
const internalError = 2;
