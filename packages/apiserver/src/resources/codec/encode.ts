import type { ApiType, StructType } from '../schema/index.ts';
import { zeroQuantity } from './quantity.ts';

/** A decoded object as the API server prints it: fields in their order, and with the zeros that Go's tags do not leave out. */
export function encode(type: StructType, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const printed: Record<string, unknown> = {};
  for (const field of type.fields.values()) {
    const each = value[field.name];
    if (each !== undefined) printed[field.name] = encodeValue(field.type, each);
    else if (!(field.omitZero || (field.omitEmpty && canBeEmpty(field.type)))) printed[field.name] = zeroPrinted(field.type);
  }
  return printed;
}

/** Go never takes a struct for empty, and times, quantities and the like are structs. */
export const canBeEmpty = ({ kind }: ApiType): boolean => !['struct', 'time', 'microTime', 'quantity', 'intOrString'].includes(kind);

function encodeValue(type: ApiType, value: unknown): unknown {
  switch (type.kind) {
    case 'pointer':
      return encodeValue(type.to, value);
    case 'struct':
      return encode(type, value as Record<string, unknown>);
    case 'list':
      return type.of.kind === 'text' ? value : (value as unknown[]).map((each) => encodeValue(type.of, each));
    case 'map':
      return type.of.kind === 'text'
        ? value
        : Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, encodeValue(type.of, each)]));
    default:
      return value;
  }
}

/** How what is not there is printed. */
export function zeroPrinted(type: ApiType): unknown {
  return type.kind === 'struct' ? encode(type, {}) : zeros[type.kind];
}

const zeros: Readonly<Partial<Record<ApiType['kind'], unknown>>> = {
  text: '',
  bool: false,
  integer: 0,
  float: 0,
  intOrString: 0,
  quantity: zeroQuantity.text,
  bytes: null,
  time: null,
  microTime: null,
  pointer: null,
  list: null,
  map: null,
};
