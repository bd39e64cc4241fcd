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

/** Translates a Node.js network error to Go's message, as kube-apiserver reports it. Unknown errors keep the message of Node.js. */
export function describeNetworkError(error: Error, target: Address): string {
  const [cause = error] = (error as NetworkError).errors ?? [];
  const { code = '', message } = cause as NetworkError;
  if (unknownAuthorityCodes.includes(code)) return `${verificationPrefix}certificate signed by unknown authority`;
  const format = Object.hasOwn(formatters, code) ? formatters[code] : undefined;
  return format ? format(cause as NetworkError, target) : message;
}

const verificationPrefix = 'tls: failed to verify certificate: x509: ';

const unknownAuthorityCodes: readonly string[] = [
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

type FormatMessage = (error: NetworkError, target: Address) => string;

const createDialFormatter =
  (reason: string): FormatMessage =>
  ({ address, port }, target) =>
    `dial tcp ${authorityOf(address ?? target.host, port ?? target.port)}: connect: ${reason}`;
const createLookupFormatter =
  (reason: string): FormatMessage =>
  (_error, { host }) =>
    `dial tcp: lookup ${host}: ${reason}`;
const formatInvalidDates: FormatMessage = () => `${verificationPrefix}certificate has expired or is not yet valid`;
/** Formats a TLS error as Go's error for an HTTP server if the server answered without TLS. */
const formatProtocolError: FormatMessage = ({ message }) =>
  /wrong version number|packet length too long/.test(message)
    ? 'http: server gave HTTP response to HTTPS client'
    : (message.split('\n')[0] as string);

const formatters: Readonly<Record<string, FormatMessage>> = {
  ECONNREFUSED: createDialFormatter('connection refused'),
  ETIMEDOUT: createDialFormatter('connection timed out'),
  EHOSTUNREACH: createDialFormatter('no route to host'),
  ENETUNREACH: createDialFormatter('network is unreachable'),
  ENOTFOUND: createLookupFormatter('no such host'),
  EAI_AGAIN: createLookupFormatter('Temporary failure in name resolution'),
  // If the peer just closes the connection, the error of Node.js does not name a system call.
  ECONNRESET: ({ message }, target) =>
    message.includes('read ECONNRESET') ? `read tcp ${authorityOf(target.host, target.port)}: read: connection reset by peer` : 'EOF',
  EPIPE: () => 'EOF',
  CERT_HAS_EXPIRED: formatInvalidDates,
  CERT_NOT_YET_VALID: formatInvalidDates,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host = '', cert }) =>
    `${verificationPrefix}${describeHostnameMismatch(host, cert?.subjectaltname ?? '')}`,
  EPROTO: formatProtocolError,
  ERR_SSL_WRONG_VERSION_NUMBER: formatProtocolError,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: formatProtocolError,
};

const authorityOf = (host: string, port: number): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Mirrors HostnameError.Error (Go, crypto/x509). */
function describeHostnameMismatch(host: string, names: string): string {
  const namesOfType = (prefix: string): string =>
    names
      .split(', ')
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .join(', ');
  if (/^[\d.]+$/.test(host) || host.includes(':')) {
    const addresses = namesOfType('IP Address:');
    if (addresses === '') return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${addresses}, not ${host}`;
  }
  const domains = namesOfType('DNS:');
  return domains === ''
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${domains}, not ${host}`;
}
