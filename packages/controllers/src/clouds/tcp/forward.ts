import { connect, type Socket } from 'node:net';
import type { Clock } from 'kube-endpoints/port';

/** The destination of a connection. */
export interface Target {
  readonly node: string;
  readonly address: string;
  readonly port: number;
}

export interface Forwarding {
  /** Paused: none of its data has been read. */
  readonly client: Socket;
  /** The next target to try; undefined if none is left. */
  readonly next: () => Target | undefined;
  readonly connected: (target: Target) => void;
  readonly failed: (target: Target, error: Error) => void;
  /** No target was left, and the client was reset. */
  readonly refused: () => void;
  /** Both sides are closed. */
  readonly ended: () => void;
  readonly clock: Clock;
  readonly connectMs: number;
}

/** A connection through the load balancer. */
export interface Forwarded {
  /** The current target, connected or being tried. */
  readonly target: Target | undefined;
  destroy(): void;
}

/**
 * Connects a client to the first target that accepts, then forwards bytes in both directions with backpressure.
 * If one side ends its direction, the other direction stays open; a reset is passed on to the other side.
 */
export function forward(forwarding: Forwarding): Forwarded {
  const { client, next, connected, failed, refused, ended, clock, connectMs } = forwarding;
  const state: State = { target: undefined, upstream: undefined, gone: false, over: false };
  const end = (): void => {
    if (state.over || !state.gone || state.upstream?.destroyed === false) return;
    state.over = true;
    ended();
  };
  const tryNext = (): void => {
    state.target = client.destroyed ? undefined : next();
    if (state.target) tryIt(state.target);
    else giveUp();
  };
  const tryIt = (target: Target): void => {
    state.upstream = tryTarget(target, { clock, connectMs }, (upstream, error) => {
      if (!error) {
        connected(target);
        join(client, upstream);
        upstream.once('close', end);
        return;
      }
      if (!client.destroyed) failed(target, error);
      tryNext();
    });
  };
  const giveUp = (): void => {
    state.upstream = undefined;
    if (!client.destroyed) refused();
    reset(client);
    end();
  };
  // Errors are ignored here, because 'close' always follows and is handled.
  client.on('error', () => {});
  client.once('close', () => {
    state.gone = true;
    end();
    if (state.upstream?.connecting) state.upstream.destroy();
  });
  tryNext();
  return {
    get target() {
      return state.target;
    },
    destroy() {
      reset(client);
      if (state.upstream) reset(state.upstream);
    },
  };
}

interface State {
  target: Target | undefined;
  upstream: Socket | undefined;
  /** Whether the client has emitted 'close'. */
  gone: boolean;
  over: boolean;
}

interface Attempt {
  readonly clock: Clock;
  readonly connectMs: number;
}

/** Calls `done` once: with the connection, or with the error. */
function tryTarget({ address, port }: Target, { clock, connectMs }: Attempt, done: (upstream: Socket, error?: Error) => void): Socket {
  const upstream = connect({ host: address, port, allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
  let problem: Error | undefined;
  let open = false;
  const timer = clock.schedule(() => upstream.destroy(new Error(`it did not accept within ${connectMs} ms`)), connectMs);
  upstream.on('error', (error) => {
    problem = error;
  });
  upstream.once('connect', () => {
    open = true;
    timer.cancel();
    done(upstream);
  });
  upstream.once('close', () => {
    timer.cancel();
    if (!open) done(upstream, problem ?? new Error('the connection was closed'));
  });
  return upstream;
}

function join(client: Socket, upstream: Socket): void {
  const resets = (from: Socket, to: Socket): void => {
    // If both directions have ended, data still to be written to the other side is not cut off.
    from.once('close', (hadError) => {
      if (hadError || !from.readableEnded) reset(to);
    });
  };
  resets(client, upstream);
  resets(upstream, client);
  if (client.destroyed) {
    reset(upstream);
    return;
  }
  client.pipe(upstream);
  upstream.pipe(client);
}

/**
 * Closes both directions at once. Node.js cannot reset a socket while its FIN is being sent: the handle would stay open forever. In that
 * case all data has been written, so a plain close loses nothing.
 */
function reset(socket: Socket): void {
  const ending = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (ending || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
