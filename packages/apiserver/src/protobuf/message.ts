import type { BinaryReader } from '@bufbuild/protobuf/wire';
import type { ApiType, StructType } from '../api-types/index.ts';

export interface ReaderContext {
  readonly planOf: (struct: StructType) => Plan;
  readonly createReader: (bytes: Uint8Array) => BinaryReader;
}

type Fields = Record<string, unknown>;

/**
 * Reads a message as the JSON of its type; skips unknown fields.
 * @throws Error if the bytes are not a valid message
 */
export function readMessage(context: ReaderContext, struct: StructType, bytes: Uint8Array): Fields {
  const object: Fields = {};
  readInto(object, context, context.planOf(struct), bytes);
  return object;
}

function readInto(object: Fields, context: ReaderContext, plan: Plan, bytes: Uint8Array): void {
  const reader = context.createReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = plan.get(number);
    if (!field || wire !== wireOf(field)) reader.skip(wire, number);
    else if (field.embeddedPlan) readInto(object, context, field.embeddedPlan, reader.bytes());
    else put(object, field.name, field.type, readValue(context, itemOf(field.type), reader));
  }
}

/** Wire type: 0 varint, 1 eight bytes, 2 length-delimited. */
function wireOf(field: PlannedField): number {
  if (field.embeddedPlan) return 2;
  const { kind } = itemOf(field.type);
  if (kind === 'float') return 1;
  return kind === 'integer' || kind === 'bool' ? 0 : 2;
}

/** The type of a single occurrence of a field. */
function itemOf(type: ApiType): ApiType {
  if (type.kind === 'pointer') return itemOf(type.to);
  return type.kind === 'list' ? itemOf(type.of) : type;
}

/** Collects repeated fields and map entries; for other fields, the last occurrence replaces earlier ones. */
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

function readValue(context: ReaderContext, type: ApiType, reader: BinaryReader): unknown {
  return readers[type.kind](context, type as never, reader);
}

type Kind = ApiType['kind'];
type ValueReader<K extends Kind> = (context: ReaderContext, type: Extract<ApiType, { kind: K }>, reader: BinaryReader) => unknown;

const readers: { readonly [K in Kind]: ValueReader<K> } = {
  text: (_, __, reader) => reader.string(),
  bytes: (_, __, reader) => Buffer.from(reader.bytes()).toString('base64'),
  bool: (_, __, reader) => reader.bool(),
  integer: (_, __, reader) => Number(reader.int64()),
  float: (_, __, reader) => reader.double(),
  time: (context, _, reader) => readTime(context, reader, 0),
  microTime: (context, _, reader) => readTime(context, reader, 6),
  quantity: (context, _, reader) => readScalars(context, reader)[1] ?? '0',
  intOrString(context, _, reader) {
    const { 1: kind = 0, 2: number = 0, 3: text = '' } = readScalars(context, reader);
    return kind === 1 ? text : number;
  },
  raw: (context, _, reader) => JSON.parse(String(readScalars(context, reader)[1] ?? 'null')),
  pointer: (context, { to }, reader) => readValue(context, to, reader),
  list: (context, { of }, reader) => readValue(context, of, reader),
  map: (context, { of }, reader) => readMapEntry(context, of, reader),
  struct: (context, type, reader) => readMessage(context, type, reader.bytes()),
};

/** Reads an entry of a map. Empty keys and values are omitted on the wire. */
function readMapEntry(context: ReaderContext, type: ApiType, outer: BinaryReader): [string, unknown] {
  const reader = context.createReader(outer.bytes());
  let [key, value]: [string, unknown] = ['', undefined];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === 2) key = reader.string();
    else if (number === 2) value = readValue(context, type, reader);
    else reader.skip(wire, number);
  }
  return [key, value ?? emptyValueFor(type)];
}

const emptyValueFor = (type: ApiType): unknown => (type.kind === 'quantity' ? '0' : type.kind === 'list' ? [] : '');

/** Reads the strings and numbers of a small message, by field number. */
function readScalars(context: ReaderContext, outer: BinaryReader): Record<number, string | number> {
  const reader = context.createReader(outer.bytes());
  const scalars: Record<number, string | number> = {};
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === 0) scalars[number] = Number(reader.int64());
    else if (wire === 2) scalars[number] = reader.string();
    else reader.skip(wire, number);
  }
  return scalars;
}

/** Reads a time; undefined for the zero time, which JSON omits. */
function readTime(context: ReaderContext, reader: BinaryReader, digits: number): string | undefined {
  const { 1: seconds = 0, 2: nanoseconds = 0 } = readScalars(context, reader);
  if (seconds === 0 && nanoseconds === 0) return undefined;
  const dateTime = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  const fraction = digits === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').slice(0, digits)}`;
  return `${dateTime}${fraction}Z`;
}

/** The fields of a message by field number. */
export type Plan = ReadonlyMap<number, PlannedField>;

type PlannedField =
  | { readonly name: string; readonly type: ApiType; readonly embeddedPlan?: undefined }
  /** An embedded message whose fields are inlined into the object in JSON. */
  | { readonly embeddedPlan: Plan };

/** Creates a function that creates and caches the plan of a struct. */
export function createPlanLookup(): (struct: StructType) => Plan {
  const plans = new Map<StructType, Plan>();
  return (struct) => {
    const cached = plans.get(struct);
    if (cached) return cached;
    const plan = createPlan(struct);
    plans.set(struct, plan);
    return plan;
  };
}

function createPlan(struct: StructType): Plan {
  const plan: MutablePlan = new Map();
  for (const { name, type, numbers } of struct.fields.values()) {
    const number = numbers.at(-1);
    if (number !== undefined) ensureEmbeddedPlan(plan, numbers.slice(0, -1)).set(number, { name, type });
  }
  return plan;
}

type MutablePlan = Map<number, PlannedField>;

/** Returns the plan of the innermost embedded message; creates those that do not exist yet. */
function ensureEmbeddedPlan(plan: MutablePlan, numbers: readonly number[]): MutablePlan {
  let inner = plan;
  for (const number of numbers) {
    const embeddedPlan = (inner.get(number)?.embeddedPlan ?? new Map()) as MutablePlan;
    inner.set(number, { embeddedPlan });
    inner = embeddedPlan;
  }
  return inner;
}
