import { askedIn } from './answerer.ts';
import { lowered } from './name.ts';
import { isDefaultServer } from './name-servers.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import { type Asked, isReason, type NameRequest, parseRequest } from './request.ts';
import { addressOfReverse } from './reverse.ts';
import { type DnsConfig, isReverseName, readConfig } from './settings.ts';

/**
 * What a name is of. "tree" is "svc" or "pod" below the zone, "namespace" a namespace below one of these: they hold no records
 * themselves.
 */
export type NameKind = 'zone' | 'tree' | 'namespace' | 'service' | 'endpoint' | 'port' | 'pod' | 'reverse' | 'name-server' | 'version';

/** A name taken apart, in lower case. What it does not say is left out. */
export interface ParsedRequest {
  readonly kind: NameKind;
  /** The zone that it is in. */
  readonly zone: string;
  readonly namespace?: string;
  /** Of a Service. */
  readonly service?: string;
  /** "10-0-0-1", of a pod. */
  readonly pod?: string;
  readonly endpoint?: string;
  /** Without the underscore; empty for any. */
  readonly port?: string;
  readonly protocol?: string;
  /** Of a reverse name. */
  readonly address?: string;
}

/** What a name asks for, or why it asks for nothing. */
export type ParsedName =
  | { readonly request: ParsedRequest; readonly reason?: undefined }
  | { readonly request?: undefined; readonly reason: DnsReason };

/**
 * What a name asks for by its form alone, whatever there is in the cluster.
 *
 * @throws RangeError where the configuration is out of range
 */
export function parseName(name: string, config: DnsConfig = {}): ParsedName {
  const asked = askedIn(readConfig(config), name);
  if ('code' in asked) return { reason: asked };
  const zone = lowered(asked.zone);
  const address = addressOfReverse(asked.lower);
  if (address !== undefined) return { request: { kind: 'reverse', zone, address } };
  if (isDefaultServer(asked)) return { request: { kind: 'name-server', zone } };
  if (asked.base === 'dns-version') return { request: { kind: 'version', zone } };
  const request = parseRequest(asked);
  if (isReason(request)) return { reason: request };
  if (request.tree !== '' && isReverseName(asked.lower)) return { reason: reasonOf('NameIsReverse', { name: asked.name }) };
  return { request: { zone, ...partsOf(asked, request) } };
}

function partsOf({ base }: Asked, { tree, namespace, service, endpoint, ports }: NameRequest): Omit<ParsedRequest, 'zone'> {
  if (tree === '') return { kind: base === '' ? 'zone' : 'tree' };
  if (service === '') return { kind: 'namespace', namespace };
  if (tree === 'pod') return { kind: 'pod', namespace, pod: service };
  if (endpoint !== '') return { kind: 'endpoint', namespace, service, endpoint };
  return ports ? { kind: 'port', namespace, service, ...ports } : { kind: 'service', namespace, service };
}
