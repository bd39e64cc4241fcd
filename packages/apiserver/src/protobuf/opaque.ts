import { zeroQuantity } from 'kube-endpoints/internal/apimachinery';
import { jsonSyntaxProblem } from '../api-types/codec/json-syntax.ts';
import { zeroTime } from '../api-types/codec/time.ts';
import { type ApiType, type StructType, structType } from '../api-types/index.ts';
import { parseJson, writeJson } from '../store/json.ts';
import { type Input, MalformedMessageError, numberOf, readAll, readInteger, readNested, readTag, readText, skip, wireOf } from './input.ts';
import { prependInteger, prependNested, prependText, prependVarint } from './output.ts';
import { createSchemaUnionCodec } from './schema-unions.ts';
import { type Codec, createNestedCodec, type MessageCodec, requireWire, tagOf } from './values.ts';

type OpaqueType = Extract<ApiType, { kind: 'time' | 'microTime' | 'quantity' | 'intOrString' | 'raw' }>;

/** Creates the codec of a type whose JSON is not that of its message. */
export function createOpaqueCodec({ kind, go }: OpaqueType, codecOf: (struct: StructType) => MessageCodec): Codec {
  if (kind !== 'raw') return opaqueCodecs[kind];
  return (
    createSchemaUnionCodec(go, () => createNestedCodec(codecOf(structType('apiextensions.JSONSchemaProps')))) ??
    createRawCodec(go.replace(/^.*\./, ''))
  );
}

const opaqueCodecs: Readonly<Record<Exclude<OpaqueType['kind'], 'raw'>, Codec>> = {
  time: createTimeCodec(0),
  microTime: createTimeCodec(6),
  quantity: {
    wire: 2,
    zero: zeroQuantity.text,
    read: (input) => readScalars(input, 'Quantity', ['String_'])[0] ?? zeroQuantity.text,
    write: (output, value) =>
      prependNested(output, () => {
        prependText(output, value as string);
        prependVarint(output, tagOf(1, 2));
      }),
  },
  intOrString: {
    wire: 2,
    zero: 0,
    read(input) {
      const [type = 0, number = 0, text = ''] = readScalars(input, 'IntOrString', ['Type', 'IntVal', 'StrVal']);
      return type === 1 ? text : Number(BigInt.asIntN(32, BigInt(number)));
    },
    write: (output, value) =>
      prependNested(output, () => {
        prependText(output, typeof value === 'string' ? value : '');
        prependVarint(output, tagOf(3, 2));
        prependInteger(output, typeof value === 'string' ? 0 : (value as number));
        prependVarint(output, tagOf(2, 0));
        prependVarint(output, typeof value === 'string' ? 1 : 0);
        prependVarint(output, tagOf(1, 0));
      }),
  },
};

/** JSON as text in the only field of a message. An absent value is an empty message. */
const createRawCodec = (message: string): Codec => ({
  wire: 2,
  zero: undefined,
  read(input) {
    const [text = ''] = readScalars(input, message, ['Raw']) as [string?];
    if (text === '') return undefined;
    const problem = jsonSyntaxProblem(text);
    if (problem !== undefined) throw new MalformedMessageError(problem);
    return parseJson(text) ?? undefined;
  },
  write: (output, value) =>
    prependNested(output, () => {
      if (value === undefined) return;
      prependText(output, writeJson(value));
      prependVarint(output, tagOf(1, 2));
    }),
});

/**
 * Reads a message of few numbers and strings.
 * @param names the Go names of the fields 1, 2, ...
 */
function readScalars(input: Input, message: string, names: readonly ScalarName[]): (string | number | bigint | undefined)[] {
  const scalars: (string | number | bigint | undefined)[] = [];
  const readField = (): void => {
    const tag = readTag(input, message);
    const index = numberOf(tag) - 1;
    const name = names[index];
    if (name === undefined) skip(input, wireOf(tag));
    else {
      requireWire(wireOf(tag), scalarWires[name], name);
      scalars[index] = scalarWires[name] === 0 ? readInteger(input) : readText(input);
    }
  };
  readNested(input, () => readAll(input, readField));
  return scalars;
}

type ScalarName = keyof typeof scalarWires;

const scalarWires = { Seconds: 0, Nanos: 0, Type: 0, IntVal: 0, StrVal: 2, String_: 2, Raw: 2 } as const;

/** @param digits of the fraction of a second in JSON */
function createTimeCodec(digits: 0 | 6): Codec {
  return {
    wire: 2,
    zero: zeroTime,
    read(input) {
      const start = input.position;
      const [seconds = 0, nanoseconds = 0] = readScalars(input, 'Timestamp', ['Seconds', 'Nanos']);
      const isEmpty = input.position === start + 1;
      return isEmpty ? undefined : formatTime(Number(seconds), Number(BigInt.asIntN(32, BigInt(nanoseconds))), digits);
    },
    write: (output, value) =>
      prependNested(output, () => {
        const seconds = secondsOf(value as string);
        if (seconds === zeroSeconds) return;
        prependVarint(output, digits === 0 ? 0 : microsecondsOf(value as string) * 1000);
        prependVarint(output, tagOf(2, 0));
        prependInteger(output, seconds);
        prependVarint(output, tagOf(1, 0));
      }),
  };
}

/** Formats a time; undefined for the zero time, which JSON omits. */
function formatTime(seconds: number, nanoseconds: number, digits: number): string | undefined {
  const allSeconds = digits === 0 ? seconds : seconds + Math.floor(nanoseconds / 1e9);
  if (allSeconds < minSeconds || allSeconds > maxSeconds)
    throw new MalformedMessageError('Time.MarshalJSON: year outside of range [0,9999]');
  const dateTime = new Date(allSeconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction =
    digits === 0
      ? ''
      : `.${String(((nanoseconds % 1e9) + 1e9) % 1e9)
          .padStart(9, '0')
          .slice(0, digits)}`;
  return allSeconds === zeroSeconds ? undefined : `${dateTime}${fraction}Z`;
}

/** Unix time in seconds of a time in UTC as the codecs of JSON write it. */
function secondsOf(text: string): number {
  const [year, month, day] = [digitsOf(text, 0, 4), digitsOf(text, 5, 7), digitsOf(text, 8, 10)];
  const seconds = digitsOf(text, 11, 13) * 3600 + digitsOf(text, 14, 16) * 60 + digitsOf(text, 17, 19);
  return daysSinceEpoch(year, month, day) * 86_400 + seconds;
}

/** The days from 1970-01-01 to a day of the Gregorian calendar. A year that begins in March ends with the leap day. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const [fullYears, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(fullYears / 4) - Math.floor(fullYears / 100) + Math.floor(fullYears / 400);
  return fullYears * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - daysToEpoch;
}

/** The days from 1 March of the year 0 to 1 January 1970, plus 1. */
const daysToEpoch = 719_469;

const microsecondsOf = (text: string): number => (text.length < 26 ? 0 : digitsOf(text, 20, 26));

function digitsOf(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) value = value * 10 + text.charCodeAt(i) - 0x30;
  return value;
}

const zeroSeconds = Date.parse(zeroTime) / 1000;
const minSeconds = Date.parse('0000-01-01T00:00:00Z') / 1000;
const maxSeconds = Date.parse('9999-12-31T23:59:59Z') / 1000;
