import type { HttpAnswer } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import type { Exchange } from './exchange.ts';

export interface Responding {
  readonly clock: Clock;
  /** Milliseconds for which a client may keep what is streamed waiting. */
  readonly stallMs: number;
  /** Goes on each answer as Audit-Id. */
  readonly auditId: (exchange: Exchange) => string;
  /** Whether connections are not to be used again. */
  readonly lastOnConnection: () => boolean;
  readonly onError: (error: unknown, exchange: Exchange) => void;
  /** Where whole answers wait for others. */
  readonly outbox: Outbox;
  /** Told when nothing is streamed any more, and the client has yet to read the rest. */
  readonly onWritten: (exchange: Exchange) => void;
}

/**
 * Gives a request its answer; one that comes too late is dropped.
 * @throws TypeError where a header cannot be sent; then nothing was
 */
export function respond(exchange: Exchange, answer: HttpAnswer, context: Responding): void {
  const { body } = answer;
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const { response } = exchange;
  if (exchange.answered || exchange.over || response.destroyed) {
    if (!whole) stop(body[Symbol.asyncIterator](), exchange, context);
    return;
  }
  const headers: HeaderList = ['Audit-Id', context.auditId(exchange)];
  if (answer.headers['Cache-Control'] === undefined) headers.push('Cache-Control', 'no-cache, private');
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string | string[]);
  const cut = exchange.hasMoreToCome;
  if (cut || context.lastOnConnection()) headers.push('Connection', 'close');
  if (whole) {
    // Node.js writes headers in the encoding of a text that goes with them, and those of warnings are bytes already.
    const asBytes = body.length > worthConverting || answer.headers['Warning'] !== undefined;
    const data = typeof body === 'string' && asBytes ? Buffer.from(body) : body;
    headers.push('Content-Length', String(typeof data === 'string' ? Buffer.byteLength(data) : data.length));
    response.writeHead(answer.code, headers as never);
    exchange.answered = true;
    if (cut) lingering(exchange, data, context.clock);
    else context.outbox.put(() => response.end(data));
    context.onWritten(exchange);
    return;
  }
  response.writeHead(answer.code, headers as never);
  exchange.answered = true;
  const source = body[Symbol.asyncIterator]();
  if (exchange.method === 'HEAD') {
    stop(source, exchange, context);
    response.end();
    return;
  }
  response.flushHeaders();
  void stream(exchange, source, context);
}

/** Ends what is streamed, however far it came. */
export function stop(source: AsyncIterator<string>, exchange: Exchange, { onError }: Pick<Responding, 'onError'>): void {
  source.return?.().then(undefined, (error: unknown) => onError(error, exchange));
}

async function stream(exchange: Exchange, source: AsyncIterator<string>, context: Responding): Promise<void> {
  const { response } = exchange;
  exchange.source = source;
  // Whoever ends it before its time also stops the source.
  const ended = (): boolean => exchange.over || response.writableEnded || response.destroyed;
  try {
    while (!ended()) {
      const { done, value } = await source.next();
      if (done) break;
      if (!ended() && !response.write(value)) await drained(exchange, context);
    }
  } catch (error) {
    if (ended()) return;
    if (!isBrokenConnection(error)) context.onError(error, exchange);
    // Half an answer must not look like a whole one; but what was sent of it is to arrive.
    response.write('', () => response.destroy());
    return;
  }
  if (ended()) return;
  response.end();
  context.onWritten(exchange);
}

/** Until the client has read what it was sent, or the connection is no more; one that does not read for too long is let go. */
function drained(exchange: Exchange, { clock, stallMs }: Responding): Promise<void> {
  const { response } = exchange;
  return new Promise((resolve) => {
    const stalled = clock.schedule(() => response.destroy(), stallMs);
    const goOn = (): void => {
      stalled.cancel();
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}

/**
 * Answers at once, and closes the connection a little later: a client that is still writing would lose an answer after which the
 * connection is closed with some of the request unread. What comes meanwhile is thrown away.
 */
function lingering({ incoming, response }: Exchange, data: string | Uint8Array, clock: Clock): void {
  response.write(data);
  const later = clock.schedule(close, lingerMs);
  function close(): void {
    later.cancel();
    incoming.off('end', close).off('close', close);
    if (!response.destroyed) response.end();
  }
  incoming.on('end', close).on('close', close).resume();
}

type HeaderList = (string | string[])[];

/** From about here on it is cheaper to convert a text once than to have it measured and written. */
const worthConverting = 16 * 1024;

/** As long as Go's server. */
const lingerMs = 500;

/**
 * Sends answers together: those of all requests that came in at a time go out when each of them was looked at. To write to a client that
 * sleeps is to wake it, which can take as long as the work on its request; the answers right behind the first one find it awake.
 */
interface Outbox {
  /** @param write sends an answer, and does not throw */
  put(write: () => void): void;
  /** Sends what waits now. */
  flush(): void;
}

export function createOutbox(): Outbox {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const writes = waiting;
    waiting = [];
    for (const write of writes) write();
  };
  return {
    put(write) {
      waiting.push(write);
      if (waiting.length === 1) setImmediate(flush);
    },
    flush,
  };
}

/** Whether a route asks for the connection to be cut, by failing as a client would see it: that is how a fault is shown. */
export const isBrokenConnection = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
