import { canonicalIP } from '../apimachinery/index.ts';
import { TraceError } from './objects.ts';

/** A parsed target. */
export interface Target {
  /** The name or address, without port and protocol. A name is unchanged; an address is in canonical form. */
  readonly host: string;
  readonly isAddress: boolean;
  /** Name or number of a port. */
  readonly port?: string;
  /** Absent if the target names no protocol. */
  readonly protocol?: Protocol;
}

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** Removes the user name and password of a URL. */
export const hideCredentials = (text: string): string => text.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');

/**
 * Parses a name, an address or a URL, with an optional port and protocol.
 * @throws TraceError saying what is wrong and what to pass instead
 */
export function parseTarget(text: string): Target {
  if (typeof text !== 'string') throw new TraceError(`target: give a name such as "web.shop:http", or an address, not ${String(text)}`);
  const target = hideCredentials(text)
    .trim()
    .replace(/^(?:svc|services?)\//, '');
  if (target === '') throw new TraceError('the target is empty: give a name such as "web.shop:http", or an address');
  if (target.length > maxTargetLength)
    throw new TraceError(`the target has ${target.length} characters: give a name of at most 253, and a port`);
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(target);
  const scheme = (url?.[1] ?? '').toLowerCase();
  const [rest, protocol] = url ? [url[2] ?? '', protocols.find((name) => name.toLowerCase() === scheme)] : splitProtocol(target);
  const { host, port = url ? schemePorts[scheme] : undefined } = splitPort(rest, target);
  const address = canonicalIP(host);
  if (address === undefined) checkName(host, target);
  return {
    host: address ?? host,
    isAddress: address !== undefined,
    ...(port !== undefined && { port: parsePort(port, target) }),
    ...(protocol !== undefined && { protocol }),
  };
}

/** Long enough for a name of 253 characters with dots, port and protocol, and for common URLs. */
const maxTargetLength = 2048;

const protocols = ['TCP', 'UDP', 'SCTP'] as const;

const schemePorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443' };

function splitProtocol(text: string): [string, Protocol | undefined] {
  const [rest = '', protocol, ...more] = text.split('/');
  if (protocol === undefined) return [rest, undefined];
  const protocolName = protocols.find((name) => name === protocol.toUpperCase());
  if (more.length > 0 || !protocolName)
    throw createTargetError(text, 'the part after "/" is not a protocol: give TCP, UDP or SCTP, or write NAME.NAMESPACE');
  return [rest, protocolName];
}

function splitPort(text: string, target: string): { readonly host: string; readonly port?: string } {
  const bracketMatch = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketMatch) {
    if (!canonicalIP(bracketMatch[1] ?? '')?.includes(':'))
      throw createTargetError(target, 'the part in brackets is not an IPv6 address: give "[fd00::1]:80"');
    return { host: bracketMatch[1] ?? '', ...(bracketMatch[2] !== undefined && { port: bracketMatch[2] }) };
  }
  if (canonicalIP(text) !== undefined) return { host: text };
  const [host = '', port, ...more] = text.split(':');
  if (more.length > 0) throw createTargetError(target, 'it has several colons: give NAME, NAME:PORT or [IPV6]:PORT');
  return { host, ...(port !== undefined && { port }) };
}

function checkName(name: string, target: string): void {
  const labels = name.replace(/\.$/, '').split('.');
  if (name === '') throw createTargetError(target, 'it has no name: give one before the port');
  if (name.length > 254) throw createTargetError(target, `the name has ${name.length} characters: give at most 253`);
  for (const label of labels) {
    if (label === '') throw createTargetError(target, 'the name has an empty label: give one dot between labels');
    if (label.length > 63)
      throw createTargetError(target, `the label "${label.slice(0, 20)}..." has ${label.length} characters: give at most 63`);
    if (!/^[a-z0-9_*](?:[-a-z0-9_]*[a-z0-9_])?$/i.test(label))
      throw createTargetError(target, `the label ${JSON.stringify(label)} is invalid: give letters, digits and "-", not "-" at either end`);
  }
}

function parsePort(port: string, target: string): string {
  if (/^\d+$/.test(port)) {
    if (port.length <= 5 && Number(port) >= 1 && Number(port) <= 65_535) return String(Number(port));
    throw createTargetError(target, `the port ${port.slice(0, 20)} is out of range: give a number from 1 to 65535, or the name of a port`);
  }
  if (/^(?=.*[a-z])[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/i.test(port)) return port.toLowerCase();
  throw createTargetError(target, 'the part after ":" is not a port: give its number, or its name in the Service');
}

const createTargetError = (target: string, problem: string): TraceError => {
  const shortTarget = target.length > 60 ? `${target.slice(0, 60)}...` : target;
  return new TraceError(`target ${JSON.stringify(shortTarget)}: ${problem}`);
};
