import { type Answer, decode, encode, RECURSION_DESIRED, type RecordType } from 'dns-packet';
import type { DnsQuestion, DnsRecord, DnsReply } from 'kube-endpoints/dns';
import type { DnsRcode } from 'kube-endpoints/internal';
import { parseName } from '../packet/name.ts';
import { parseRecordType } from '../packet/types.ts';

/** Encodes a recursive query for an outside name. */
export const writeQuery = ({ name, type }: DnsQuestion, id: number): Uint8Array =>
  encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ name, type: `UNKNOWN_${parseRecordType(type)}` as RecordType, class: 'IN' }],
    additionals: [
      { type: 'OPT', name: '.', udpPayloadSize: payloadBytes, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false, options: [] },
    ],
  });

/** The payload size in bytes that avoids fragmentation on all networks. */
const payloadBytes = 1232;

/** Whether a message answers a query: same ID, and same question regardless of letter case. */
export function isResponseTo(message: Uint8Array, query: Uint8Array): boolean {
  if (message.length < 12 || message[0] !== query[0] || message[1] !== query[1] || !((message[2] as number) & 0x80)) return false;
  const expectedQuestion = readQuestion(query);
  return expectedQuestion !== undefined && expectedQuestion === readQuestion(message);
}

export const isTruncated = (message: Uint8Array): boolean => ((message[2] as number) & 0x02) !== 0;

function readQuestion(message: Uint8Array): string | undefined {
  const name = message[4] === 0 && message[5] === 1 ? parseName(message, 12) : undefined;
  return (
    name &&
    Buffer.from(message.subarray(12, name.end + 4))
      .toString('latin1')
      .toLowerCase()
  );
}

/**
 * Reads a resolver's response. Records of types that a cluster does not use are omitted.
 * @throws Error if it is malformed, or if the resolver reports a failure
 */
export function readReply(message: Uint8Array): DnsReply {
  const { answers = [], authorities = [], additionals = [] } = decode(Buffer.from(message));
  const rcode = rcodes[(message[3] as number) & 15];
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') throw new Error(`the resolver answered ${rcode ?? 'an error'}`);
  const convertAll = (records: readonly Answer[]): DnsRecord[] => records.flatMap((record) => convertRecord(record) ?? []);
  return {
    rcode,
    authoritative: false,
    answer: convertAll(answers),
    authority: convertAll(authorities),
    additional: convertAll(additionals),
  };
}

const rcodes: readonly DnsRcode[] = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];

function convertRecord(record: Answer): DnsRecord | undefined {
  const owner = { name: toAbsolute(record.name), ttl: ('ttl' in record && record.ttl) || 0 };
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { ...owner, type: record.type, address: record.data };
    case 'CNAME':
    case 'PTR':
    case 'NS':
      return { ...owner, type: record.type, target: toAbsolute(record.data) };
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = record.data;
      return { ...owner, type: 'SRV', priority, weight, port, target: toAbsolute(target) };
    }
    case 'TXT':
      return { ...owner, type: 'TXT', texts: [record.data].flat().map(String) };
    case 'SOA': {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = record.data;
      return { ...owner, type: 'SOA', mname: toAbsolute(mname), rname: toAbsolute(rname), serial, refresh, retry, expire, minimum };
    }
    default:
      return undefined;
  }
}

const toAbsolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`);
