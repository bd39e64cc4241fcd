import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { type ApiType, apiTypes, type StructType } from '../resources/index.ts';
import { fieldNumbers } from './numbers.ts';

/** Dependencies of the message reader. */
export interface Reading {
  readonly planOf: (struct: StructType) => Plan;
  readonly reader: (bytes: Uint8Array) => BinaryReader;
}

type Fields = Record<string, unknown>;

/**
 * Reads a message as the JSON of its type; skips unknown fields.
 * @throws Error if the bytes are no valid message
 */
export function readMessage(reading: Reading, struct: StructType, bytes: Uint8Array): Fields {
  const object: Fields = {};
  readInto(object, reading, reading.planOf(struct), bytes);
  return object;
}

function readInto(object: Fields, reading: Reading, plan: Plan, bytes: Uint8Array): void {
  const reader = reading.reader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = plan.get(number);
    if (!field || wire !== wireOf(field)) reader.skip(wire, number);
    else if (field.embedded) readInto(object, reading, field.embedded, reader.bytes());
    else put(object, field.name, field.type, readValue(reading, itemOf(field.type), reader));
  }
}

/** Wire type: 0 varint, 1 eight bytes, 2 length-delimited. */
function wireOf(field: PlannedField): number {
  if (field.embedded) return 2;
  const { kind } = itemOf(field.type);
  if (kind === 'float') return 1;
  return kind === 'integer' || kind === 'bool' ? 0 : 2;
}

/** The type of a single occurrence of a field. */
function itemOf(type: ApiType): ApiType {
  if (type.kind === 'pointer') return itemOf(type.to);
  return type.kind === 'list' ? itemOf(type.of) : type;
}

/** Collects repeated fields and map entries; of other fields the last occurrence wins. */
function put(object: Fields, name: string, type: ApiType, value: unknown): void {
  const outer = type.kind === 'pointer' ? type.to : type;
  if (value === undefined) return;
  if (outer.kind === 'list') {
    object[name] ??= [];
    (object[name] as unknown[]).push(value);
  } else if (outer.kind === 'map') {
    object[name] ??= {};
    const [key, item] = value as [string, unknown];
    Object.defineProperty(object[name], key, { value: item, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}

function readValue(reading: Reading, type: ApiType, reader: BinaryReader): unknown {
  return readers[type.kind](reading, type as never, reader);
}

type Kind = ApiType['kind'];
type Read<K extends Kind> = (reading: Reading, type: Extract<ApiType, { kind: K }>, reader: BinaryReader) => unknown;

const readers: { readonly [K in Kind]: Read<K> } = {
  text: (_, __, reader) => reader.string(),
  bytes: (_, __, reader) => Buffer.from(reader.bytes()).toString('base64'),
  bool: (_, __, reader) => reader.bool(),
  integer: (_, __, reader) => Number(reader.int64()),
  float: (_, __, reader) => reader.double(),
  time: (reading, _, reader) => timeIn(reading, reader, 0),
  microTime: (reading, _, reader) => timeIn(reading, reader, 6),
  quantity: (reading, _, reader) => scalarsIn(reading, reader)[1] ?? '0',
  intOrString(reading, _, reader) {
    const { 1: kind = 0, 2: number = 0, 3: text = '' } = scalarsIn(reading, reader);
    return kind === 1 ? text : number;
  },
  raw: (reading, _, reader) => JSON.parse(String(scalarsIn(reading, reader)[1] ?? 'null')),
  pointer: (reading, { to }, reader) => readValue(reading, to, reader),
  list: (reading, { of }, reader) => readValue(reading, of, reader),
  map: (reading, { of }, reader) => entryIn(reading, of, reader),
  struct: (reading, type, reader) => readMessage(reading, type, reader.bytes()),
};

/** Key and value are omitted on the wire if they are empty. */
function entryIn(reading: Reading, type: ApiType, outer: BinaryReader): [string, unknown] {
  const reader = reading.reader(outer.bytes());
  let [key, value]: [string, unknown] = ['', undefined];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === 2) key = reader.string();
    else if (number === 2) value = readValue(reading, type, reader);
    else reader.skip(wire, number);
  }
  return [key, value ?? emptyOf(type)];
}

const emptyOf = (type: ApiType): unknown => (type.kind === 'quantity' ? '0' : type.kind === 'list' ? [] : '');

/** Strings and numbers of a small message, by field number. */
function scalarsIn(reading: Reading, outer: BinaryReader): Record<number, string | number> {
  const reader = reading.reader(outer.bytes());
  const found: Record<number, string | number> = {};
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === 0) found[number] = Number(reader.int64());
    else if (wire === 2) found[number] = reader.string();
    else reader.skip(wire, number);
  }
  return found;
}

/** The zero time is absent, as in JSON. */
function timeIn(reading: Reading, reader: BinaryReader, digits: number): string | undefined {
  const { 1: seconds = 0, 2: nanoseconds = 0 } = scalarsIn(reading, reader);
  if (seconds === 0 && nanoseconds === 0) return undefined;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction = digits === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').slice(0, digits)}`;
  return `${whole}${fraction}Z`;
}

/** Fields of a message by field number. */
export type Plan = ReadonlyMap<number, PlannedField>;

type PlannedField =
  | { readonly name: string; readonly type: ApiType; readonly embedded?: undefined }
  /** An embedded message whose fields are inlined into the object in JSON. */
  | { readonly embedded: Plan };

/** Creates and caches plans by struct. @throws RangeError if the field numbers of a struct are unknown */
export function createPlans(): (struct: StructType) => Plan {
  const plans = new Map<StructType, Plan>();
  const names = new Map<ApiType, string>([...apiTypes].map(([name, type]) => [type, name]));
  const lines = linesOf(fieldNumbers);
  return (struct) => {
    const known = plans.get(struct);
    if (known) return known;
    const plan = planOf(struct, names.get(struct) ?? '', lines);
    plans.set(struct, plan);
    return plan;
  };
}

type Lines = ReadonlyMap<string, readonly string[]>;

const linesOf = (table: string): Lines =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', ...fields]) => [name, fields]),
  );

function planOf(struct: StructType, name: string, lines: Lines): Plan {
  const fields = lines.get(name);
  if (!fields) throw new RangeError(`no field numbers of ${struct.go}`);
  return new Map(fields.map((text) => readField(struct, text, lines)));
}

/** Parses "port=3" or "@2=core.VolumeSource". */
function readField(struct: StructType, text: string, lines: Lines): [number, PlannedField] {
  const [left = '', right = ''] = text.split('=');
  if (left.startsWith('@')) return [Number(left.slice(1)), { embedded: planOf(struct, right, lines) }];
  const field = struct.fields.get(left);
  if (!field) throw new RangeError(`${struct.go} has no field ${left}`);
  return [Number(right), { name: left, type: field.type }];
}
