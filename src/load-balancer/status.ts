import { canonicalIP } from '../apimachinery/index.ts';
import { isDNS1123Subdomain } from '../apimachinery/names.ts';
import type { Optional } from '../types/index.ts';
import { CloudError } from './cloud.ts';
import type { LoadBalancerIngress, LoadBalancerStatus } from './objects.ts';

/**
 * Validates a status returned by a cloud; fields unknown to the API are dropped.
 * @throws CloudError 'Failed' if the status is invalid; its message names the field
 */
export function readStatus(answer: unknown): LoadBalancerStatus {
  const { ingress } = requireRecord(answer, 'status');
  if (ingress === undefined || ingress === null) return {};
  if (!Array.isArray(ingress)) throw createInvalidStatusError('status.ingress', 'a list', ingress);
  return ingress.length > 0 ? { ingress: ingress.map((each, i) => readIngress(each, `status.ingress[${i}]`)) } : {};
}

/**
 * Whether two statuses are equal. Absent equals empty, and an absent IP mode equals "VIP", the API server's default.
 *
 * Mirrors LoadBalancerStatusEqual (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go), except for the IP mode.
 */
export const isSameStatus = (a: Optional<LoadBalancerStatus>, b: Optional<LoadBalancerStatus>): boolean =>
  JSON.stringify((a?.ingress ?? []).map(toComparable)) === JSON.stringify((b?.ingress ?? []).map(toComparable));

const toComparable = ({ ip, hostname, ipMode, ports }: LoadBalancerIngress): unknown => [
  ip || '',
  hostname || '',
  ipMode ?? (ip ? 'VIP' : ''),
  (ports ?? []).map(({ port, protocol, error }) => [port, protocol, error ?? null]),
];

function readIngress(value: unknown, path: string): LoadBalancerIngress {
  const { ip, hostname, ipMode, ports } = requireRecord(value, path);
  const texts = {
    ...readText(ip, 'ip', path),
    ...readText(hostname, 'hostname', path),
    ...readText(ipMode, 'ipMode', path),
  };
  if (texts.ip !== undefined && canonicalIP(texts.ip) === undefined) throw createInvalidStatusError(`${path}.ip`, 'an IP address', ip);
  if (texts.hostname !== undefined && !isHostname(texts.hostname))
    throw createInvalidStatusError(`${path}.hostname`, 'a lowercase DNS name', hostname);
  if (texts.ipMode !== undefined && !ipModes.has(texts.ipMode))
    throw createInvalidStatusError(`${path}.ipMode`, '"VIP" or "Proxy"', ipMode);
  if (texts.ipMode !== undefined && texts.ip === undefined)
    throw createInvalidStatusError(`${path}.ipMode`, 'absent without an ip', ipMode);
  if (ports === undefined || ports === null) return texts;
  if (!Array.isArray(ports)) throw createInvalidStatusError(`${path}.ports`, 'a list', ports);
  return ports.length > 0 ? { ...texts, ports: ports.map((each, i) => readPort(each, `${path}.ports[${i}]`)) } : texts;
}

function readPort(value: unknown, path: string): NonNullable<NonNullable<LoadBalancerIngress['ports']>[number]> {
  const { port, protocol, error } = requireRecord(value, path);
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535) {
    throw createInvalidStatusError(`${path}.port`, 'a port from 1 to 65535', port);
  }
  if (typeof protocol !== 'string' || !protocols.has(protocol))
    throw createInvalidStatusError(`${path}.protocol`, '"TCP", "UDP" or "SCTP"', protocol);
  if (error === undefined || error === null) return { port, protocol };
  if (typeof error !== 'string') throw createInvalidStatusError(`${path}.error`, 'a string', error);
  return { port, protocol, error };
}

const ipModes: ReadonlySet<string> = new Set(['VIP', 'Proxy']);
const protocols: ReadonlySet<string> = new Set(['TCP', 'UDP', 'SCTP']);

const isHostname = (text: string): boolean => isDNS1123Subdomain(text) && canonicalIP(text) === undefined;

/** Reads a text field; absent, null and empty are equivalent. */
function readText<Name extends string>(value: unknown, name: Name, path: string): { readonly [name in Name]?: string } {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value !== 'string') throw createInvalidStatusError(`${path}.${name}`, 'a string', value);
  return { [name]: value } as { readonly [name in Name]?: string };
}

function requireRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createInvalidStatusError(path, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

const createInvalidStatusError = (path: string, expected: string, value: unknown): CloudError =>
  new CloudError('Failed', `the cloud returned an invalid load balancer status: ${path} must be ${expected}, got ${describeValue(value)}`);

/** A short form of any value, including values that JSON cannot represent. */
function describeValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
