import { quote } from 'kube-endpoints/internal';
import { CelFailure } from '../library.ts';
import { plainFixed, shortest } from './format-numbers.ts';
import { type CelDuration, type CelUint, entriesOf, kindOf, nanosecondsOf, typeNameOf } from './kinds.ts';
import { checkText } from './limits.ts';

/** A value as `%s` writes it, which is as `string` does where there is one for its type. */
export function writeText(value: unknown): string {
  const write = writers[kindOf(value)];
  if (!write) throw new CelFailure(`no formatting function for ${kindOf(value)}`);
  return write(value as never);
}

const writers: Readonly<Record<string, (value: never) => string>> = {
  string: (value: string) => value,
  bool: String,
  null_type: String,
  int: String,
  uint: ({ value }: CelUint) => String(value),
  double: shortest,
  bytes: decoded,
  type: typeNameOf,
  'google.protobuf.Duration': writeDuration,
  'google.protobuf.Timestamp': writeTime,
  list: (list: readonly unknown[]) => `[${all(list, writeInner).join(', ')}]`,
  map: writeMap,
};

/** In lists and maps, as an expression has it. */
function writeInner(value: unknown): string {
  const kind = kindOf(value);
  const quoted = inner[kind];
  return quoted ? quoted(value as never) : writeText(value);
}

const inner: Readonly<Record<string, (value: never) => string>> = {
  string: quote,
  bytes: (value: Uint8Array) => `b${quote(decoded(value))}`,
  double: (value: number) => (Number.isFinite(value) ? plainFixed(value, 6) : quote(shortest(value))),
  'google.protobuf.Duration': (value: CelDuration) => `duration(${quote(writeDuration(value))})`,
  'google.protobuf.Timestamp': (value: Date) => `timestamp(${quote(writeTime(value))})`,
};

function writeMap(map: object): string {
  const entries = all(entriesOf(map), ([key, value]) => {
    if (!keyKinds.has(kindOf(key))) throw new CelFailure(`no formatting function for map key of type ${kindOf(key)}`);
    return { key: writeInner(key), text: `${writeInner(key)}:${writeInner(value)}` };
  });
  return `{${entries
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join(', ')}}`;
}

const keyKinds: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint']);

/** What becomes of each, as long as it is not too much together. */
function all<Of, Written>(list: readonly Of[], write: (each: Of) => Written): Written[] {
  let length = 0;
  return list.map((each) => {
    const written = write(each);
    length += typeof written === 'string' ? written.length : (written as { readonly text: string }).text.length;
    checkText(length);
    return written;
  });
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFailure('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
  }
}

function writeDuration(duration: CelDuration): string {
  const nanoseconds = nanosecondsOf(duration);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(size % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / second}${fraction && `.${fraction}`}s`;
}

const second = 1_000_000_000n;

function writeTime(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}
