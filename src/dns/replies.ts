import type { DnsReply } from './answer.ts';
import { below } from './name-servers.ts';
import type { DnsRecord } from './records.ts';

/** Records in each section; what is found is said with authority. */
export const found = (answer: readonly DnsRecord[], additional: readonly DnsRecord[] = none): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: true,
  answer,
  authority: none,
  additional,
});

/** NODATA and NXDOMAIN: the SOA tells how long to remember it. */
export const negative = (rcode: 'NOERROR' | 'NXDOMAIN', soa: DnsRecord): DnsReply => ({
  rcode,
  authoritative: true,
  answer: none,
  authority: [soa],
  additional: none,
});

/** No answer at all but a code. */
export const refused = (rcode: 'FORMERR' | 'REFUSED' | 'SERVFAIL'): DnsReply => ({
  rcode,
  authoritative: false,
  answer: none,
  authority: none,
  additional: none,
});

/** Mirrors SOA (CoreDNS 1.14, plugin/backend_lookup.go). */
export const soaRecord = (zone: string, ttl: number, serial: number): DnsRecord => ({
  name: zone,
  ttl: Math.min(ttl, 300),
  type: 'SOA',
  mname: below('ns.dns', zone),
  rname: below('hostmaster', zone),
  serial,
  refresh: 7200,
  retry: 1800,
  expire: 86400,
  minimum: ttl,
});

const none: readonly DnsRecord[] = Object.freeze([]);
