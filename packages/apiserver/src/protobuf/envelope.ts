import { findType, kindType, type StructType } from '../api-types/index.ts';
import {
  createInput,
  type Input,
  MalformedMessageError,
  numberOf,
  readAll,
  readBytes,
  readNested,
  readTag,
  readText,
  skip,
  wireOf,
} from './input.ts';
import { messageCodecOf } from './message.ts';
import { requireWire } from './values.ts';

/** A body as JSON, or why its kind cannot be determined. */
export type ProtobufBody =
  | {
      readonly value: Record<string, unknown>;
      /** Why the content cannot be read, although its kind is known. */
      readonly contentProblem?: string;
    }
  | { readonly problem: string };

/** The kind of a body that states none. */
export interface DefaultKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** "k8s" and a zero byte. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/**
 * Reads a body in Kubernetes' protobuf encoding. The content of an unknown kind is not read.
 * Mirrors Serializer.Decode (1.36, apimachinery/pkg/runtime/serializer/protobuf/protobuf.go).
 */
export function readProtobuf(bytes: Uint8Array, defaultKind: DefaultKind): ProtobufBody {
  if (bytes.length === 0) return { problem: 'empty data' };
  if (!magic.every((byte, i) => bytes[i] === byte))
    return { problem: `provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]` };
  if (bytes.length === magic.length) return { problem: 'empty body' };
  const envelope = catchMalformed(() => readUnknown(createInput(bytes.subarray(magic.length))));
  if (typeof envelope === 'string') return { problem: envelope };
  const { content, ...typeMeta } = withDefaults(envelope, defaultKind);
  const struct = structOf(typeMeta);
  if (!struct) return { value: typeMeta };
  const fields = catchMalformed(() => messageCodecOf(struct).readFields(createInput(content)));
  return typeof fields === 'string' ? { value: typeMeta, contentProblem: fields } : { value: { ...fields, ...typeMeta } };
}

/** The struct of a kind. Options, such as DeleteOptions, and answers, such as Status, belong to every group. */
export function structOf({ apiVersion, kind }: DefaultKind): StructType | undefined {
  const type = kindType(apiVersion, kind) ?? findType(`meta.${kind}`);
  return type?.kind === 'struct' ? type : undefined;
}

/** Returns the message of the error if the bytes are malformed. */
function catchMalformed<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedMessageError) return error.message;
    throw error;
  }
}

interface Unknown extends DefaultKind {
  readonly content: Uint8Array;
}

/** Mirrors copyKindDefaults. An apiVersion that cannot be parsed counts as absent. */
function withDefaults({ apiVersion, kind, content }: Unknown, defaultKind: DefaultKind): Unknown {
  const isAbsent = apiVersion === '' || apiVersion.split('/').length > 2;
  return { apiVersion: isAbsent ? defaultKind.apiVersion : apiVersion, kind: kind || defaultKind.kind, content };
}

/** Reads `runtime.Unknown`: the envelope that states apiVersion and kind. */
function readUnknown(input: Input): Unknown {
  let [typeMeta, content]: [Omit<Unknown, 'content'>, Uint8Array] = [{ apiVersion: '', kind: '' }, new Uint8Array()];
  readFields(input, 'Unknown', ['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'], (number) => {
    if (number === 1) typeMeta = readNested(input, readTypeMeta);
    else if (number === 2) content = readBytes(input);
    else readBytes(input);
  });
  return { ...typeMeta, content };
}

function readTypeMeta(input: Input): Omit<Unknown, 'content'> {
  const texts: string[] = [];
  readFields(input, 'TypeMeta', ['APIVersion', 'Kind'], (number) => {
    texts[number] = readText(input);
  });
  const { 1: apiVersion = '', 2: kind = '' } = texts;
  return { apiVersion, kind };
}

/** Reads the length-delimited fields 1, 2, ... of a message; skips the others. */
function readFields(input: Input, message: string, names: readonly string[], read: (number: number) => void): void {
  readAll(input, () => {
    const tag = readTag(input, message);
    const name = names[numberOf(tag) - 1];
    if (name === undefined) skip(input, wireOf(tag));
    else {
      requireWire(wireOf(tag), 2, name);
      read(numberOf(tag));
    }
  });
}
