import { jsonSyntaxProblem } from '../resources/index.ts';
import { isFields } from '../store/fields.ts';

/** The result of parsing JSON. */
interface ReadJson {
  readonly value: unknown;
  /** The duplicate keys, if any. */
  readonly repeated?: Repeated;
  /** Numbers whose text differs from what JavaScript would write: path -> text as sent. */
  readonly numbers?: Numbers;
  /** Why the text cannot be parsed. */
  readonly problem?: string;
}

export type Numbers = ReadonlyMap<string, string>;

export interface Repeated {
  /** Paths of duplicate keys, each with the position of the duplicate among all keys. */
  readonly keys: readonly { readonly path: string; readonly position: number }[];
  /** The position at which each path first occurs. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Maximum nesting depth of a body. No API object comes near it, and many functions recurse into bodies. */
export const maxDepth = 1000;

/**
 * Parses JSON and reports duplicate keys.
 *
 * @param merging whether objects under duplicate keys are merged, as in a Go struct; otherwise the last one wins
 */
export function readJson(text: string, merging: boolean): ReadJson {
  let value: unknown;
  try {
    value = halfCharacter.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  } catch {
    return { value: undefined, problem: jsonSyntaxProblem(text) ?? 'exceeded max depth' };
  }
  // Each level of nesting takes two characters, an opening and a closing bracket.
  const couldBeDeep = text.length > 2 * maxDepth;
  if (couldBeDeep && isDeep(value, maxDepth)) return { value: undefined, problem: problemOfDepth(text) ?? 'exceeded max depth' };
  // If encoding the value gives the same text, there are no duplicate keys. This check is much faster than searching for them.
  if (isSame(text, JSON.stringify(value))) return { value };
  const problem = couldBeDeep ? problemOfDepth(text) : undefined;
  if (problem !== undefined) return { value: undefined, problem };
  const { numbers, ...read } = readKeys(text, merging);
  return { ...(read.repeated.keys.length > 0 ? read : { value }), ...(numbers.size > 0 && { numbers }) };
}

/** Escapes that may be unpaired UTF-16 surrogates. */
const halfCharacter = /\\u[dD][89a-fA-F]/;

/** Replaces unpaired surrogates by U+FFFD, as Go does. */
const wellFormed = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

/** Most clients send exactly what JSON.stringify writes, some with a trailing line feed. */
const isSame = (text: string, canonical: string): boolean =>
  text === canonical || (text.length === canonical.length + 1 && text.endsWith('\n') && text.startsWith(canonical));

/** Whether a value nests deeper than `left` levels. */
export function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && isDeep(each, left - 1)) return true;
  return false;
}

/** Go's error names the first bracket beyond the limit. */
function problemOfDepth(text: string): string | undefined {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return `invalid character '${token}' exceeded max depth`;
  }
  return undefined;
}

interface Scan {
  readonly text: string;
  readonly merging: boolean;
  at: number;
  position: number;
  readonly positions: Map<string, number>;
  readonly keys: { path: string; position: number }[];
  readonly numbers: Map<string, string>;
}

/** Parses a text that is known to be valid JSON, key by key. */
function readKeys(text: string, merging: boolean): { readonly value: unknown; readonly repeated: Repeated; readonly numbers: Numbers } {
  const scan: Scan = { text, merging, at: 0, position: 0, positions: new Map(), keys: [], numbers: new Map() };
  const value = readValue(scan, '');
  return { value, repeated: { keys: scan.keys, positions: scan.positions }, numbers: scan.numbers };
}

const token = /\s*("(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,]+)/y;

function next(scan: Scan): string {
  token.lastIndex = scan.at;
  const found = token.exec(scan.text)?.[1] ?? '';
  scan.at = token.lastIndex;
  return found;
}

function readValue(scan: Scan, path: string, first = next(scan)): unknown {
  if (first === '{') return readObject(scan, path);
  if (first !== '[') return readScalar(scan, path, first);
  const items: unknown[] = [];
  for (let each = next(scan); each !== ']'; each = next(scan)) {
    if (each !== ',') items.push(readValue(scan, `${path}[${items.length}]`, each));
  }
  return items;
}

function readScalar({ numbers }: Scan, path: string, text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'number' && String(value) !== text) numbers.set(path, text);
  return value;
}

type Fields = Record<string, unknown>;

function readObject(scan: Scan, path: string): Fields {
  const object: Fields = {};
  const seen = new Set<string>();
  for (let each = next(scan); each !== '}'; each = next(scan)) {
    if (each === ',') continue;
    const key = JSON.parse(each) as string;
    const inner = path === '' ? key : `${path}.${key}`;
    next(scan);
    const position = scan.position++;
    if (!scan.positions.has(inner)) scan.positions.set(inner, position);
    const earlier = object[key];
    const value = readValue(scan, inner);
    if (seen.has(key)) {
      if (!scan.keys.some(({ path: known }) => known === inner)) scan.keys.push({ path: inner, position });
      put(object, key, scan.merging ? merged(earlier, value) : value);
    } else put(object, key, value);
    seen.add(key);
  }
  return object;
}

function merged(earlier: unknown, value: unknown): unknown {
  if (!isFields(earlier) || !isFields(value)) return value;
  const both: Fields = { ...earlier };
  for (const key of Object.keys(value)) put(both, key, Object.hasOwn(both, key) ? merged(both[key], value[key]) : value[key]);
  return both;
}

/** Defines any key as an own property, even `__proto__`. */
const put = (object: Fields, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/**
 * Why one of these numbers cannot be stored exactly as written; undefined if all can.
 *
 * Floats are the same in Go and JavaScript. For custom resources Go stores 64-bit integers; those that JavaScript would round are rejected.
 *
 * @param into the Go destination that the error message names
 */
export function numberProblem(numbers: Numbers | undefined, custom: boolean, into: string = 'Go value'): string | undefined {
  for (const written of numbers?.values() ?? []) {
    if (!Number.isFinite(Number(written))) return `json: cannot unmarshal number ${written} into ${into} of type float64`;
    if (custom && isChanged(written)) return `json: the number ${written} cannot be kept to its last digit`;
  }
  return undefined;
}

function isChanged(written: string): boolean {
  if (!/^-?\d+$/.test(written)) return false;
  const value = BigInt(written);
  return BigInt.asIntN(64, value) === value && BigInt(Number(written)) !== value;
}
