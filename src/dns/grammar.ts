import { splitAtZone } from './answerer.ts';
import { toLowerAscii } from './name.ts';
import { isDefaultServer } from './name-servers.ts';
import { createReason, type DnsReason } from './reasons.ts';
import { isReason, type NameRequest, parseRequest, type QueryName } from './request.ts';
import { parseReverseName } from './reverse.ts';
import { type DnsConfig, isReverseName, parseConfig } from './settings.ts';

/**
 * What a name refers to. "tree" is "svc" or "pod" directly below the zone; "namespace" is a namespace below "svc" or "pod". Names of these
 * two kinds exist without records.
 */
export type NameKind = 'zone' | 'tree' | 'namespace' | 'service' | 'endpoint' | 'port' | 'pod' | 'reverse' | 'name-server' | 'version';

/** The parts of a name, in lower case. Parts that the name does not contain are absent. */
export interface ParsedRequest {
  readonly kind: NameKind;
  /** The zone that contains the name. */
  readonly zone: string;
  readonly namespace?: string;
  /** Name of a Service. */
  readonly service?: string;
  /** Address label of a pod: "10-0-0-1". */
  readonly pod?: string;
  readonly endpoint?: string;
  /** Without the underscore; empty matches any port. */
  readonly port?: string;
  readonly protocol?: string;
  /** The address of a reverse name. */
  readonly address?: string;
}

/** The parsed name, or the reason why it cannot have records. */
export type ParsedName =
  | { readonly request: ParsedRequest; readonly reason?: undefined }
  | { readonly request?: undefined; readonly reason: DnsReason };

/**
 * Parses a name without looking at the cluster.
 *
 * @throws RangeError if the configuration is invalid
 */
export function parseName(name: string, config: DnsConfig = {}): ParsedName {
  const query = splitAtZone(parseConfig(config), name);
  if ('code' in query) return { reason: query };
  const zone = toLowerAscii(query.zone);
  const address = parseReverseName(query.lower);
  if (address !== undefined) return { request: { kind: 'reverse', zone, address } };
  if (isDefaultServer(query)) return { request: { kind: 'name-server', zone } };
  if (query.base === 'dns-version') return { request: { kind: 'version', zone } };
  const request = parseRequest(query);
  if (isReason(request)) return { reason: request };
  if (request.tree !== '' && isReverseName(query.lower)) return { reason: createReason('NameIsReverse', { name: query.name }) };
  return { request: { zone, ...extractParts(query, request) } };
}

function extractParts({ base }: QueryName, { tree, namespace, service, endpoint, ports }: NameRequest): Omit<ParsedRequest, 'zone'> {
  if (tree === '') return { kind: base === '' ? 'zone' : 'tree' };
  if (service === '') return { kind: 'namespace', namespace };
  if (tree === 'pod') return { kind: 'pod', namespace, pod: service };
  if (endpoint !== '') return { kind: 'endpoint', namespace, service, endpoint };
  return ports ? { kind: 'port', namespace, service, ...ports } : { kind: 'service', namespace, service };
}
