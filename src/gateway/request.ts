import { normalizeHost } from './hosts.ts';
import type { RouteRequest } from './result.ts';

/** A request with its defaults. */
export interface Request {
  readonly scheme: NonNullable<RouteRequest['scheme']>;
  /** In lower case, without the port. */
  readonly host: string;
  readonly sni: string;
  /** Undefined for TCP and UDP without a port. */
  readonly port: number | undefined;
  /** Without the query. */
  readonly path: string;
  /** The query with its "?", or empty. */
  readonly search: string;
  readonly method: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The first value of each name. */
  readonly query: ReadonlyMap<string, string>;
  readonly isGrpc: boolean;
}

const defaultPorts: Readonly<Record<string, number | undefined>> = { http: 80, https: 443, tls: 443, tcp: undefined, udp: undefined };

/** @throws RangeError if a field is invalid */
export function readRequest(request: RouteRequest): Request {
  const { scheme = 'http', host = '', sni = host, path: target = '/', method = 'GET', headers = {}, query = {} } = request;
  const port = request.port ?? defaultPorts[scheme];
  if (!Object.hasOwn(defaultPorts, scheme)) fail('scheme', scheme, `one of ${Object.keys(defaultPorts).join(', ')}`);
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) fail('port', port, 'a number from 1 to 65535');
  for (const [name, value] of Object.entries({ host, sni }))
    if (typeof value !== 'string' || /[\s/@]/.test(value)) fail(name, value, 'a host, without a scheme or path');
  if (typeof target !== 'string' || !target.startsWith('/')) fail('path', target, 'a path that starts with "/"');
  const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(target) ?? [];
  const parameters = [...Object.entries(query), ...new URLSearchParams(search)].reverse();
  const headerMap = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    scheme,
    host: normalizeHost(host),
    sni: normalizeHost(sni),
    port,
    path,
    search,
    method,
    headers: headerMap,
    query: new Map(parameters),
    isGrpc: /^application\/grpc\b/i.test(headerMap.get('content-type') ?? ''),
  };
}

function fail(field: string, value: unknown, expected: string): never {
  throw new RangeError(`${field} is ${JSON.stringify(value)}, but has to be ${expected}`);
}
