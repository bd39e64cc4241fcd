import type { IncomingMessage, ServerResponse } from 'node:http';
import { safeObserver } from 'kube-endpoints/internal';
import { ApiError } from 'kube-endpoints/port';
import type { HttpAnswer, Route } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import { admit, type Gate, release } from './admit.ts';
import { pageNotFound, panicked, shuttingDown, statusAnswer, timedOut } from './answers.ts';
import { createDeadlines, type Deadlines } from './deadlines.ts';
import { Exchange } from './exchange.ts';
import type { Limits } from './options.ts';
import { createOutbox, isBrokenConnection, type Responding, respond, stop } from './respond.ts';

interface ServingOptions extends Pick<Gate, 'state' | 'authenticate' | 'anonymous'>, Pick<Responding, 'onError'> {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Creates a unique ID for each answer. */
  readonly auditId: () => string;
}

/** Passes requests from sockets to a route and sends its answers. */
export interface Serving {
  arrive(incoming: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void;
  /** Ends all watches. */
  endLongRunning(): void;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
  /** Aborts the remaining requests and cancels timers. */
  stop(): void;
}

export function createServing(route: Route, options: ServingOptions): Serving {
  const context = createContext(route, options);
  const { live, deadlines, connections, limits } = context;
  return {
    arrive(incoming, response, awaitsContinue) {
      const exchange = new Exchange(incoming, response, { body: limits.bodyBytes, awaitsContinue });
      response.once('close', () => end(exchange, context));
      if (connections.join(exchange)) begin(exchange, context);
    },
    endLongRunning() {
      // Waiting answers are sent first: they are complete even if the request is counted as a watch because of its path.
      context.responding.outbox.flush();
      for (const exchange of live) if (exchange.longRunning) endEarly(exchange, context);
    },
    idle: () =>
      new Promise((resolve) => {
        if (live.size === 0) resolve();
        else context.whenIdle.push(resolve);
      }),
    stop() {
      for (const exchange of live) exchange.abort();
      deadlines.clear();
    },
  };
}

interface Context {
  readonly route: Route;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly gate: Gate;
  readonly responding: Responding;
  readonly connections: Connections;
  readonly deadlines: Deadlines<Exchange>;
  /** The requests that are being answered. */
  readonly live: Set<Exchange>;
  readonly whenIdle: (() => void)[];
}

function createContext(route: Route, { clock, limits, auditId, onError, ...gate }: ServingOptions): Context {
  const setDeadline = (exchange: Exchange, milliseconds: number): void => {
    exchange.deadline = clock.now() + milliseconds;
    if (!exchange.over) context.deadlines.add(exchange);
  };
  const context: Context = {
    route,
    clock,
    limits,
    gate: { ...gate, requestMs: limits.requestMs, inFlight: limits.inFlight, setDeadline },
    responding: {
      clock,
      stallMs: limits.stallMs,
      auditId: ({ headers }) => headers['audit-id']?.slice(0, 64) ?? auditId(),
      lastOnConnection: () => gate.state.closing,
      onError: safeObserver(onError),
      outbox: createOutbox(),
      // Closes the connection if the client does not read the end of a finished watch.
      onWritten: (exchange) => exchange.longRunning && setDeadline(exchange, limits.requestMs),
    },
    connections: createConnections(),
    deadlines: createDeadlines(clock, (exchange) => expire(exchange, context)),
    live: new Set(),
    whenIdle: [],
  };
  return context;
}

function begin(exchange: Exchange, context: Context): void {
  exchange.started = context.clock.now();
  context.live.add(exchange);
  try {
    const answer = admit(exchange, context.gate) ?? context.route(exchange);
    if (answer instanceof Promise) {
      answer.then(
        (settled) => sendAnswer(exchange, settled, context),
        (error) => fail(exchange, error, context),
      );
    } else sendAnswer(exchange, answer ?? pageNotFound(), context);
  } catch (error) {
    fail(exchange, error, context);
  }
}

function sendAnswer(exchange: Exchange, answer: HttpAnswer, { responding }: Context): void {
  try {
    respond(exchange, answer, responding);
  } catch (error) {
    responding.onError(error, exchange);
    if (exchange.answered) exchange.response.destroy();
    else respond(exchange, statusAnswer(panicked().status, exchange), responding);
  }
}

function fail(exchange: Exchange, error: unknown, context: Context): void {
  if (isBrokenConnection(error)) {
    exchange.response.destroy();
    return;
  }
  const expected = error instanceof ApiError;
  // Errors caused by the client's disconnect are not reported.
  if (!expected && !exchange.aborted) context.responding.onError(error, exchange);
  sendAnswer(exchange, statusAnswer((expected ? error : panicked()).status, exchange), context);
}

function end(exchange: Exchange, context: Context): void {
  if (exchange.over) return;
  exchange.over = true;
  context.live.delete(exchange);
  context.deadlines.delete(exchange);
  if (!exchange.response.writableFinished) exchange.abort();
  if (exchange.source) stop(exchange.source, exchange, context.responding);
  release(exchange, context.gate.state, context.clock.now());
  const next = context.connections.leave(exchange);
  if (next?.incoming.socket.destroyed) end(next, context);
  else if (next) begin(next, context);
  if (context.live.size === 0) for (const settle of context.whenIdle.splice(0)) settle();
}

/** Ends a request that exceeded its time, or whose client does not read the answer. */
function expire(exchange: Exchange, context: Context): void {
  exchange.abort();
  if (exchange.answered) {
    exchange.response.destroy();
    return;
  }
  // Limits the time for reading the error as well.
  context.gate.setDeadline(exchange, context.limits.requestMs);
  fail(exchange, timedOut(), context);
}

function endEarly(exchange: Exchange, context: Context): void {
  exchange.abort();
  if (exchange.source) stop(exchange.source, exchange, context.responding);
  if (exchange.answered) exchange.response.end();
  else fail(exchange, shuttingDown(), context);
}

/** Processes the requests of a connection one after the other, as Go's server does: clients may rely on their order. */
export interface Connections {
  /** @returns whether the request may start; otherwise it starts after the previous one leaves */
  join(exchange: Exchange): boolean;
  /** @returns the request that starts next */
  leave(exchange: Exchange): Exchange | undefined;
}

export function createConnections(): Connections {
  const queues = new WeakMap<object, RequestQueue>();
  return {
    join(exchange) {
      const { socket } = exchange.incoming;
      let queue = queues.get(socket);
      if (!queue) {
        queue = { last: undefined, waiting: 0 };
        queues.set(socket, queue);
      }
      const before = queue.last;
      queue.last = exchange;
      if (!before) return true;
      before.next = exchange;
      queue.waiting += 1;
      if (queue.waiting > maxWaitingRequests) socket.destroy();
      return false;
    },
    leave(exchange) {
      const queue = queues.get(exchange.incoming.socket);
      if (!queue) return undefined;
      if (queue.last === exchange) queue.last = undefined;
      if (exchange.next) queue.waiting -= 1;
      return exchange.next;
    },
  };
}

interface RequestQueue {
  last: Exchange | undefined;
  waiting: number;
}

/** Maximum number of pipelined requests; the connection is closed if there are more. */
const maxWaitingRequests = 100;
