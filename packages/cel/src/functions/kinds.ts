// The library does not export the classes of its values, so these interfaces describe the used members.

export interface CelUint {
  readonly value: bigint;
}

/** The duration is the sum of both parts. In a negative duration, the seconds are negative, and the nanos may be negative or positive. */
export interface CelDuration {
  readonly seconds: bigint;
  readonly nanos: number;
  addDuration(other: CelDuration): CelDuration;
}

export interface CelOptional {
  hasValue(): boolean;
  value(): unknown;
}

/** The used members of the library's evaluator, which is the `this` of functions that are not arrow functions. */
export interface CelEvaluator {
  readonly objectTypes: ReadonlyMap<string, { readonly ctor: unknown }>;
  readonly registry: {
    findBinaryOverload(operator: string, left: object, right: object): false | { readonly handler: (...args: unknown[]) => boolean };
  };
  debugType(value: unknown): object;
  run(node: unknown, scope: unknown): unknown;
}

/** The name of a value's type in cel-go. */
export function kindOf(value: unknown): string {
  if (typeof value !== 'object') return kindByTypeof[typeof value] ?? typeof value;
  if (value === null) return 'null_type';
  if (value instanceof Date) return 'google.protobuf.Timestamp';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'list';
  if (isMap(value)) return 'map';
  return kindByClassName[value.constructor.name] ?? value.constructor.name;
}

export const isUint = (value: unknown): value is CelUint => kindOf(value) === 'uint';
export const isDuration = (value: unknown): value is CelDuration => kindOf(value) === 'google.protobuf.Duration';
export const isOptional = (value: unknown): value is CelOptional => kindOf(value) === 'optional_type';

/** True if a value is a map. The library represents map literals as plain objects with text keys. */
export const isMap = (value: object): boolean => value instanceof Map || [Object, undefined].includes(value.constructor as never);

export const entriesOf = (map: object): readonly (readonly [unknown, unknown])[] =>
  map instanceof Map ? [...map.entries()] : Object.entries(map);

export const nanosecondsOf = ({ seconds, nanos }: CelDuration): bigint => seconds * 1_000_000_000n + BigInt(nanos);

/** The name of a type that is used as a value. */
export const typeNameOf = (type: object): string => (type as { readonly name: string }).name;

/** A class of the library, by type name. */
export const classOf = <Class>({ objectTypes }: CelEvaluator, name: string): Class => objectTypes.get(name)?.ctor as Class;

const kindByTypeof: Readonly<Record<string, string>> = { bigint: 'int', number: 'double', boolean: 'bool', string: 'string' };
const kindByClassName: Readonly<Record<string, string>> = {
  UnsignedInt: 'uint',
  Duration: 'google.protobuf.Duration',
  Optional: 'optional_type',
  Type: 'type',
};
