import type { ApiType } from '../api-types/index.ts';
import { type Input, MalformedMessageError, readBytes, readDouble, readInteger, readNested, readText, readVarint } from './input.ts';
import { type Output, prependBase64, prependByte, prependDouble, prependInteger, prependText, prependVarint, sizeOf } from './output.ts';

/** Reads and writes values of one type, without the tag of the field. */
export interface Codec {
  /** Wire type: 0 varint, 1 eight bytes, 2 length-delimited. */
  readonly wire: number;
  /** The JSON value of an absent field that is not a pointer. */
  readonly zero: unknown;
  /** Returns undefined if JSON omits the value. @throws MalformedMessageError */
  read(input: Input): unknown;
  write(output: Output, value: unknown): void;
}

/** Reads and writes the content of a message: its fields, without a length. */
export interface MessageCodec {
  /** Reads until the end of the input; skips unknown fields. @throws MalformedMessageError */
  readFields(input: Input): Record<string, unknown>;
  /**
   * Writes the fields by their numbers. As in Kubernetes' generated code, fields that are not pointers are written even if they are absent,
   * and the entries of maps are sorted.
   */
  writeFields(output: Output, value: Record<string, unknown>): void;
}

/** The number and wire type of a field as they precede its value. */
export const tagOf = (number: number, wire: number): number => number * 8 + wire;

/** @throws MalformedMessageError if a field has a different wire type */
export function requireWire(actual: number, expected: number, name: string): void {
  if (actual !== expected) throw new MalformedMessageError(`proto: wrong wireType = ${actual} for field ${toGoName(name)}`);
}

/** Converts the name of a field in JSON to that in Go. */
const toGoName = (name: string): string =>
  name === 'metadata' ? 'ObjectMeta' : name.replace(initialisms, (text) => text.toUpperCase()).replace(/^./, (text) => text.toUpperCase());

const initialisms =
  /^(?:api|ca|cidr|csi|dns|fc|fs|gid|grpc|http|id|ip|iscsi|json|nfs|os|pd|rbd|se|ssl|tcp|tls|ttl|tty|uid|url)(?=[A-Z]|s?$)/;

type ScalarType = Extract<ApiType, { kind: 'text' | 'bytes' | 'bool' | 'integer' | 'float' }>;

export const isScalar = (type: ApiType): type is ScalarType => Object.hasOwn(scalarCodecs, type.kind) || type.kind === 'integer';

export const createScalarCodec = (type: ScalarType): Codec =>
  type.kind === 'integer' ? (type.max < 2 ** 31 ? int32Codec : int64Codec) : scalarCodecs[type.kind];

export const textCodec: Codec = { wire: 2, zero: '', read: readText, write: (output, value) => prependText(output, value as string) };

const scalarCodecs: Readonly<Record<Exclude<ScalarType['kind'], 'integer'>, Codec>> = {
  text: textCodec,
  bytes: {
    wire: 2,
    zero: '',
    read: (input) => readBytes(input).toString('base64'),
    write: (output, value) => prependBase64(output, value as string),
  },
  bool: { wire: 0, zero: false, read: (input) => readVarint(input) !== 0, write: (output, value) => prependByte(output, value ? 1 : 0) },
  float: { wire: 1, zero: 0, read: readDouble, write: (output, value) => prependDouble(output, value as number) },
};

const writeInteger: Codec['write'] = (output, value) => prependInteger(output, value as number | bigint);

const int64Codec: Codec = { wire: 0, zero: 0, read: readInteger, write: writeInteger };

const int32Codec: Codec = { wire: 0, zero: 0, read: (input) => Number(BigInt.asIntN(32, BigInt(readInteger(input)))), write: writeInteger };

/** Creates the codec of a message inside another one. */
export const createNestedCodec = ({ readFields, writeFields }: MessageCodec): Codec => ({
  wire: 2,
  zero: {},
  read: (input) => readNested(input, readFields),
  write(output, value) {
    const size = sizeOf(output);
    writeFields(output, value as Record<string, unknown>);
    prependVarint(output, sizeOf(output) - size);
  },
});
