import { YamlError } from './cursor.ts';

export interface ScalarOptions {
  /** Words and numbers of YAML 1.1, as in sigs.k8s.io/yaml; otherwise of the core schema of YAML 1.2. */
  readonly yaml11?: boolean;
  /** Integers of 64 bits beyond 2^53 are of type bigint instead of rounded. */
  readonly bigIntegers?: boolean;
}

type Scalar = string | number | bigint | boolean | null;

/** Resolves a scalar without quotes and tag. Mirrors resolve (go.yaml.in/yaml v2.4.3, resolve.go). */
export function resolvePlain(text: string, { yaml11 = false, bigIntegers = false }: ScalarOptions): Scalar {
  if (!hint.test(text)) return text;
  if (smallInteger.test(text)) return Number(text);
  if (Object.hasOwn(words, text)) return words[text] as Scalar;
  if (yaml11 && Object.hasOwn(words11, text)) return words11[text] as Scalar;
  const digits = yaml11 ? text.replaceAll('_', '') : text;
  const integer = readInteger(digits, yaml11);
  if (integer !== undefined) return bigIntegers && !Number.isSafeInteger(Number(integer)) ? integer : Number(integer);
  const number = floatPattern.test(digits) && !/^\._|__|_$/.test(text) ? Number(digits) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/**
 * Resolves a scalar with a tag of the prefix "tag:yaml.org,2002:". Scalars with other tags are text.
 * @throws YamlError if the text does not match the tag
 */
export function resolveTagged(tag: string, text: string, options: ScalarOptions): Scalar {
  if (tag === 'binary') return decodeBase64(text);
  if (!checkedTags.has(tag)) return text;
  const value = resolvePlain(text, options);
  const actualTag = tagOf(value, text);
  if (actualTag === tag || (tag === 'float' && actualTag === 'int')) return value;
  throw new YamlError('scalar', `cannot decode !!${actualTag} \`${text}\` as a !!${tag}`);
}

const checkedTags: ReadonlySet<string> = /* @__PURE__ */ new Set(['bool', 'int', 'float', 'null']);

function tagOf(value: Scalar, text: string): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return /^[-+]?\d*\.|^[^xX]*[eE]/.test(text) ? 'float' : 'int';
  return { boolean: 'bool', bigint: 'int' }[typeof value as string] ?? 'str';
}

/** Matches the first character of everything that is not a text. */
const hint = /^(?:$|[-+.~\dyYnNtTfFoO])/;
const smallInteger = /^[1-9]\d{0,14}$/;
const floatPattern = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

const words: Readonly<Record<string, Scalar>> = {
  ...{ '': null, '~': null, null: null, Null: null, NULL: null },
  ...{ true: true, True: true, TRUE: true, false: false, False: false, FALSE: false },
  ...{ '.nan': Number.NaN, '.NaN': Number.NaN, '.NAN': Number.NaN },
  ...{ '.inf': Infinity, '.Inf': Infinity, '.INF': Infinity, '+.inf': Infinity, '+.Inf': Infinity, '+.INF': Infinity },
  ...{ '-.inf': -Infinity, '-.Inf': -Infinity, '-.INF': -Infinity },
};

const words11: Readonly<Record<string, Scalar>> = {
  ...{ y: true, Y: true, yes: true, Yes: true, YES: true, on: true, On: true, ON: true },
  ...{ n: false, N: false, no: false, No: false, NO: false, off: false, Off: false, OFF: false },
};

/** Reads an integer of 64 bits. Mirrors strconv.ParseInt and ParseUint with base 0 for YAML 1.1. */
function readInteger(text: string, yaml11: boolean): bigint | undefined {
  const [, sign = '', digits = ''] = (yaml11 ? integer11 : integer12).exec(text) ?? [];
  if (digits === '' || digits.length > maxIntegerLength) return undefined;
  const octalPrefix = (yaml11 ? /^0[oO]?(?=[0-7])/ : /^0o/).exec(digits)?.[0] ?? '';
  const size = BigInt(octalPrefix === '' ? digits : `0o${digits.slice(octalPrefix.length)}`);
  const limit = { '': 2n ** 64n, '+': 2n ** 63n, '-': 2n ** 63n + 1n }[sign] as bigint;
  if (size >= limit) return undefined;
  return sign === '-' ? -size : size;
}

const integer11 = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const integer12 = /^([-+]?(?=\d+$)|)(0x[\da-fA-F]+|0o[0-7]+|\d+)$/;

/** 64 binary digits and their prefix. Conversion of more digits takes more than linear time. */
const maxIntegerLength = 66;

/** Decodes UTF-8; other bytes become U+FFFD. @throws YamlError */
function decodeBase64(text: string): string {
  const encoded = text.replace(/[\r\n]/g, '');
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new YamlError('scalar', '!!binary value contains invalid base64 data');
  const binary = atob(encoded);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new TextDecoder().decode(bytes);
}
