import { maxBodyDepth } from '../formats/yaml.ts';
import { isDeeper } from '../resources/field/read.ts';
import { jsonSyntaxProblem } from '../resources/index.ts';
import { isFields } from '../store/fields.ts';
import { readNumber } from '../store/index.ts';

interface ParsedJson {
  readonly value: unknown;
  readonly duplicateKeys?: DuplicateKeys;
  readonly numbers?: Numbers;
  /** Why the text cannot be parsed. */
  readonly problem?: string;
}

/** The text, as sent, of numbers that JavaScript would write differently, by path. */
export type Numbers = ReadonlyMap<string, string>;

export interface DuplicateKeys {
  /** Paths of duplicate keys, each with the position of the duplicate among all keys. */
  readonly keys: readonly { readonly path: string; readonly position: number }[];
  /** The position at which each path first occurs. */
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Parses JSON and reports duplicate keys.
 *
 * @param mergesObjects whether objects under duplicate keys are merged, as in a Go struct; otherwise the last value replaces the others
 * @param keepsIntegers whether 64-bit integers that a number cannot represent are BigInts; otherwise they are rounded
 */
export function readJson(text: string, mergesObjects: boolean, keepsIntegers = false): ParsedJson {
  let value: unknown;
  try {
    value = surrogateEscape.test(text) ? JSON.parse(text, toWellFormed) : JSON.parse(text);
  } catch {
    return { value: undefined, problem: jsonSyntaxProblem(text) ?? 'exceeded max depth' };
  }
  // Each level of nesting takes two characters, an opening and a closing bracket.
  const couldBeDeep = text.length > 2 * maxBodyDepth;
  if (couldBeDeep && isDeeper(value, maxBodyDepth)) return { value: undefined, problem: findDepthProblem(text) ?? 'exceeded max depth' };
  // If encoding the value gives the same text, there are no duplicate keys. This check is much faster than searching for them.
  if (isCanonical(text, JSON.stringify(value))) return { value };
  const problem = couldBeDeep ? findDepthProblem(text) : undefined;
  if (problem !== undefined) return { value: undefined, problem };
  const { numbers, duplicateKeys, ...parsedText } = readKeys(text, { mergesObjects, keepsIntegers });
  const hasDuplicates = duplicateKeys.keys.length > 0;
  return {
    value: hasDuplicates || (keepsIntegers && numbers.size > 0) ? parsedText.value : value,
    ...(hasDuplicates && { duplicateKeys }),
    ...(numbers.size > 0 && { numbers }),
  };
}

/** Matches escapes that may be unpaired UTF-16 surrogates. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Replaces unpaired surrogates by U+FFFD, as Go does. */
const toWellFormed = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

/** Whether the text is what JSON.stringify writes. Most clients send exactly what JSON.stringify writes, some with a trailing line feed. */
const isCanonical = (text: string, canonical: string): boolean =>
  text === canonical || (text.length === canonical.length + 1 && text.endsWith('\n') && text.startsWith(canonical));

/** Finds the first bracket beyond the depth limit, which Go's error names. Returns undefined if there is none. */
function findDepthProblem(text: string): string | undefined {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > maxBodyDepth) return `invalid character '${token}' exceeded max depth`;
  }
  return undefined;
}

interface Scan {
  readonly text: string;
  readonly mergesObjects: boolean;
  readonly keepsIntegers: boolean;
  offset: number;
  /** The number of keys read so far. */
  keyCount: number;
  readonly positions: Map<string, number>;
  readonly duplicates: { path: string; position: number }[];
  readonly numbers: Map<string, string>;
}

/** Parses a text that is known to be valid JSON, key by key. */
function readKeys(
  text: string,
  options: Pick<Scan, 'mergesObjects' | 'keepsIntegers'>,
): { readonly value: unknown; readonly duplicateKeys: DuplicateKeys; readonly numbers: Numbers } {
  const scan: Scan = { text, ...options, offset: 0, keyCount: 0, positions: new Map(), duplicates: [], numbers: new Map() };
  const value = readValue(scan, '');
  return { value, duplicateKeys: { keys: scan.duplicates, positions: scan.positions }, numbers: scan.numbers };
}

const tokenPattern = /\s*("(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,]+)/y;

function nextToken(scan: Scan): string {
  tokenPattern.lastIndex = scan.offset;
  const text = tokenPattern.exec(scan.text)?.[1] ?? '';
  scan.offset = tokenPattern.lastIndex;
  return text;
}

function readValue(scan: Scan, path: string, firstToken = nextToken(scan)): unknown {
  if (firstToken === '{') return readObject(scan, path);
  if (firstToken !== '[') return readScalar(scan, path, firstToken);
  const items: unknown[] = [];
  for (let each = nextToken(scan); each !== ']'; each = nextToken(scan)) {
    if (each !== ',') items.push(readValue(scan, `${path}[${items.length}]`, each));
  }
  return items;
}

function readScalar({ numbers, keepsIntegers }: Scan, path: string, text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number') return value;
  if (String(value) !== text) numbers.set(path, text);
  return keepsIntegers ? readNumber(text) : value;
}

type Fields = Record<string, unknown>;

function readObject(scan: Scan, path: string): Fields {
  const object: Fields = {};
  const seenKeys = new Set<string>();
  for (let each = nextToken(scan); each !== '}'; each = nextToken(scan)) {
    if (each === ',') continue;
    const key = JSON.parse(each) as string;
    const keyPath = path === '' ? key : `${path}.${key}`;
    nextToken(scan);
    const position = scan.keyCount++;
    if (!scan.positions.has(keyPath)) scan.positions.set(keyPath, position);
    const previousValue = object[key];
    const value = readValue(scan, keyPath);
    if (seenKeys.has(key)) {
      if (!scan.duplicates.some((duplicate) => duplicate.path === keyPath)) scan.duplicates.push({ path: keyPath, position });
      defineField(object, key, scan.mergesObjects ? mergeValues(previousValue, value) : value);
    } else defineField(object, key, value);
    seenKeys.add(key);
  }
  return object;
}

function mergeValues(previousValue: unknown, value: unknown): unknown {
  if (!isFields(previousValue) || !isFields(value)) return value;
  const result: Fields = { ...previousValue };
  for (const key of Object.keys(value))
    defineField(result, key, Object.hasOwn(result, key) ? mergeValues(result[key], value[key]) : value[key]);
  return result;
}

/** Defines any key as an own property, even `__proto__`. */
const defineField = (object: Fields, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/**
 * Finds a number that cannot be stored and says why. Returns undefined if all numbers can be stored.
 * @param goDestination the Go destination that the message names
 */
export function findNumberProblem(numbers: Numbers | undefined, goDestination: string = 'Go value'): string | undefined {
  for (const numberText of numbers?.values() ?? []) {
    if (!Number.isFinite(Number(numberText))) return `json: cannot unmarshal number ${numberText} into ${goDestination} of type float64`;
  }
  return undefined;
}
