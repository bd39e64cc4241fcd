/** Reads request bodies in Kubernetes' protobuf encoding, which its clients use for built-in kinds. Responses are JSON. */

import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { findType, kindType, type StructType } from '../api-types/index.ts';
import { createPlanLookup, type ReaderContext, readMessage } from './message.ts';

/** The object as its JSON form, or why it cannot be read. */
export type ProtobufResult = { readonly value: Record<string, unknown> } | { readonly problem: string };

/** Creates a reader, which loads the protobuf library when it reads the first body. */
export function createProtobufReader(): (bytes: Uint8Array) => Promise<ProtobufResult> {
  let context: Promise<ReaderContext> | undefined;
  return async (bytes) => {
    context ??= import('@bufbuild/protobuf/wire').then(createReaderContext);
    return readObject(await context, bytes);
  };
}

function createReaderContext({ BinaryReader }: typeof import('@bufbuild/protobuf/wire')): ReaderContext {
  return { planOf: createPlanLookup(), createReader: (bytes) => new BinaryReader(bytes) };
}

/** Mirrors Serializer.Decode (1.36, apimachinery/pkg/runtime/serializer/protobuf/protobuf.go). */
function readObject(context: ReaderContext, bytes: Uint8Array): ProtobufResult {
  if (!magic.every((byte, i) => bytes[i] === byte)) {
    return { problem: `provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]` };
  }
  try {
    const { apiVersion, kind, raw } = readUnknown(context, bytes.subarray(magic.length));
    const struct = structOf(apiVersion, kind);
    if (!struct) return { problem: `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}` };
    return { value: { ...readMessage(context, struct, raw), apiVersion, kind } };
  } catch (error) {
    return { problem: `proto: ${(error as Error).message}` };
  }
}

/** "k8s" and a zero byte. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0];

interface Unknown {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** `runtime.Unknown`: the envelope that states apiVersion and kind. */
function readUnknown(context: ReaderContext, bytes: Uint8Array): Unknown {
  const reader = context.createReader(bytes);
  let [typeMeta, raw]: [Uint8Array, Uint8Array] = [noBytes, noBytes];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === 2) typeMeta = reader.bytes();
    else if (number === 2 && wire === 2) raw = reader.bytes();
    else reader.skip(wire, number);
  }
  return { ...readTypeMeta(context.createReader(typeMeta)), raw };
}

function readTypeMeta(reader: BinaryReader): Pick<Unknown, 'apiVersion' | 'kind'> {
  let [apiVersion, kind] = ['', ''];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === 2) apiVersion = reader.string();
    else if (number === 2 && wire === 2) kind = reader.string();
    else reader.skip(wire, number);
  }
  return { apiVersion, kind };
}

const noBytes = new Uint8Array();

/** Options, such as DeleteOptions, belong to every group. */
function structOf(apiVersion: string, kind: string): StructType | undefined {
  const type = kindType(apiVersion, kind) ?? findType(`meta.${kind}`);
  return type?.kind === 'struct' ? type : undefined;
}
