import { compareText, scanQuantity } from 'kube-endpoints/internal/apimachinery';
import { podTemplateTypes } from './types.ts';

/**
 * Prints a Pod template as spew does with `%#v`, for its hash: each field of each struct with its type, even if it is not set. Mirrors
 * DeepHashObject (1.36, pkg/util/hash/hash.go) over v1.PodTemplateSpec.
 */
export const printPodTemplate = (template: object): string => printTyped('v1.PodTemplateSpec', template);

interface Field {
  readonly name: string;
  /** Undefined for an embedded struct, whose fields are those of its parent. */
  readonly json: string | undefined;
  readonly type: string;
}

interface Types {
  readonly structs: ReadonlyMap<string, readonly Field[]>;
  readonly aliases: ReadonlyMap<string, string>;
}

/** Returns the parsed types. */
const types: () => Types = /* @__PURE__ */ createTypesReader();

/** Parses the types at their first use. */
function createTypesReader(): () => Types {
  let parsed: Types | undefined;
  return () => {
    parsed ??= readTypes();
    return parsed;
  };
}

function readTypes(): Types {
  const structs = new Map<string, Field[]>();
  const aliases = new Map<string, string>();
  for (const line of podTemplateTypes.trim().split('\n')) {
    const [name = '', ...rest] = line.split(' ');
    if (name.startsWith('[')) aliases.set(name.slice(1, -1), rest[0] as string);
    else structs.set(name, rest.map(readField));
  }
  return { structs, aliases };
}

function readField(text: string): Field {
  const colon = text.indexOf(':');
  const [name = '', json] = text.slice(0, colon).split('=');
  const usual = name.slice(0, 1).toLowerCase() + name.slice(1);
  return { name, json: json === '' ? undefined : (json ?? usual), type: text.slice(colon + 1) };
}

const printTyped = (type: string, value: unknown): string => `(${type})${print(type, value)}`;

/** Prints a value without its type. */
function print(type: string, value: unknown): string {
  const isAbsent = value === undefined || value === null;
  if (type.startsWith('*')) return isAbsent ? nil : print(type.slice(1), value);
  const special = specialTypes[type];
  if (special) return special(value);
  const fields = types().structs.get(type);
  if (fields) return `{${fields.map((field) => printField(field, (value ?? {}) as Json)).join(' ')}}`;
  const basic = types().aliases.get(type) ?? type;
  if (basic.startsWith('[]')) {
    if (isAbsent) return nil;
    return `[${(value as unknown[]).map((item) => print(basic.slice(2), item)).join(' ')}]`;
  }
  if (basic.startsWith('map[')) return isAbsent ? nil : printMap(basic.slice(basic.indexOf(']') + 1), value as Json);
  if (isAbsent) return zeros[basic] ?? '';
  return String(value);
}

type Json = Readonly<Record<string, unknown>>;

const printField = ({ name, json, type }: Field, parent: Json): string =>
  `${name}:${printTyped(type, json === undefined ? parent : parent[json])}`;

const printMap = (itemType: string, map: Json): string => {
  const entries = Object.entries(map).sort(([a], [b]) => compareText(a, b));
  return `map[${entries.map(([key, item]) => `${key}:${print(itemType, item)}`).join(' ')}]`;
};

const nil = '<nil>';
const zeros: Readonly<Record<string, string>> = { bool: 'false', int32: '0', int64: '0' };

/** Types that JSON does not show as structs. */
const specialTypes: Readonly<Record<string, (value: unknown) => string>> = {
  // Templates have no times but zero ones.
  'v1.Time': () => '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}',
  'intstr.IntOrString': (value) => {
    const isText = typeof value === 'string';
    return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`;
  },
  'resource.Quantity': (value) => (value === undefined || value === null ? printAmount(0n, 0, '', '') : printQuantity(String(value))),
};

const printAmount = (value: bigint, scale: number, text: string, format: string): string =>
  `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} ` +
  `s:(string)${text} Format:(resource.Format)${format}}`;

const formats = { decimal: 'DecimalSI', exponent: 'DecimalExponent', binary: 'BinarySI' } as const;

/**
 * A quantity that fits in 64 bits; Go keeps its text if it is canonical. Mirrors the fast path of ParseQuantity (1.36,
 * apimachinery/pkg/api/resource/quantity.go).
 */
function printQuantity(text: string): string {
  const scanned = scanQuantity(text);
  if (typeof scanned === 'string' || text === '0') return printAmount(0n, 0, text, formats.decimal);
  const { isNegative, whole, fraction, format, exponent } = scanned;
  const digits = whole + fraction;
  const magnitude = BigInt(digits) * (format === 'binary' ? 2n ** BigInt(exponent) : 1n);
  const scale = (format === 'binary' ? 0 : exponent) - fraction.length;
  const isCanonical =
    format === 'binary'
      ? exponent % 10 === 0 && (BigInt(digits) & 7n) !== 0n
      : scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
  return printAmount(isNegative ? -magnitude : magnitude, scale, isCanonical ? text : '', formats[format]);
}
