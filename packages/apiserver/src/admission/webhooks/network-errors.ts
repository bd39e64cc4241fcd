import type { Address } from './client.ts';

interface NetworkError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly errors?: readonly NetworkError[];
  /** The host name that the certificate does not cover. */
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

/** Translates a Node.js network error to Go's message, as the real server reports it. Unknown errors keep the message of Node.js. */
export function describeNetworkError(error: Error, to: Address): string {
  const [first = error] = (error as NetworkError).errors ?? [];
  const { code = '', message } = first as NetworkError;
  if (unknownAuthority.includes(code)) return `${unverified}certificate signed by unknown authority`;
  const known = Object.hasOwn(words, code) ? words[code] : undefined;
  return known ? known(first as NetworkError, to) : message;
}

const unverified = 'tls: failed to verify certificate: x509: ';

const unknownAuthority: readonly string[] = [
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

type Words = (error: NetworkError, to: Address) => string;

const dialing =
  (what: string): Words =>
  ({ address, port }, to) =>
    `dial tcp ${authorityOf(address ?? to.host, port ?? to.port)}: connect: ${what}`;
const lookingUp =
  (what: string): Words =>
  (_error, { host }) =>
    `dial tcp: lookup ${host}: ${what}`;
const outdated: Words = () => `${unverified}certificate has expired or is not yet valid`;
/** A server that answers without TLS is usually an HTTP server. */
const protocol: Words = ({ message }) =>
  /wrong version number|packet length too long/.test(message)
    ? 'http: server gave HTTP response to HTTPS client'
    : (message.split('\n')[0] as string);

const words: Readonly<Record<string, Words>> = {
  ECONNREFUSED: dialing('connection refused'),
  ETIMEDOUT: dialing('connection timed out'),
  EHOSTUNREACH: dialing('no route to host'),
  ENETUNREACH: dialing('network is unreachable'),
  ENOTFOUND: lookingUp('no such host'),
  EAI_AGAIN: lookingUp('Temporary failure in name resolution'),
  // If the peer just closes the connection, the error of Node.js does not name a system call.
  ECONNRESET: ({ message }, to) =>
    message.includes('read ECONNRESET') ? `read tcp ${authorityOf(to.host, to.port)}: read: connection reset by peer` : 'EOF',
  EPIPE: () => 'EOF',
  CERT_HAS_EXPIRED: outdated,
  CERT_NOT_YET_VALID: outdated,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host = '', cert }) => `${unverified}${otherName(host, cert?.subjectaltname ?? '')}`,
  EPROTO: protocol,
  ERR_SSL_WRONG_VERSION_NUMBER: protocol,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: protocol,
};

const authorityOf = (host: string, port: number): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Mirrors HostnameError.Error (Go, crypto/x509). */
function otherName(host: string, names: string): string {
  const own = (kind: string): string =>
    names
      .split(', ')
      .filter((name) => name.startsWith(kind))
      .map((name) => name.slice(kind.length))
      .join(', ');
  if (/^[\d.]+$/.test(host) || host.includes(':')) {
    const addresses = own('IP Address:');
    if (addresses === '') return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${addresses}, not ${host}`;
  }
  const domains = own('DNS:');
  return domains === ''
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${domains}, not ${host}`;
}
