import { isIP } from 'node:net';
import type { HttpRequest } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import { checkToken, type Token } from './authentication.ts';
import type { ServerState } from './state.ts';

export interface ListenOptions {
  /** By default 127.0.0.1. Another one than loopback needs `tokens`, or `allowRemote`. */
  readonly host?: string;
  /** By default 0: any that is free. */
  readonly port?: number;
  /** By default true: with a certificate from an authority made for the occasion. */
  readonly tls?: boolean | TlsFiles;
  /** Further DNS names and IP addresses for that certificate. */
  readonly serverNames?: readonly string[];
  /** Who is let in. By default the administrator, with a token made for the occasion. */
  readonly tokens?: readonly Token[];
  /** Lets requests without a token in, as system:anonymous. Then no token is made. */
  readonly anonymous?: boolean;
  /** Says that the server may be reached from other machines with whatever protection the other options leave it. */
  readonly allowRemote?: boolean;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** Where tokens and the numbers of certificates come from; by default the source of node:crypto. */
  readonly randomBytes?: (size: number) => Uint8Array;
  /** Shared with the routes that report on the server. */
  readonly state?: ServerState;
  /** Told of what was thrown and is no answer, together with the request that brought it about. */
  readonly onError?: (error: unknown, request?: HttpRequest) => void;
}

/** In PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  /** For the kubeconfig: what clients are to trust. */
  readonly ca?: string;
}

export interface Limits {
  /** Of a request. By default 3 MiB, as kube-apiserver's. */
  readonly bodyBytes: number;
  /** Of all headers of a request, the line with its path included. */
  readonly headerBytes: number;
  /** Until the headers have to be there, from the connection or the request before. Watched by node:http on the machine's own clock. */
  readonly headerMs: number;
  /** Until a request has its answer, watches apart. */
  readonly requestMs: number;
  /** For which a client may keep the events of a watch waiting. */
  readonly stallMs: number;
  /** For which a connection without requests is kept. Watched by node:http, too. */
  readonly keepAliveMs: number;
  readonly connections: number;
  /** Requests that are answered at the same time, watches apart. */
  readonly inFlight: number;
}

/** Times as kube-apiserver's; requests in flight as many as it lets in altogether. */
export const defaultLimits: Limits = {
  bodyBytes: 3 * 1024 * 1024,
  headerBytes: 256 * 1024,
  headerMs: 32_000,
  requestMs: 60_000,
  stallMs: 60_000,
  keepAliveMs: 90_000,
  connections: 4096,
  inFlight: 600,
};

/** @throws RangeError for options that cannot be meant */
export function checkOptions({
  host = '127.0.0.1',
  port = 0,
  tokens,
  anonymous = false,
  allowRemote = false,
  limits,
  serverNames,
}: ListenOptions): void {
  if (host === '' || /[\s/?#@[\]]/.test(host)) throw new RangeError(`host ${JSON.stringify(host)} is no name and no address`);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new RangeError(`port ${port} is not a number from 0 to 65535`);
  checkTokens(tokens);
  for (const name of serverNames ?? [])
    if (!isServerName(name)) throw new RangeError(`serverNames: ${JSON.stringify(name)} is no DNS name and no IP address`);
  if (tokens?.length === 0 && !anonymous)
    throw new RangeError('without tokens nobody could come in: give one, or let anonymous requests in');
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (!(name in defaultLimits)) throw new RangeError(`limits.${name} is no limit: there are ${Object.keys(defaultLimits).join(', ')}`);
    if (!Number.isSafeInteger(value) || value <= 0) throw new RangeError(`limits.${name} has to be a positive whole number, not ${value}`);
  }
  if (isLoopback(host) || allowRemote) return;
  if (anonymous) throw new RangeError(`host ${host} is not loopback: anonymous requests from other machines need allowRemote: true`);
  if (!tokens)
    throw new RangeError(`host ${host} is not loopback: to be reached from other machines, give tokens or say allowRemote: true`);
}

function checkTokens(tokens: readonly Token[] | undefined): void {
  tokens?.forEach((each, at) => {
    const token: unknown = each?.token;
    if (typeof token !== 'string') throw new RangeError(`tokens[${at}] has no token: give { token: "…" }`);
    checkToken(token);
  });
}

/** A name, perhaps with a wildcard for its first label, or an address. */
const isServerName = (name: unknown): boolean =>
  typeof name === 'string' &&
  (isIP(name) !== 0 || /^(?:\*\.)?[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*$/i.test(name));

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
