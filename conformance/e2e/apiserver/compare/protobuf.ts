import {
  createProtobufEncoder,
  encodeProtobuf,
  encodeWatchEvent,
  readProtobuf,
} from '../../../../packages/apiserver/src/protobuf/index.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export const isProtobuf = (type: string | undefined): boolean => type?.startsWith(PROTOBUF) ?? false;

export const encodeBody = (object: object): Uint8Array => encodeProtobuf(object);

/**
 * Decodes an answer of either server. `isCanonical` says whether this project encodes the value to the same bytes, so that a difference
 * in the bytes is visible although values such as uids differ.
 */
export function decodeAnswer(bytes: Buffer): object {
  const { kind } = decodeEnvelope(bytes);
  return /List$/.test(kind) && !hasOwnType(kind) ? decodeList(bytes) : checkBytes(decodeObject(bytes), bytes, encodeProtobuf);
}

const hasOwnType = (kind: string): boolean => ['APIGroupDiscoveryList', 'APIGroupList', 'APIResourceList'].includes(kind);

/** Decodes an event of a watch, without the length in front of it. */
export function decodeEvent(frame: Buffer): object {
  const { 1: [type = Buffer.of()] = [], 2: [object = Buffer.of()] = [] } = fieldsOf(frame);
  const { 1: [raw = Buffer.of()] = [] } = fieldsOf(object);
  const event = encodeWatchEvent(type.toString(), raw).subarray(LENGTH_BYTES);
  return { type: type.toString(), isCanonical: frame.equals(event), object: decodeAnswer(raw) };
}

/** Splits the body of a watch into its events. */
export async function* splitFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = Buffer.of();
  for await (const chunk of chunks) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= LENGTH_BYTES && received.length >= LENGTH_BYTES + received.readUInt32BE()) {
      const end = LENGTH_BYTES + received.readUInt32BE();
      yield received.subarray(LENGTH_BYTES, end);
      received = received.subarray(end);
    }
  }
}

const LENGTH_BYTES = 4;
const PREFIX = Buffer.from('k8s\0');

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly content: Buffer;
}

function decodeEnvelope(bytes: Buffer): Envelope {
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) throw new Error('not protobuf');
  const { 1: [typeMeta = Buffer.of()] = [], 2: [content = Buffer.of()] = [] } = fieldsOf(bytes.subarray(PREFIX.length));
  const { 1: [apiVersion = ''] = [], 2: [kind = ''] = [] } = fieldsOf(typeMeta);
  return { apiVersion: apiVersion.toString(), kind: kind.toString(), content };
}

function decodeObject(bytes: Uint8Array): object {
  const body = readProtobuf(bytes, { apiVersion: '', kind: '' });
  if ('problem' in body) throw new Error(body.problem);
  if (body.contentProblem !== undefined) throw new Error(body.contentProblem);
  return body.value;
}

/** The types of lists are not in the table of types; their items are decoded one by one. */
function decodeList(bytes: Buffer): object {
  const { apiVersion, kind, content } = decodeEnvelope(bytes);
  const fields = fieldsOf(content);
  const itemKind = { apiVersion, kind: kind.replace(/List$/, '') };
  const listMeta = decodeObject(wrap({ apiVersion: 'v1', kind: 'ListMeta' }, fields[1]?.[0] ?? Buffer.of()));
  const { kind: _, apiVersion: __, ...metadata } = listMeta as Omit<Envelope, 'content'>;
  const items = (fields[2] ?? []).map((item) => decodeObject(wrap(itemKind, item)));
  const encode = (): Uint8Array => createProtobufEncoder().encodeList({ apiVersion, kind }, metadata, items as never);
  return checkBytes({ apiVersion, kind, metadata, items }, bytes, encode);
}

/** Puts a message into an envelope. */
function wrap({ apiVersion, kind }: Omit<Envelope, 'content'>, message: Buffer): Buffer {
  const typeMeta = Buffer.concat([fieldOf(1, Buffer.from(apiVersion)), fieldOf(2, Buffer.from(kind))]);
  return Buffer.concat([PREFIX, fieldOf(1, typeMeta), fieldOf(2, message)]);
}

const fieldOf = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(number * 8 + LENGTH_DELIMITED, ...varintOf(content.length)), content]);

const varintOf = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varintOf(value >>> 7)]);

const LENGTH_DELIMITED = 2;

/** Returns the contents of the length-delimited fields of a message by field number; messages that are passed have no other fields. */
function fieldsOf(bytes: Buffer): Record<number, Buffer[]> {
  const fields: Record<number, Buffer[]> = {};
  let offset = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(offset++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (offset < bytes.length) {
    const tag = readVarint();
    if (tag % 8 !== LENGTH_DELIMITED) throw new Error(`wire type ${tag % 8} in a list or envelope`);
    const size = readVarint();
    const contents = fields[Math.floor(tag / 8)] ?? [];
    contents.push(bytes.subarray(offset, offset + size));
    fields[Math.floor(tag / 8)] = contents;
    offset += size;
  }
  return fields;
}

const checkBytes = (value: object, bytes: Buffer, encode: (value: object) => Uint8Array): object => ({
  ...value,
  isCanonical: bytes.equals(encode(value)),
});
