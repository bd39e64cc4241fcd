import { type DnsServerOptions, type DnsSettings, validateDnsOptions } from './options.ts';
import { createResponder, type Responder } from './responder.ts';
import { openTcp, type TcpListener } from './tcp.ts';
import { openUdp, type UdpListener } from './udp.ts';

/** A DNS server over UDP and TCP on one port. */
export interface DnsServer {
  /** @throws the error of Node.js if it cannot listen, or an Error if the server is closed */
  listen(): Promise<DnsServerAddress>;
  /** Closes all connections and cancels queries to other servers. Can be called repeatedly. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DnsServerAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * Creates a server that answers from a zone; it does nothing until `listen` is called.
 * @throws RangeError that names the invalid option
 */
export function createDnsServer(options: DnsServerOptions): DnsServer {
  const settings = validateDnsOptions(options);
  const shutdownController = new AbortController();
  let listeners: Promise<readonly [UdpListener, TcpListener]> | undefined;
  let closePromise: Promise<void> | undefined;
  const shutDown = async (): Promise<void> => {
    shutdownController.abort(new Error('the server is closed'));
    const openListeners = await listeners?.catch(() => undefined);
    await Promise.all((openListeners ?? []).map((listener) => listener.close()));
  };
  const close = (): Promise<void> => {
    closePromise ??= shutDown();
    return closePromise;
  };
  const throwIfClosed = (): void => {
    if (closePromise) throw new Error('the server is closed: create a new one');
  };
  return {
    async listen() {
      throwIfClosed();
      listeners ??= openUdpAndTcp(settings, createResponder(settings), shutdownController.signal);
      const [udp] = await listeners;
      throwIfClosed();
      return { address: settings.address, port: udp.port };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Retries with another port if `port` is 0, because a port that is free for UDP may be in use for TCP. */
async function openUdpAndTcp(
  settings: DnsSettings,
  responder: Responder,
  signal: AbortSignal,
  triesLeft: number = maxPortTries,
): Promise<readonly [UdpListener, TcpListener]> {
  const udp = await openUdp(settings, responder, signal);
  try {
    return [udp, await openTcp(settings, udp.port, responder, signal)];
  } catch (error) {
    await udp.close();
    if (settings.port !== 0 || triesLeft <= 1 || (error as { code?: string }).code !== 'EADDRINUSE') throw error;
    return openUdpAndTcp(settings, responder, signal, triesLeft - 1);
  }
}

const maxPortTries = 10;
