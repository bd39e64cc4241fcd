import type { DnsRecord, DnsReply } from 'kube-endpoints/dns';
import type { DnsRcode } from 'kube-endpoints/internal';
import { encodeAddress } from './address.ts';
import type { Edns, Query, QueryHead } from './query.ts';
import { parseRecordType } from './types.ts';
import { createPacketWriter, maxMessageBytes, type PacketWriter } from './writer.ts';

/** Parameters of a response beyond its records. */
export interface ReplyOptions {
  /** In bytes. If records do not fit, they are dropped and the response is marked as truncated, so that the client uses TCP. */
  readonly maxBytes: number;
  /** The UDP payload size that this server accepts, in bytes. */
  readonly payload: number;
  /** Whether queries for other zones are forwarded. */
  readonly isRecursionAvailable: boolean;
}

/** Encodes DNS messages. */
export interface Encoder {
  /** @throws RangeError if a record cannot be encoded */
  encodeReply(query: Query, reply: DnsReply, options: ReplyOptions): Buffer;
  /** Encodes a response without records. If `query` is undefined, the response is only a header. */
  encodeRefusal(rcode: ResponseCode, head: QueryHead, query: Query | undefined, options: Omit<ReplyOptions, 'maxBytes'>): Buffer;
  /**
   * Encodes a message of a zone transfer, with as many records as fit, starting at `from`.
   * @throws RangeError if the SOA cannot be encoded, because no client accepts a zone without it
   */
  encodeTransfer(query: Query, records: readonly DnsRecord[], from: number): TransferMessage;
}

export interface TransferMessage {
  /** Undefined if none of the remaining records could be encoded. */
  readonly message: Buffer | undefined;
  /** Index of the record that starts the next message. */
  readonly nextIndex: number;
  /** One error for each omitted record, whose name or data does not fit in a packet. */
  readonly failures: readonly unknown[];
}

/** A response code; BADVERS is extended (RFC 6891). */
export type ResponseCode = DnsRcode | 'BADVERS';

/** Creates an encoder. All messages are written into one buffer and then copied. */
export function createEncoder(): Encoder {
  const writer = createPacketWriter();
  return {
    encodeReply(query, { rcode, authoritative, answer, authority, additional }, { maxBytes, payload, isRecursionAvailable }) {
      const flags =
        encodeFlags(query, rcode) | (authoritative ? authoritativeFlag : 0) | (isRecursionAvailable ? recursionAvailableFlag : 0);
      writer.begin(query.packet, query.questionEnd, query.name);
      const availableBytes = Math.min(maxBytes, maxMessageBytes) - (query.edns ? optRecordBytes : 0);
      const answerCount = writeRecords(writer, answer, 0, availableBytes);
      const authorityCount = answerCount < answer.length ? 0 : writeRecords(writer, authority, 0, availableBytes);
      const isTruncated = answerCount < answer.length || authorityCount < authority.length;
      // Additional records may be dropped without truncation.
      const additionalCount = isTruncated ? 0 : writeRecords(writer, additional, 0, availableBytes);
      const counts = { answers: answerCount, authorities: authorityCount, additionals: additionalCount };
      return finishMessage(writer, {
        flags: flags | (isTruncated ? truncatedFlag : 0),
        questions: 1,
        counts,
        edns: query.edns,
        extendedRcode: 0,
        payload,
      });
    },
    encodeRefusal(rcode, head, query, { payload, isRecursionAvailable }) {
      const flags = encodeFlags(head, rcode) | (isRecursionAvailable ? recursionAvailableFlag : 0);
      if (query) writer.begin(query.packet, query.questionEnd, query.name);
      else writer.begin(createHeader(head), headerBytes, '.');
      const extendedRcode = rcode === 'BADVERS' ? 1 : 0;
      return finishMessage(writer, { flags, questions: query ? 1 : 0, counts: noCounts, edns: query?.edns, extendedRcode, payload });
    },
    encodeTransfer(query, records, from) {
      writer.begin(query.packet, query.questionEnd, query.name);
      const { count, nextIndex, failures } = writeEncodable(writer, records, from);
      if (count === 0) return { message: undefined, nextIndex, failures };
      const counts = { ...noCounts, answers: count };
      const flags = encodeFlags(query, 'NOERROR') | authoritativeFlag;
      const message = finishMessage(writer, { flags, questions: 1, counts, edns: undefined, extendedRcode: 0, payload: 0 });
      return { message, nextIndex, failures };
    },
  };
}

const responseFlag = 0x8000;
const authoritativeFlag = 0x0400;
const truncatedFlag = 0x0200;
const recursionDesiredFlag = 0x0100;
const recursionAvailableFlag = 0x0080;
const checkingDisabledFlag = 0x0010;
const headerBytes = 12;
const optRecordBytes = 11;
/** Compression pointers reach only the first 16 KiB, so longer messages compress worse. */
const maxTransferBytes = 0x4000;

/** BADVERS is 16: 0 in the header, and 1 as the extended rcode of the OPT record. */
const rcodes: Readonly<Record<ResponseCode, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 0,
};

const encodeFlags = ({ opcode, recursionDesired, checkingDisabled }: QueryHead, rcode: ResponseCode): number =>
  responseFlag |
  (opcode << 11) |
  (recursionDesired ? recursionDesiredFlag : 0) |
  (checkingDisabled ? checkingDisabledFlag : 0) |
  rcodes[rcode];

function createHeader({ id }: QueryHead): Uint8Array {
  const header = new Uint8Array(headerBytes);
  header[0] = id >> 8;
  header[1] = id & 255;
  return header;
}

interface Counts {
  readonly answers: number;
  readonly authorities: number;
  readonly additionals: number;
}

const noCounts: Counts = { answers: 0, authorities: 0, additionals: 0 };

interface FinalFields {
  readonly flags: number;
  readonly questions: number;
  readonly counts: Counts;
  readonly edns: Edns | undefined;
  readonly extendedRcode: number;
  readonly payload: number;
}

function finishMessage(writer: PacketWriter, { flags, questions, counts, edns, extendedRcode, payload }: FinalFields): Buffer {
  if (edns) {
    // The OPT record (RFC 6891): root name, type, UDP payload size, extended rcode, version 0, flags with the DO bit, no data.
    writer.writeUint8(0);
    writer.writeUint16(parseRecordType('OPT') as number);
    writer.writeUint16(payload);
    writer.writeUint8(extendedRcode);
    writer.writeUint8(0);
    writer.writeUint16(edns.dnssec ? 0x8000 : 0);
    writer.writeUint16(0);
  }
  writer.overwriteUint16(2, flags);
  writer.overwriteUint16(4, questions);
  writer.overwriteUint16(6, counts.answers);
  writer.overwriteUint16(8, counts.authorities);
  writer.overwriteUint16(10, counts.additionals + (edns ? 1 : 0));
  return writer.toBuffer();
}

/** Writes records until the message is full, and returns their number. */
function writeRecords(writer: PacketWriter, records: readonly DnsRecord[], from: number, availableBytes: number): number {
  let count = 0;
  for (let i = from; i < records.length && count < maxRecords; i++) {
    const start = writer.length;
    writeRecord(writer, records[i] as DnsRecord);
    if (writer.length > availableBytes) {
      writer.truncate(start);
      break;
    }
    count += 1;
  }
  return count;
}

const maxRecords = 0xffff;

interface WriteResult extends Pick<TransferMessage, 'nextIndex' | 'failures'> {
  readonly count: number;
}

/** Writes records until the message is full, and skips records that cannot be encoded. */
function writeEncodable(writer: PacketWriter, records: readonly DnsRecord[], from: number): WriteResult {
  const failures: unknown[] = [];
  let count = 0;
  let nextIndex = from;
  for (; nextIndex < records.length && count < maxRecords; nextIndex++) {
    const start = writer.length;
    const record = records[nextIndex] as DnsRecord;
    try {
      writeRecord(writer, record);
      if (count === 0 && writer.length > maxMessageBytes) throw new RangeError(`a record of ${record.name} does not fit in a message`);
    } catch (error) {
      if (record.type === 'SOA') throw error;
      writer.truncate(start);
      failures.push(error);
      continue;
    }
    if (count > 0 && writer.length > maxTransferBytes) {
      writer.truncate(start);
      break;
    }
    count += 1;
  }
  return { count, nextIndex, failures };
}

function writeRecord(writer: PacketWriter, record: DnsRecord): void {
  writer.writeName(record.name, true);
  writer.writeUint16(parseRecordType(record.type) as number);
  // Class IN.
  writer.writeUint16(1);
  writer.writeUint32(record.ttl);
  const lengthAt = writer.length;
  writer.writeUint16(0);
  writeData(writer, record);
  writer.overwriteUint16(lengthAt, writer.length - lengthAt - 2);
}

/** SRV targets are not compressed (RFC 2782). */
function writeData(writer: PacketWriter, record: DnsRecord): void {
  switch (record.type) {
    case 'A':
      writer.writeBytes(encodeAddress(record.address, 4));
      break;
    case 'AAAA':
      writer.writeBytes(encodeAddress(record.address, 16));
      break;
    case 'SRV':
      for (const value of [record.priority, record.weight, record.port]) writer.writeUint16(value);
      writer.writeName(record.target, false);
      break;
    case 'TXT':
      for (const text of record.texts) writeText(writer, text);
      break;
    case 'SOA':
      for (const name of [record.mname, record.rname]) writer.writeName(name, true);
      for (const value of [record.serial, record.refresh, record.retry, record.expire, record.minimum]) writer.writeUint32(value);
      break;
    default:
      writer.writeName(record.target, true);
  }
}

/** Splits a text that is longer than a character-string of a TXT record (255 bytes). */
function writeText(writer: PacketWriter, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from === 0 || from < bytes.length; from += 255) {
    const part = bytes.subarray(from, from + 255);
    writer.writeUint8(part.length);
    writer.writeBytes(part);
  }
}
