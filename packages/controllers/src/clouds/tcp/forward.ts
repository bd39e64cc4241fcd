import { connect, type Socket } from 'node:net';
import type { Clock } from 'kube-endpoints/port';

/** The destination of a connection. */
export interface Target {
  readonly node: string;
  readonly address: string;
  readonly port: number;
}

export interface ForwardOptions {
  /** A paused connection whose data has not been read. */
  readonly client: Socket;
  /** Returns the next target to try; undefined if there is no other target. */
  readonly pickNextTarget: () => Target | undefined;
  readonly onConnected: (target: Target) => void;
  readonly onFailed: (target: Target, error: Error) => void;
  /** Called after all targets have failed and the client was reset. */
  readonly onRefused: () => void;
  /** Called when the client and the target connection are closed. */
  readonly onEnded: () => void;
  readonly clock: Clock;
  readonly connectMs: number;
}

/** A connection through the load balancer. */
export interface ForwardedConnection {
  /** The current target, connected or being tried. */
  readonly target: Target | undefined;
  destroy(): void;
}

/**
 * Connects a client to the first target that accepts, then forwards bytes in both directions with backpressure.
 * If one side ends its direction, the other direction stays open; a reset is passed on to the other side.
 */
export function forward(options: ForwardOptions): ForwardedConnection {
  const { client, pickNextTarget, onConnected, onFailed, onRefused, onEnded, clock, connectMs } = options;
  const state: State = { target: undefined, upstream: undefined, clientClosed: false, ended: false };
  const endIfClosed = (): void => {
    if (state.ended || !state.clientClosed || state.upstream?.destroyed === false) return;
    state.ended = true;
    onEnded();
  };
  const tryNext = (): void => {
    state.target = client.destroyed ? undefined : pickNextTarget();
    if (state.target) connectTo(state.target);
    else giveUp();
  };
  const connectTo = (target: Target): void => {
    state.upstream = tryTarget(target, { clock, connectMs }, (upstream, error) => {
      if (!error) {
        onConnected(target);
        pipeBothWays(client, upstream);
        upstream.once('close', endIfClosed);
        return;
      }
      if (!client.destroyed) onFailed(target, error);
      tryNext();
    });
  };
  const giveUp = (): void => {
    state.upstream = undefined;
    if (!client.destroyed) onRefused();
    reset(client);
    endIfClosed();
  };
  // Ignores errors, because 'close' follows each of them.
  client.on('error', () => {});
  client.once('close', () => {
    state.clientClosed = true;
    endIfClosed();
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
  clientClosed: boolean;
  ended: boolean;
}

/** Connects to a target. Calls `onResult` once, with the socket, and with an error if the connection failed. */
function tryTarget(
  { address, port }: Target,
  { clock, connectMs }: Pick<ForwardOptions, 'clock' | 'connectMs'>,
  onResult: (upstream: Socket, error?: Error) => void,
): Socket {
  const upstream = connect({ host: address, port, allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
  let connectError: Error | undefined;
  let isConnected = false;
  const timer = clock.schedule(() => upstream.destroy(new Error(`it did not accept within ${connectMs} ms`)), connectMs);
  upstream.on('error', (error) => {
    connectError = error;
  });
  upstream.once('connect', () => {
    isConnected = true;
    timer.cancel();
    onResult(upstream);
  });
  upstream.once('close', () => {
    timer.cancel();
    if (!isConnected) onResult(upstream, connectError ?? new Error('the connection was closed'));
  });
  return upstream;
}

function pipeBothWays(client: Socket, upstream: Socket): void {
  const forwardReset = (source: Socket, destination: Socket): void => {
    // If the source has ended normally, the destination is not reset, so that data that is still to be written is not lost.
    source.once('close', (hadError) => {
      if (hadError || !source.readableEnded) reset(destination);
    });
  };
  forwardReset(client, upstream);
  forwardReset(upstream, client);
  if (client.destroyed) {
    reset(upstream);
    return;
  }
  client.pipe(upstream);
  upstream.pipe(client);
}

/**
 * Closes both directions at once. Node.js cannot reset a socket while its FIN is being sent, because the handle would stay open forever. In
 * that case, all data has been written, so `destroy` loses nothing.
 */
function reset(socket: Socket): void {
  const isSendingFin = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (isSendingFin || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
