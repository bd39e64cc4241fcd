import type { EntryPort, ServiceEntry } from './entries.ts';
import { lowered } from './name.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import type { NameRequest } from './request.ts';

/** What is found at a port of a Service. */
export const portReason = ({ key }: ServiceEntry, { ports }: NameRequest): DnsReason =>
  reasonOf('ServicePort', { service: key, port: ports?.port || 'any', protocol: ports?.protocol || 'any' });

/** A port that a Service does not have; `there` are those that it has. */
export function portMissing(
  { key }: ServiceEntry,
  { ports }: NameRequest,
  there: Iterable<Pick<EntryPort, 'name' | 'protocol'>>,
): DnsReason {
  const names: string[] = [];
  for (const { name, protocol } of there) {
    const text = protocol === '' ? 'none' : lowered(`_${name || 'unnamed'}._${protocol}`);
    if (!names.includes(text)) names.push(text);
    if (names.length > listed) break;
  }
  return reasonOf('PortNotFound', { service: key, port: ports?.port ?? '', protocol: ports?.protocol ?? '', ports: listOf(names) });
}

/** An endpoint that a Service does not have; `there` are the names of those that it has. */
export function endpointMissing({ key }: ServiceEntry, endpoint: string, there: Iterable<string>): DnsReason {
  const names: string[] = [];
  for (const name of there) if (names.push(name) > listed) break;
  return reasonOf('EndpointNotFound', { service: key, endpoint, endpoints: listOf(names) });
}

/** A sentence does not list more than these. */
const listed = 5;

export const listOf = (names: readonly string[]): string =>
  names.length > listed ? `${names.slice(0, listed).join(', ')} and others` : names.join(', ');
