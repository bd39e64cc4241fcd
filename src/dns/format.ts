import type { DnsRecord } from './records.ts';

/** A record as it stands in a zone file, its fields separated by single spaces: "web.shop.svc.cluster.local. 5 IN A 10.0.0.1". */
export const formatRecord = (record: DnsRecord): string => `${escaped(record.name)} ${record.ttl} IN ${record.type} ${dataOf(record)}`;

function dataOf(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address;
    case 'SRV':
      return `${record.priority} ${record.weight} ${record.port} ${escaped(record.target)}`;
    case 'TXT':
      return record.texts.map(quoted).join(' ');
    case 'SOA':
      return `${escaped(record.mname)} ${escaped(record.rname)} ${numbersOf(record).join(' ')}`;
    default:
      return escaped(record.target);
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

/** A name with escapes for what is not to stand in a zone file as it is. Mirrors sprintName of miekg/dns. */
function escaped(name: string): string {
  if (!/[^\x21-\x7e]|["'();@\\]/.test(name)) return name;
  return name.replaceAll(/\\(?:\d{3}|.)?|["'();@ ]|[^\x21-\x7e]/gsu, (text) => {
    if (text.startsWith('\\') && text.length > 1) return text;
    return /^[\x20-\x7e]$/.test(text) ? `\\${text}` : octetsOf(text);
  });
}

/** The octets of a character in UTF-8, as escapes. */
const octetsOf = (character: string): string =>
  encodeURIComponent(isAlone(character) ? '\ufffd' : character).replaceAll(
    /%([\dA-F]{2})|(.)/g,
    (_, hex: string | undefined, plain: string | undefined) => {
      const octet = hex === undefined ? (plain as string).charCodeAt(0) : Number.parseInt(hex, 16);
      return `\\${String(octet).padStart(3, '0')}`;
    },
  );

/** Half of a character, which no UTF-8 has. */
const isAlone = (character: string): boolean => character.length === 1 && character >= '\ud800' && character <= '\udfff';
