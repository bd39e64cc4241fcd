import { printedName } from './printed-name.ts';
import type { DnsRecord } from './records.ts';

/** A record as it stands in a zone file, its fields separated by single spaces: "web.shop.svc.cluster.local. 5 IN A 10.0.0.1". */
export const formatRecord = (record: DnsRecord): string => `${printedName(record.name)} ${record.ttl} IN ${record.type} ${dataOf(record)}`;

function dataOf(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address;
    case 'SRV':
      return `${record.priority} ${record.weight} ${record.port} ${printedName(record.target)}`;
    case 'TXT':
      return record.texts.map(quoted).join(' ');
    case 'SOA':
      return `${printedName(record.mname)} ${printedName(record.rname)} ${numbersOf(record).join(' ')}`;
    default:
      return printedName(record.target);
  }
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const numbersOf = ({ serial, refresh, retry, expire, minimum }: Extract<DnsRecord, { type: 'SOA' }>): readonly number[] => [
  serial,
  refresh,
  retry,
  expire,
  minimum,
];
