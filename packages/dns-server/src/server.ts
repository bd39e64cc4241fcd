import { type DnsServerOptions, type DnsSettings, dnsSettingsOf } from './options.ts';
import { createResponder, type Responder } from './responder.ts';
import { openTcp, type TcpFace } from './tcp.ts';
import { openUdp, type UdpFace } from './udp.ts';

/** A DNS server over UDP and TCP on one port. */
export interface DnsServer {
  /** @throws the error of Node.js if it cannot listen, or an Error if the server is closed */
  listen(): Promise<DnsPlace>;
  /** Closes all connections and cancels queries to other servers. Can be called repeatedly. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DnsPlace {
  readonly address: string;
  readonly port: number;
}

/**
 * Creates a server that answers from a zone; it does nothing until `listen` is called.
 * @throws RangeError that names the invalid option
 */
export function createDnsServer(options: DnsServerOptions): DnsServer {
  const settings = dnsSettingsOf(options);
  const ended = new AbortController();
  let faces: Promise<readonly [UdpFace, TcpFace]> | undefined;
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    ended.abort(new Error('the server is closed'));
    const open = await faces?.catch(() => undefined);
    await Promise.all((open ?? []).map((face) => face.close()));
  };
  const close = (): Promise<void> => {
    closed ??= end();
    return closed;
  };
  const refuseClosed = (): void => {
    if (closed) throw new Error('the server is closed: make another one');
  };
  return {
    async listen() {
      refuseClosed();
      faces ??= openBoth(settings, createResponder(settings), ended.signal);
      const [udp] = await faces;
      refuseClosed();
      return { address: settings.address, port: udp.port };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A port that is free for UDP may be in use for TCP. If any port will do, others are tried. */
async function openBoth(
  settings: DnsSettings,
  responder: Responder,
  signal: AbortSignal,
  tries: number = mostTries,
): Promise<readonly [UdpFace, TcpFace]> {
  const udp = await openUdp(settings, responder, signal);
  try {
    return [udp, await openTcp(settings, udp.port, responder, signal)];
  } catch (error) {
    await udp.close();
    if (settings.port !== 0 || tries <= 1 || (error as { code?: string }).code !== 'EADDRINUSE') throw error;
    return openBoth(settings, responder, signal, tries - 1);
  }
}

const mostTries = 10;
