import { hasSeveralHosts, type ServerConnections, safeObserver } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import type { HttpAnswer, Route } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import { type AdmitContext, admit, release } from './admit.ts';
import {
  acceptsYaml,
  createPageNotFoundAnswer,
  createPanicError,
  createShutdownError,
  createStatusAnswer,
  createTimeoutError,
  createYamlStatusAnswer,
} from './answers.ts';
import { createDeadlines, type Deadlines } from './deadlines.ts';
import { Exchange, type Incoming, type Outgoing } from './exchange.ts';
import type { Limits } from './options.ts';
import { createOutbox, isBrokenConnection, type ResponseContext, respond, stopStream } from './respond.ts';

interface RequestHandlerOptions
  extends Pick<AdmitContext, 'state' | 'authenticate' | 'anonymous' | 'authorizer' | 'classifyFlow' | 'impersonate'>,
    Pick<ResponseContext, 'onError'> {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly auditId: () => string;
  readonly connections: ServerConnections;
}

/** Passes requests from sockets to a route and sends the answers of the route. */
export interface RequestHandler {
  handle(incoming: Incoming, response: Outgoing, awaitsContinue: boolean): void;
  /** Ends all watches. */
  endLongRunning(): void;
  /** Resolves when no request is being answered. */
  waitUntilIdle(): Promise<void>;
  /** Aborts the remaining requests and cancels timers. */
  stop(): void;
}

export function createRequestHandler(route: Route, options: RequestHandlerOptions): RequestHandler {
  const context = createContext(route, options);
  const { activeExchanges, deadlines, connectionQueues, limits } = context;
  return {
    handle(incoming, response, awaitsContinue) {
      const exchange = new Exchange(incoming, response, { bodyLimit: limits.bodyBytes, awaitsContinue });
      response.once('close', () => end(exchange, context));
      if (exchange.isHttp2 || connectionQueues.enqueue(exchange)) begin(exchange, context);
    },
    endLongRunning() {
      // Waiting answers are sent first: they are complete even if the request is counted as a watch because of its path.
      context.responseContext.outbox.flush();
      for (const exchange of activeExchanges) if (exchange.isLongRunning) endEarly(exchange, context);
    },
    waitUntilIdle: () =>
      new Promise((resolve) => {
        if (activeExchanges.size === 0) resolve();
        else context.idleCallbacks.push(resolve);
      }),
    stop() {
      for (const exchange of activeExchanges) exchange.abort();
      deadlines.clear();
    },
  };
}

interface Context {
  readonly route: Route;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly admitContext: AdmitContext;
  readonly responseContext: ResponseContext;
  readonly connections: ServerConnections;
  readonly connectionQueues: ConnectionQueues;
  readonly deadlines: Deadlines<Exchange>;
  readonly activeExchanges: Set<Exchange>;
  readonly idleCallbacks: (() => void)[];
}

function createContext(route: Route, { clock, limits, auditId, onError, connections, ...admitOptions }: RequestHandlerOptions): Context {
  const setDeadline = (exchange: Exchange, milliseconds: number): void => {
    exchange.deadline = clock.now() + milliseconds;
    if (!exchange.isClosed) context.deadlines.add(exchange);
  };
  const context: Context = {
    route,
    clock,
    limits,
    admitContext: { ...admitOptions, requestMs: limits.requestMs, maxInFlight: limits.inFlight, setDeadline },
    responseContext: {
      clock,
      stallMs: limits.stallMs,
      auditId: ({ headers }) => headers['audit-id']?.slice(0, 64) ?? auditId(),
      isLastOnConnection: () => admitOptions.state.closing,
      onError: safeObserver(onError),
      outbox: createOutbox(),
      // Closes the connection if the client does not read the end of a finished watch.
      onWritten: (exchange) => exchange.isLongRunning && setDeadline(exchange, limits.requestMs),
    },
    connections,
    connectionQueues: createConnectionQueues(),
    deadlines: createDeadlines(clock, (exchange) => expire(exchange, context)),
    activeExchanges: new Set(),
    idleCallbacks: [],
  };
  return context;
}

function begin(exchange: Exchange, context: Context): void {
  exchange.startedAt = context.clock.now();
  context.activeExchanges.add(exchange);
  if (hasSeveralHosts(exchange.incoming.rawHeaders)) {
    refuseMalformed(exchange);
    return;
  }
  try {
    const refusal = admit(exchange, context.admitContext);
    context.connections.hold(exchange.incoming, exchange.response);
    const answer = refusal ?? context.route(exchange);
    if (answer instanceof Promise) {
      answer.then(
        (result) => sendAnswer(exchange, result, context),
        (error) => fail(exchange, error, context),
      );
    } else sendAnswer(exchange, answer ?? createPageNotFoundAnswer(), context);
  } catch (error) {
    fail(exchange, error, context);
  }
}

/** Answers a request that net/http of Go cannot read, with the text of its server. */
function refuseMalformed(exchange: Exchange): void {
  exchange.isAnswered = true;
  exchange.isLastOnConnection = true;
  exchange.response.writeHead(400, ['Content-Type', 'text/plain; charset=utf-8', 'Connection', 'close']).end('400 Bad Request');
}

function sendAnswer(exchange: Exchange, answer: HttpAnswer, { responseContext }: Context): void {
  try {
    respond(exchange, answer, responseContext);
  } catch (error) {
    responseContext.onError(error, exchange);
    if (exchange.isAnswered) exchange.response.destroy();
    else respond(exchange, createStatusAnswer(createPanicError().status, exchange), responseContext);
  }
}

function fail(exchange: Exchange, error: unknown, context: Context): void {
  if (isBrokenConnection(error)) {
    exchange.response.destroy();
    return;
  }
  const isExpected = error instanceof ApiError;
  // Errors caused by the client's disconnect are not reported.
  if (!isExpected && !exchange.aborted) context.responseContext.onError(error, exchange);
  const { status } = isExpected ? error : createPanicError();
  if (!acceptsYaml(exchange)) sendAnswer(exchange, createStatusAnswer(status, exchange), context);
  else void createYamlStatusAnswer(status).then((answer) => sendAnswer(exchange, answer, context));
}

function end(exchange: Exchange, context: Context): void {
  if (exchange.isClosed) return;
  exchange.isClosed = true;
  context.activeExchanges.delete(exchange);
  context.deadlines.delete(exchange);
  if (!exchange.response.writableFinished) exchange.abort();
  if (exchange.source) stopStream(exchange.source, exchange, context.responseContext);
  release(exchange, context.admitContext.state, context.clock.now());
  const next = context.connectionQueues.dequeue(exchange);
  if (next && (exchange.isLastOnConnection || next.incoming.socket.destroyed)) {
    next.isLastOnConnection = exchange.isLastOnConnection;
    end(next, context);
  } else if (next) begin(next, context);
  if (context.activeExchanges.size === 0) for (const resolve of context.idleCallbacks.splice(0)) resolve();
}

/** Ends a request that exceeded its time, or whose client does not read the answer. */
function expire(exchange: Exchange, context: Context): void {
  exchange.abort();
  if (exchange.isAnswered) {
    exchange.response.destroy();
    return;
  }
  // Limits the time for reading the error as well.
  context.admitContext.setDeadline(exchange, context.limits.requestMs);
  fail(exchange, createTimeoutError(), context);
}

function endEarly(exchange: Exchange, context: Context): void {
  exchange.abort();
  if (exchange.source) stopStream(exchange.source, exchange, context.responseContext);
  if (exchange.isAnswered) exchange.response.end();
  else fail(exchange, createShutdownError(), context);
}

/** Processes the requests of a connection one after the other, as Go's server does, because clients may rely on their order. */
export interface ConnectionQueues {
  /** @returns whether the request may start; otherwise it starts after the previous request ends */
  enqueue(exchange: Exchange): boolean;
  /** @returns the request that starts next */
  dequeue(exchange: Exchange): Exchange | undefined;
}

export function createConnectionQueues(): ConnectionQueues {
  const queues = new WeakMap<object, RequestQueue>();
  return {
    enqueue(exchange) {
      const { socket } = exchange.incoming;
      let queue = queues.get(socket);
      if (!queue) {
        queue = { last: undefined, waitingCount: 0 };
        queues.set(socket, queue);
      }
      const previous = queue.last;
      queue.last = exchange;
      if (!previous) return true;
      previous.next = exchange;
      queue.waitingCount += 1;
      if (queue.waitingCount > maxWaitingRequests) socket.destroy();
      return false;
    },
    dequeue(exchange) {
      const queue = queues.get(exchange.incoming.socket);
      if (!queue) return undefined;
      if (queue.last === exchange) queue.last = undefined;
      if (exchange.next) queue.waitingCount -= 1;
      return exchange.next;
    },
  };
}

interface RequestQueue {
  last: Exchange | undefined;
  waitingCount: number;
}

/** Maximum number of pipelined requests; the connection is closed if there are more. */
const maxWaitingRequests = 100;
