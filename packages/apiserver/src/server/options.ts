import { isIP } from 'node:net';
import type { HttpRequest } from '../http/exchange.ts';
import type { Clock } from '../store/index.ts';
import { checkToken, type Token } from './authentication.ts';
import type { ServerState } from './state.ts';

export interface ListenOptions {
  /** Default: 127.0.0.1. Other hosts than loopback require `tokens` or `allowRemote`. */
  readonly host?: string;
  /** Default: 0, which is any free port. */
  readonly port?: number;
  /** Default: true, with a certificate from a newly created authority. */
  readonly tls?: boolean | TlsFiles;
  /** Further DNS names and IP addresses for the created certificate. */
  readonly serverNames?: readonly string[];
  /** The accepted tokens. Default: one new token for the administrator, or none if `anonymous` is set. */
  readonly tokens?: readonly Token[];
  /** Accepts requests without a token as system:anonymous. Then no token is created by default. */
  readonly anonymous?: boolean;
  /** Allows a host that is not loopback, even without `tokens` or with `anonymous`. */
  readonly allowRemote?: boolean;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** The source of tokens and serial numbers. Default: node:crypto. */
  readonly randomBytes?: (size: number) => Uint8Array;
  /** The operational routes must have the same state. */
  readonly state?: ServerState;
  /** Called with unexpected errors, and with the request that caused them, if any. */
  readonly onError?: (error: unknown, request?: HttpRequest) => void;
}

/** A key and certificates in PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  /** The authority to put into the kubeconfig. */
  readonly ca?: string;
}

export interface Limits {
  /** Bytes of a request body. Default: 3 MiB, as in kube-apiserver. */
  readonly bodyBytes: number;
  /** Bytes of the request line and all headers together. */
  readonly headerBytes: number;
  /**
   * Milliseconds until the headers must be complete, from the start of the connection or the previous request. For HTTP/1.1, node:http
   * enforces it with the system clock.
   */
  readonly headerMs: number;
  /** Milliseconds until a request must be answered; watches are exempt. */
  readonly requestMs: number;
  /** Milliseconds for which a client may stop reading the events of a watch. */
  readonly stallMs: number;
  /** Milliseconds after which an idle connection is closed. For HTTP/1.1, node:http enforces it, too. */
  readonly keepAliveMs: number;
  /** Beyond it, the oldest connection without a complete authenticated request is closed, else the longest idle one. */
  readonly connections: number;
  /** Concurrent requests, without watches. */
  readonly inFlight: number;
}

/** Times are those of kube-apiserver; `inFlight` is the sum of its limits for mutating and for other requests. */
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

/** The names in a created certificate. */
export const certificateNamesOf = ({
  host = '127.0.0.1',
  serverNames = [],
}: Pick<ListenOptions, 'host' | 'serverNames'>): readonly string[] => [...new Set(['localhost', '127.0.0.1', '::1', host, ...serverNames])];

/** Validates the options of `listen`. @throws RangeError if an option is invalid */
export function checkOptions({
  host = '127.0.0.1',
  port = 0,
  tokens,
  anonymous = false,
  allowRemote = false,
  limits,
  serverNames,
}: ListenOptions): void {
  if (host === '' || /[\s/?#@[\]]/.test(host)) throw new RangeError(`host ${JSON.stringify(host)} is neither a name nor an address`);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new RangeError(`port ${port} is not a number from 0 to 65535`);
  checkTokens(tokens);
  for (const name of serverNames ?? [])
    if (!isServerName(name)) throw new RangeError(`serverNames: ${JSON.stringify(name)} is neither a DNS name nor an IP address`);
  if (tokens?.length === 0 && !anonymous)
    throw new RangeError('tokens is empty and anonymous is false, so every request would be refused: add a token or set anonymous: true');
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (!(name in defaultLimits))
      throw new RangeError(`limits.${name} is not a limit; the limits are ${Object.keys(defaultLimits).join(', ')}`);
    if (!Number.isSafeInteger(value) || value <= 0) throw new RangeError(`limits.${name} must be a positive integer, not ${value}`);
  }
  if (isLoopback(host) || allowRemote) return;
  if (anonymous) throw new RangeError(`host ${host} is not loopback: anonymous requests from other machines need allowRemote: true`);
  if (!tokens)
    throw new RangeError(`host ${host} is not loopback: to accept requests from other machines, give tokens or set allowRemote: true`);
}

function checkTokens(tokens: readonly Token[] | undefined): void {
  tokens?.forEach((each, index) => {
    const token: unknown = each?.token;
    if (typeof token !== 'string') throw new RangeError(`tokens[${index}] has no token: give { token: "…" }`);
    checkToken(token);
    checkUser(`tokens[${index}].user`, each.user);
  });
}

/** @throws RangeError that names the invalid field */
function checkUser(path: string, user: unknown): void {
  if (user === undefined) return;
  const { username, groups } = (user ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof username !== 'string' || username === '') throw new RangeError(`${path} has no username: give { username: "…", groups: […] }`);
  if (!Array.isArray(groups) || groups.some((group) => typeof group !== 'string'))
    throw new RangeError(`${path}.groups is not a list of names: give { username: "…", groups: […] }`);
}

/** A DNS name, which may start with a wildcard label, or an IP address. */
const isServerName = (name: unknown): boolean =>
  typeof name === 'string' &&
  (isIP(name) !== 0 || /^(?:\*\.)?[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*$/i.test(name));

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
