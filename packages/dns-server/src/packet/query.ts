import { measureName, parseName } from './name.ts';
import { formatRecordType } from './types.ts';

/** The header fields that each response copies from its query. */
export interface QueryHead {
  readonly id: number;
  readonly opcode: number;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
}

/** A query with one question. */
export interface Query extends QueryHead {
  /** In zone file syntax, with a final dot, in the letter case of the packet. */
  readonly name: string;
  readonly type: string;
  readonly edns?: Edns;
  /** The serial that the client has, from the SOA of an IXFR query. */
  readonly serial?: number;
  readonly packet: Uint8Array;
  /** Offset of the end of the question in the packet. */
  readonly questionEnd: number;
}

/** EDNS (RFC 6891). */
export interface Edns {
  /** The UDP payload size that the client accepts, in bytes. */
  readonly payload: number;
  readonly version: number;
  /** Whether the client requests DNSSEC records. */
  readonly dnssec: boolean;
}

/** The result of reading a packet: a query, an error to answer, or a packet to drop. */
export type ParsedPacket =
  | { readonly kind: 'query'; readonly query: Query }
  | {
      readonly kind: 'refuse';
      readonly rcode: 'FORMERR' | 'NOTIMP' | 'REFUSED' | 'BADVERS';
      readonly head: QueryHead;
      readonly query?: Query;
    }
  | { readonly kind: 'drop'; readonly reason: DropReason };

export type DropReason =
  /** Shorter than a header. */
  | 'short'
  /** A response. Answering it could start an endless loop between two servers. */
  | 'response';

/**
 * Reads a packet. Several questions are refused as malformed, as in RFC 9619 and CoreDNS.
 * A query has at most 4 other records; a packet that announces more is refused before they are read.
 */
export function parseQuery(packet: Uint8Array): ParsedPacket {
  if (packet.length < headerBytes) return { kind: 'drop', reason: 'short' };
  const flags = readUint16(packet, 2);
  if (flags & responseFlag) return { kind: 'drop', reason: 'response' };
  const head: QueryHead = {
    id: readUint16(packet, 0),
    opcode: (flags >> 11) & 15,
    recursionDesired: (flags & recursionDesiredFlag) !== 0,
    checkingDisabled: (flags & checkingDisabledFlag) !== 0,
  };
  if (head.opcode !== 0) return { kind: 'refuse', rcode: 'NOTIMP', head };
  const recordCount = readUint16(packet, 6) + readUint16(packet, 8) + readUint16(packet, 10);
  if (readUint16(packet, 4) !== 1 || readUint16(packet, 6) > 1 || readUint16(packet, 8) > 1 || readUint16(packet, 10) > 2)
    return refuseMalformed(head);
  const name = parseName(packet, headerBytes);
  if (!name || name.end + 4 > packet.length) return refuseMalformed(head);
  const question = { ...head, name: name.text, type: formatRecordType(readUint16(packet, name.end)), packet, questionEnd: name.end + 4 };
  const query = recordCount === 0 ? question : addRecords(question);
  if (!query) return refuseMalformed(head);
  const rcode = checkQuery(query, readUint16(packet, name.end + 2));
  return rcode ? { kind: 'refuse', rcode, head, query } : { kind: 'query', query };
}

const responseFlag = 0x8000;
const recursionDesiredFlag = 0x0100;
const checkingDisabledFlag = 0x0010;
/** The id, the flags, and the numbers of questions, answers, authority records and additional records, in two bytes each. */
const headerBytes = 12;

const readUint16 = (packet: Uint8Array, offset: number): number => ((packet[offset] as number) << 8) | (packet[offset + 1] as number);

const refuseMalformed = (head: QueryHead): ParsedPacket => ({ kind: 'refuse', rcode: 'FORMERR', head });

function checkQuery({ type, edns }: Query, questionClass: number): 'FORMERR' | 'REFUSED' | 'BADVERS' | undefined {
  if (edns && edns.version !== 0) return 'BADVERS';
  if (type === 'OPT') return 'FORMERR';
  return questionClass === internetClass ? undefined : 'REFUSED';
}

const internetClass = 1;

/** Adds EDNS and the serial from the records after the question. Returns undefined if the records are malformed. */
function addRecords(query: Query): Query | undefined {
  const { packet } = query;
  const records = readRecords(query);
  if (!records) return undefined;
  const additional = records.slice(readUint16(packet, 6) + readUint16(packet, 8));
  const optRecords = additional.filter(({ type }) => type === 'OPT');
  const [optRecord] = optRecords;
  if (optRecords.length > 1 || (optRecord && !isValidOptRecord(packet, optRecord))) return undefined;
  const authority = readUint16(packet, 8) > 0 ? records[readUint16(packet, 6)] : undefined;
  const serial = authority?.type === 'SOA' ? readSerial(packet, authority) : undefined;
  if (authority?.type === 'SOA' && serial === undefined) return undefined;
  // An OPT record has the payload size as its class, and the extended rcode, the version and the flags as its TTL (RFC 6891).
  return {
    ...query,
    ...(optRecord && { edns: { payload: optRecord.class, version: optRecord.ttl[1], dnssec: (optRecord.ttl[2] & 0x80) !== 0 } }),
    ...(serial !== undefined && { serial }),
  };
}

/** A record, whose data is between the offsets `start` and `end` of the packet. */
interface RawRecord {
  readonly isRoot: boolean;
  readonly type: string;
  readonly class: number;
  readonly ttl: readonly [number, number, number, number];
  readonly start: number;
  readonly end: number;
}

/** Reads the records of all sections after the question. */
function readRecords({ packet, questionEnd }: Query): readonly RawRecord[] | undefined {
  const count = readUint16(packet, 6) + readUint16(packet, 8) + readUint16(packet, 10);
  const records: RawRecord[] = [];
  let offset = questionEnd;
  while (records.length < count) {
    const name = measureName(packet, offset);
    if (!name || name.end + 10 > packet.length) return undefined;
    const start = name.end + 10;
    const end = start + readUint16(packet, name.end + 8);
    if (end > packet.length) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = packet.subarray(name.end + 4);
    records.push({
      isRoot: name.length === 0,
      type: formatRecordType(readUint16(packet, name.end)),
      class: readUint16(packet, name.end + 2),
      ttl: [a, b, c, d],
      start,
      end,
    });
    offset = end;
  }
  return records;
}

/** Whether an OPT record is well-formed: its owner is the root, and its data consists of codes and values with lengths. */
function isValidOptRecord(packet: Uint8Array, { isRoot, start, end }: RawRecord): boolean {
  let offset = start;
  while (offset + 4 <= end) offset += 4 + readUint16(packet, offset + 2);
  return isRoot && offset === end;
}

/** The serial of an SOA: the first number after two names. */
function readSerial(packet: Uint8Array, { start, end }: RawRecord): number | undefined {
  const primaryName = measureName(packet, start);
  const mailboxName = primaryName && measureName(packet, primaryName.end);
  if (!mailboxName || mailboxName.end + 20 > end) return undefined;
  return readUint16(packet, mailboxName.end) * 0x10000 + readUint16(packet, mailboxName.end + 2);
}
