import { jsonSyntaxProblem } from '../resources/index.ts';
import { isFields } from '../store/fields.ts';

/** What comes of reading JSON. */
interface ReadJson {
  readonly value: unknown;
  /** Where the keys are that stand twice in one object; absent where there are none. */
  readonly repeated?: Repeated;
  /** Numbers that JavaScript writes differently, as they are written, by their paths; absent where there are none. */
  readonly numbers?: Numbers;
  /** Why it cannot be read. */
  readonly problem?: string;
}

export type Numbers = ReadonlyMap<string, string>;

export interface Repeated {
  /** Paths of keys that stand there for a second time, with the place in the order of all keys. */
  readonly keys: readonly { readonly path: string; readonly place: number }[];
  /** Where in that order each path first stands. */
  readonly places: ReadonlyMap<string, number>;
}

/** How deep a body may nest. Nothing in the API comes near it, and much of what looks at a body is recursive. */
export const maxDepth = 1000;

/**
 * Reads JSON, and tells of keys that stand twice.
 *
 * @param merging whether objects of the same key become one, as they do in a Go struct; else the last of them counts
 */
export function readJson(text: string, merging: boolean): ReadJson {
  let value: unknown;
  try {
    value = halfCharacter.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  } catch {
    return { value: undefined, problem: jsonSyntaxProblem(text) ?? 'exceeded max depth' };
  }
  // A bracket takes a character to open, and one to close.
  const couldBeDeep = text.length > 2 * maxDepth;
  if (couldBeDeep && isDeep(value, maxDepth)) return { value: undefined, problem: problemOfDepth(text) ?? 'exceeded max depth' };
  // Where nothing is lost by it, nothing stands twice; and it is much faster than to look for that.
  if (isSame(text, JSON.stringify(value))) return { value };
  const problem = couldBeDeep ? problemOfDepth(text) : undefined;
  if (problem !== undefined) return { value: undefined, problem };
  const { numbers, ...read } = readKeys(text, merging);
  return { ...(read.repeated.keys.length > 0 ? read : { value }), ...(numbers.size > 0 && { numbers }) };
}

/** What may be half a character that takes two of UTF-16's units. */
const halfCharacter = /\\u[dD][89a-fA-F]/;

/** Go reads half a character as the one that stands for what is wrong. */
const wellFormed = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

/** Most clients send what JSON.stringify would, some with a line feed. */
const isSame = (text: string, canonical: string): boolean =>
  text === canonical || (text.length === canonical.length + 1 && text.endsWith('\n') && text.startsWith(canonical));

/** Whether a value nests deeper than so many levels. */
export function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const each of Object.values(value)) if (typeof each === 'object' && isDeep(each, left - 1)) return true;
  return false;
}

/** Go names the bracket that is one too many. */
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
  place: number;
  readonly places: Map<string, number>;
  readonly keys: { path: string; place: number }[];
  readonly numbers: Map<string, string>;
}

/** Reads a text that is known to be JSON, key by key. */
function readKeys(text: string, merging: boolean): { readonly value: unknown; readonly repeated: Repeated; readonly numbers: Numbers } {
  const scan: Scan = { text, merging, at: 0, place: 0, places: new Map(), keys: [], numbers: new Map() };
  const value = readValue(scan, '');
  return { value, repeated: { keys: scan.keys, places: scan.places }, numbers: scan.numbers };
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
    const place = scan.place++;
    if (!scan.places.has(inner)) scan.places.set(inner, place);
    const earlier = object[key];
    const value = readValue(scan, inner);
    if (seen.has(key)) {
      if (!scan.keys.some(({ path: known }) => known === inner)) scan.keys.push({ path: inner, place });
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

/** Any key is data, `__proto__` too. */
const put = (object: Fields, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/**
 * Why one of these numbers cannot be kept as it is written; undefined where all can.
 *
 * What is a float to Go is the same here. Of the integers of 64 bits that Go keeps in custom resources, those are refused that
 * JavaScript would change.
 *
 * @param into what Go says that it reads into
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
