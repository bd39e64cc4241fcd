import { canonicalIP } from '../apimachinery/index.ts';
import { isDNS1123Subdomain } from '../apimachinery/names.ts';
import type { Optional } from '../types/index.ts';
import { CloudError } from './cloud.ts';
import type { LoadBalancerIngress, LoadBalancerStatus } from './objects.ts';

/**
 * Validates a status returned by a cloud; fields unknown to the API are dropped.
 * @throws CloudError 'Failed' naming the field if the status is invalid
 */
export function readStatus(answer: unknown): LoadBalancerStatus {
  const { ingress } = recordAt(answer, 'status');
  if (ingress === undefined || ingress === null) return {};
  if (!Array.isArray(ingress)) throw invalidStatus('status.ingress', 'a list', ingress);
  return ingress.length > 0 ? { ingress: ingress.map((each, at) => readIngress(each, `status.ingress[${at}]`)) } : {};
}

/**
 * Whether two statuses are equal. Absent equals empty, and an absent IP mode equals "VIP", the API server's default.
 *
 * Mirrors LoadBalancerStatusEqual (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go), except for the IP mode.
 */
export const sameStatus = (a: Optional<LoadBalancerStatus>, b: Optional<LoadBalancerStatus>): boolean =>
  JSON.stringify((a?.ingress ?? []).map(comparable)) === JSON.stringify((b?.ingress ?? []).map(comparable));

const comparable = ({ ip, hostname, ipMode, ports }: LoadBalancerIngress): unknown => [
  ip || '',
  hostname || '',
  ipMode ?? (ip ? 'VIP' : ''),
  (ports ?? []).map(({ port, protocol, error }) => [port, protocol, error ?? null]),
];

function readIngress(value: unknown, path: string): LoadBalancerIngress {
  const { ip, hostname, ipMode, ports } = recordAt(value, path);
  const texts = {
    ...textAt(ip, 'ip', path),
    ...textAt(hostname, 'hostname', path),
    ...textAt(ipMode, 'ipMode', path),
  };
  if (texts.ip !== undefined && canonicalIP(texts.ip) === undefined) throw invalidStatus(`${path}.ip`, 'an IP address', ip);
  if (texts.hostname !== undefined && !isHostname(texts.hostname))
    throw invalidStatus(`${path}.hostname`, 'a lowercase DNS name', hostname);
  if (texts.ipMode !== undefined && !ipModes.has(texts.ipMode)) throw invalidStatus(`${path}.ipMode`, '"VIP" or "Proxy"', ipMode);
  if (texts.ipMode !== undefined && texts.ip === undefined) throw invalidStatus(`${path}.ipMode`, 'absent without an ip', ipMode);
  if (ports === undefined || ports === null) return texts;
  if (!Array.isArray(ports)) throw invalidStatus(`${path}.ports`, 'a list', ports);
  return ports.length > 0 ? { ...texts, ports: ports.map((each, at) => readPort(each, `${path}.ports[${at}]`)) } : texts;
}

function readPort(value: unknown, path: string): NonNullable<NonNullable<LoadBalancerIngress['ports']>[number]> {
  const { port, protocol, error } = recordAt(value, path);
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535) {
    throw invalidStatus(`${path}.port`, 'a port from 1 to 65535', port);
  }
  if (typeof protocol !== 'string' || !protocols.has(protocol)) throw invalidStatus(`${path}.protocol`, '"TCP", "UDP" or "SCTP"', protocol);
  if (error === undefined || error === null) return { port, protocol };
  if (typeof error !== 'string') throw invalidStatus(`${path}.error`, 'a string', error);
  return { port, protocol, error };
}

const ipModes: ReadonlySet<string> = new Set(['VIP', 'Proxy']);
const protocols: ReadonlySet<string> = new Set(['TCP', 'UDP', 'SCTP']);

const isHostname = (text: string): boolean => isDNS1123Subdomain(text) && canonicalIP(text) === undefined;

/** A text field; absent, null and empty are equivalent. */
function textAt<Name extends string>(value: unknown, name: Name, path: string): { readonly [name in Name]?: string } {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value !== 'string') throw invalidStatus(`${path}.${name}`, 'a string', value);
  return { [name]: value } as { readonly [name in Name]?: string };
}

function recordAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidStatus(path, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

const invalidStatus = (path: string, expected: string, value: unknown): CloudError =>
  new CloudError('Failed', `the cloud returned an invalid load balancer status: ${path} must be ${expected}, got ${describeValue(value)}`);

/** A short form of any value, including values that JSON cannot represent. */
function describeValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
