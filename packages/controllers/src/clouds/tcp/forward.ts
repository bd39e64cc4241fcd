import { connect, type Socket } from 'node:net';
import type { Clock } from 'kube-endpoints/port';

/** Where a connection is forwarded to. */
export interface Target {
  readonly node: string;
  readonly address: string;
  readonly port: number;
}

export interface Forwarding {
  /** Paused: nothing has been read of it. */
  readonly client: Socket;
  /** The target to try next; undefined: there is none left. */
  readonly next: () => Target | undefined;
  readonly connected: (target: Target) => void;
  readonly failed: (target: Target, error: Error) => void;
  /** No target was left: the client was reset. */
  readonly refused: () => void;
  /** Both sides are closed. */
  readonly ended: () => void;
  readonly clock: Clock;
  readonly connectMs: number;
}

/** A connection through the load balancer. */
export interface Forwarded {
  /** To which it is forwarded, or is about to be. */
  readonly target: Target | undefined;
  destroy(): void;
}

/**
 * Connects a client to the first target that accepts, then hands on bytes in both directions, at the pace of the slower side.
 * The end of one direction leaves the other as it is; a reset on one side is one on the other.
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
  // An error is followed by the end, where it is seen to.
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
  /** Whether the client's close was heard of. */
  gone: boolean;
  over: boolean;
}

interface Attempt {
  readonly clock: Clock;
  readonly connectMs: number;
}

/** Calls back once: with the connection, or with why there is none. */
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
    // Where both directions have ended, what is still to be written to the other side goes on.
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
 * Ends both directions at once. While the end of its own side is on its way, Node.js cannot reset a socket: the handle would be left open
 * for good. All that there was to write is written by then, so that nothing is cut off where it is closed instead.
 */
function reset(socket: Socket): void {
  const ending = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (ending || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
