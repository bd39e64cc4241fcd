import type { HttpAnswer } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import { isAnonymous } from './authentication.ts';
import type { Exchange } from './exchange.ts';

export interface ResponseContext {
  readonly clock: Clock;
  /** Milliseconds for which a client may stop reading a stream. */
  readonly stallMs: number;
  readonly auditId: (exchange: Exchange) => string;
  readonly isLastOnConnection: () => boolean;
  readonly onError: (error: unknown, exchange: Exchange) => void;
  /** Sends complete answers in batches. */
  readonly outbox: Outbox;
  /** Called when the last byte is written; the client may not have read it yet. */
  readonly onWritten: (exchange: Exchange) => void;
}

/** Sends an answer. Drops the answer if the request already has one or is closed. @throws TypeError if a header is invalid; then nothing is sent */
export function respond(exchange: Exchange, answer: HttpAnswer, context: ResponseContext): void {
  const { body } = answer;
  const isComplete = typeof body === 'string' || body instanceof Uint8Array;
  const { response } = exchange;
  if (exchange.isAnswered || exchange.isClosed || response.destroyed) {
    if (!isComplete) stopStream(body[Symbol.asyncIterator](), exchange, context);
    return;
  }
  const headers: HeaderList = ['Audit-Id', context.auditId(exchange)];
  if (exchange.flow) {
    const { flowSchemaUid, priorityLevelUid } = exchange.flow;
    headers.push('X-Kubernetes-Pf-Flowschema-Uid', flowSchemaUid, 'X-Kubernetes-Pf-Prioritylevel-Uid', priorityLevelUid);
  }
  if (answer.headers['Cache-Control'] === undefined) headers.push('Cache-Control', 'no-cache, private');
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string | string[]);
  const mustClose = exchange.mustCloseConnection;
  // An unauthenticated client must not keep the resources of HTTP/2. Mirrors WithAuthentication (apiserver/pkg/endpoints/filters, 1.36).
  const isUnauthenticated = exchange.isHttp2 && isAnonymous(exchange.user);
  exchange.isLastOnConnection = mustClose || isUnauthenticated || context.isLastOnConnection();
  if (exchange.isLastOnConnection) headers.push('Connection', 'close');
  if (isComplete) {
    // Node.js encodes headers like a string body that is written with them, which would break Warning headers that are already bytes.
    const asBytes = body.length > minConvertedCharacters || answer.headers['Warning'] !== undefined;
    const data = typeof body === 'string' && asBytes ? Buffer.from(body) : body;
    headers.push('Content-Length', String(typeof data === 'string' ? Buffer.byteLength(data) : data.length));
    response.writeHead(answer.code, headers);
    exchange.isAnswered = true;
    if (mustClose) endAfterLinger(exchange, data, context.clock);
    // Node.js itself sends the answers of one turn of the event loop together.
    else if (exchange.isHttp2) response.end(data);
    else context.outbox.put(() => response.end(data));
    context.onWritten(exchange);
    return;
  }
  response.writeHead(answer.code, headers);
  exchange.isAnswered = true;
  const source = body[Symbol.asyncIterator]();
  if (exchange.method === 'HEAD') {
    stopStream(source, exchange, context);
    response.end();
    return;
  }
  response.flushHeaders();
  void sendStream(exchange, source, context);
}

/** Stops the source of a stream, even if it has not ended. */
export function stopStream(
  source: AsyncIterator<string | Uint8Array>,
  exchange: Exchange,
  { onError }: Pick<ResponseContext, 'onError'>,
): void {
  source.return?.().then(undefined, (error: unknown) => onError(error, exchange));
}

async function sendStream(exchange: Exchange, source: AsyncIterator<string | Uint8Array>, context: ResponseContext): Promise<void> {
  const { response } = exchange;
  exchange.source = source;
  // The code that ends the response early also stops the source.
  const hasEnded = (): boolean => exchange.isClosed || response.writableEnded || response.destroyed;
  try {
    while (!hasEnded()) {
      const { done, value } = await source.next();
      if (done) break;
      if (!hasEnded() && !response.write(value)) await waitForDrain(exchange, context);
    }
  } catch (error) {
    if (hasEnded()) return;
    if (!isBrokenConnection(error)) context.onError(error, exchange);
    // Flushes what was written, then breaks the connection, so that the client does not take the partial answer for a complete one.
    response.write('', () => response.destroy());
    return;
  }
  if (hasEnded()) return;
  response.end();
  context.onWritten(exchange);
}

/** Resolves when the client has read the buffered data or the connection is closed. Closes the connection if neither happens within stallMs. */
function waitForDrain(exchange: Exchange, { clock, stallMs }: ResponseContext): Promise<void> {
  const { response } = exchange;
  return new Promise((resolve) => {
    const stallTimer = clock.schedule(() => response.destroy(), stallMs);
    const proceed = (): void => {
      stallTimer.cancel();
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}

/**
 * Answers at once and closes the connection later: if it were closed with request data unread, a client that is still writing would lose
 * the answer. The rest of the request is discarded.
 */
function endAfterLinger({ incoming, response }: Exchange, data: string | Uint8Array, clock: Clock): void {
  response.write(data);
  const timer = clock.schedule(close, lingerMs);
  function close(): void {
    timer.cancel();
    incoming.off('end', close).off('close', close);
    if (!response.destroyed) response.end();
  }
  incoming.on('end', close).on('close', close).resume();
}

type HeaderList = (string | string[])[];

/** Minimum number of characters for which converting a text to bytes once is cheaper than measuring and writing it. */
const minConvertedCharacters = 16 * 1024;

/** Milliseconds, as in Go's server. */
const lingerMs = 500;

/**
 * Sends the answers to all requests of one turn of the event loop together. A write to a waiting client wakes its process, which can take
 * as long as handling its request. The other answers of the batch do not cause another wake-up.
 */
interface Outbox {
  /** @param write sends one answer; must not throw */
  put(write: () => void): void;
  /** Sends the waiting answers now. */
  flush(): void;
}

export function createOutbox(): Outbox {
  let pendingWrites: (() => void)[] = [];
  const flush = (): void => {
    const writes = pendingWrites;
    pendingWrites = [];
    for (const write of writes) write();
  };
  return {
    put(write) {
      pendingWrites.push(write);
      if (pendingWrites.length === 1) setImmediate(flush);
    },
    flush,
  };
}

/** Whether a route failed with a connection error on purpose, to have the connection closed: injected faults do this. */
export const isBrokenConnection = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
