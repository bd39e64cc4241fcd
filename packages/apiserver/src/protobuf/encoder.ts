import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { type StructType, structType } from '../api-types/index.ts';
import { magic, structOf } from './envelope.ts';
import { messageCodecOf } from './message.ts';
import { createOutput, type Output, prependNested, prependRaw, prependText, prependVarint, written } from './output.ts';
import { tagOf } from './values.ts';

/** An object with its kind. Some answers of discovery have no apiVersion. */
export interface TypedValue {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/**
 * Encodes objects of built-in kinds in protobuf. The bytes of a frozen object are shared by all clients and cached as long as the object
 * lives.
 */
export interface ProtobufEncoder {
  /** Encodes an object in its envelope. @throws TypeError if the kind has no protobuf form */
  encodeObject(object: TypedValue): Uint8Array;
  /** Encodes only the metadata of an object, as PartialObjectMetadata. */
  encodePartialObject(object: ApiObject, apiVersion: string): Uint8Array;
  /** Encodes a list of objects, or of their metadata if the kind is PartialObjectMetadataList. */
  encodeList(kind: TypedValue, metadata: object, items: readonly ApiObject[]): Uint8Array;
  /** Encodes an event of a watch, preceded by its length. */
  encodeEvent(event: WatchEvent): Uint8Array;
}

export function createProtobufEncoder(): ProtobufEncoder {
  const messageByValue = new WeakMap<object, Uint8Array>();
  const frameByEvent = new WeakMap<WatchEvent, Uint8Array>();
  const encodeFields = createFieldsEncoder();
  const encodeMessage = (struct: StructType, value: object): Uint8Array => {
    const cachedMessage = messageByValue.get(value);
    if (cachedMessage) return cachedMessage;
    const message = encodeFields(struct, value);
    if (Object.isFrozen(value)) messageByValue.set(value, message);
    return message;
  };
  const encodeMetadata = ({ metadata }: ApiObject): Uint8Array => encodeMessage(objectMeta, metadata);
  const encodeObject = (object: TypedValue): Uint8Array => {
    const message = encodeMessage(requireStruct(object), object);
    return encodeEnvelope(object, message.length, (output) => prependRaw(output, message));
  };
  return {
    encodeObject,
    encodeEvent(event) {
      const cachedFrame = frameByEvent.get(event);
      if (cachedFrame) return cachedFrame;
      const frame = encodeWatchEvent(event.type, encodeObject(event.object));
      if (Object.isFrozen(event)) frameByEvent.set(event, frame);
      return frame;
    },
    encodePartialObject(object, apiVersion) {
      const metadata = encodeMetadata(object);
      return encodeEnvelope({ apiVersion, kind: 'PartialObjectMetadata' }, metadata.length, (output) => prependField(output, 1, metadata));
    },
    encodeList(kind, metadata, items) {
      const isPartial = kind.kind === 'PartialObjectMetadataList';
      const contents = items.map(isPartial ? encodeMetadata : (item) => encodeMessage(requireStruct(item), item));
      const size = contents.reduce((sum, { length }) => sum + length + maxItemOverhead, 0);
      return encodeEnvelope(kind, size, (output) => {
        for (let i = contents.length - 1; i >= 0; i--) {
          const content = contents[i] as Uint8Array;
          if (!isPartial) prependField(output, 2, content);
          else prependNestedField(output, 2, () => prependField(output, 1, content));
        }
        prependField(output, 1, encodeFields(listMeta, metadata));
      });
    },
  };
}

/** Encodes an object in its envelope, without a cache. @throws TypeError if the kind has no protobuf form */
export const encodeProtobuf = (object: TypedValue): Uint8Array => createProtobufEncoder().encodeObject(object);

const objectMeta = structType('meta.ObjectMeta');
const listMeta = structType('meta.ListMeta');

/** Bytes: two tags and two lengths. */
const maxItemOverhead = 12;

function requireStruct({ apiVersion = '', kind = '' }: TypedValue): StructType {
  const struct = structOf({ apiVersion, kind });
  if (!struct) throw new TypeError(`${apiVersion} ${kind} has no protobuf form`);
  return struct;
}

/** Creates a function that encodes the fields of a message. All its calls use the same buffer. */
function createFieldsEncoder(): (struct: StructType, value: object) => Uint8Array {
  let output = createOutput(initialCapacity);
  return (struct, value) => {
    output.start = output.bytes.length;
    messageCodecOf(struct).writeFields(output, value as Record<string, unknown>);
    const message = Buffer.from(written(output));
    if (output.bytes.length > maxKeptCapacity) output = createOutput(initialCapacity);
    return message;
  };
}

/** Bytes. */
const initialCapacity = 4096;
const maxKeptCapacity = 256 * 1024;

/** Encodes `runtime.Unknown` with its prefix: the kind and the message of an object. */
function encodeEnvelope({ apiVersion = '', kind = '' }: TypedValue, size: number, writeMessage: (output: Output) => void): Uint8Array {
  const output = createOutput(size + maxEnvelopeOverhead);
  // Content encoding and content type are empty.
  prependTextField(output, 4, '');
  prependTextField(output, 3, '');
  prependNestedField(output, 2, writeMessage);
  prependNestedField(output, 1, () => {
    prependTextField(output, 2, kind);
    prependTextField(output, 1, apiVersion);
  });
  prependRaw(output, magic);
  return written(output);
}

/** Bytes, for the usual lengths of kinds. */
const maxEnvelopeOverhead = 128;

/** Encodes an event of a watch with an object that is already encoded, preceded by its length. */
export function encodeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const output = createOutput(object.length + maxEnvelopeOverhead);
  prependNestedField(output, 2, () => prependField(output, 1, object));
  prependTextField(output, 1, type);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(written(output).length);
  prependRaw(output, length);
  return written(output);
}

function prependField(output: Output, number: number, content: Uint8Array): void {
  prependRaw(output, content);
  prependVarint(output, content.length);
  prependVarint(output, tagOf(number, 2));
}

function prependTextField(output: Output, number: number, text: string): void {
  prependText(output, text);
  prependVarint(output, tagOf(number, 2));
}

function prependNestedField(output: Output, number: number, write: (output: Output) => void): void {
  prependNested(output, write);
  prependVarint(output, tagOf(number, 2));
}
