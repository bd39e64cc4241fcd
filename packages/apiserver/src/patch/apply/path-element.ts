import { compareText, quote } from 'kube-endpoints/internal/apimachinery';
import { encode, formatFloat } from '../go-format.ts';
import { getOwn, getSortedKeys, isMap, type JsonMap } from '../json.ts';

/**
 * One step of a field path in FieldsV1 notation: `f:name` is a field, `k:{"port":80}` a list item by its keys, `v:"x"` an item of a set,
 * `i:0` an item by its index. The form is canonical, so equal elements are equal strings.
 */
export type PathElement = string;
export type Path = readonly PathElement[];

export const createFieldElement = (name: string): PathElement => `f:${name}`;
export function createKeyElement(keys: JsonMap): PathElement {
  const parts = getSortedKeys(keys).map((key) => `${encodeValue(key)}:${encodeValue(keys[key])}`);
  return `k:{${parts.join(',')}}`;
}

export const createValueElement = (value: unknown): PathElement => `v:${encodeValue(value)}`;
export const createIndexElement = (index: number): PathElement => `i:${index}`;

/** Encodes as JSON, with a fast path for strings without escapes. */
const encodeValue = (value: unknown): string =>
  typeof value === 'number' ? encode(value) : typeof value === 'string' && unescapedText.test(value) ? `"${value}"` : encode(value);

const unescapedText = /^[\w ./:=@,+()*-]*$/;

/** The name of a field element; undefined for other elements. */
export const fieldNameOf = (element: PathElement): string | undefined => (element.startsWith('f:') ? element.slice(2) : undefined);

export const isKeyElement = (element: PathElement): boolean => element.startsWith('k:');

/**
 * Parses and canonicalizes an element; undefined for unknown kinds of elements.
 * @throws SyntaxError if it is invalid
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  if (text[0] === 'k') {
    const keys: unknown = JSON.parse(content);
    if (!isMap(keys)) throw new SyntaxError(`expect { or n, but found ${content[0]}`);
    return createKeyElement(keys);
  }
  if (text[0] === 'i' && !/^[+-]?\d+$/.test(content)) throw new SyntaxError(`strconv.Atoi: parsing ${quote(content)}: invalid syntax`);
  return text[0] === 'v'
    ? createValueElement(JSON.parse(content))
    : text[0] === 'i'
      ? createIndexElement(Number(content))
      : text[0] === 'f'
        ? text
        : undefined;
}

/** The order of `fieldpath.PathElement.Compare`: fields, keys, values, then indices. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left.startsWith('f:') && right.startsWith('f:')) return compareText(left, right);
  const kindDifference = kindOrder.indexOf(left.charAt(0)) - kindOrder.indexOf(right.charAt(0));
  if (kindDifference !== 0 || left === right) return kindDifference;
  const [first, second]: unknown[] = [left, right].map((element) => JSON.parse(element.slice(2)));
  return left.startsWith('k:') ? compareKeys(first as JsonMap, second as JsonMap) : compareValues(first, second);
}

/**
 * A path as messages show it: `.spec.ports[port=80,protocol="TCP"]`. By default formats numbers as floats, as Go does for paths read from
 * managed fields.
 */
export const formatPath = (path: Path, formatNumber: (value: number) => string = formatFloat): string =>
  path.map((element) => formatElement(element, formatNumber)).join('');

export function formatElement(element: PathElement, formatNumber: (value: number) => string = String): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  const content: unknown = JSON.parse(element.slice(2));
  if (element.startsWith('k:') && isMap(content)) {
    return `[${getSortedKeys(content)
      .map((key) => `${key}=${formatValue(getOwn(content, key), formatNumber)}`)
      .join(',')}]`;
  }
  return element.startsWith('v:') ? `[=${formatValue(content, formatNumber)}]` : `[${content}]`;
}

function formatValue(value: unknown, formatNumber: (value: number) => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item, formatNumber)).join(',')}]`;
  if (isMap(value)) {
    return getSortedKeys(value)
      .map((key) => `${key}=${formatValue(getOwn(value, key), formatNumber)}`)
      .join('');
  }
  return typeof value === 'string' ? quote(value) : typeof value === 'number' ? formatNumber(value) : String(value);
}

function compareKeys(left: JsonMap, right: JsonMap): number {
  const [leftKeys, rightKeys] = [getSortedKeys(left), getSortedKeys(right)];
  for (let index = 0; index < Math.min(leftKeys.length, rightKeys.length); index++) {
    const [leftName = '', rightName = ''] = [leftKeys[index], rightKeys[index]];
    const order = compareText(leftName, rightName) || compareValues(getOwn(left, leftName), getOwn(right, rightName));
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

/** The order of `value.Compare`. */
function compareValues(left: unknown, right: unknown): number {
  const kindDifference = valueKind(left) - valueKind(right);
  if (kindDifference !== 0) return kindDifference;
  if (typeof left === 'string') return compareText(left, String(right));
  if (Array.isArray(left) && Array.isArray(right)) {
    const firstDifference = left.findIndex((item, index) => index >= right.length || compareValues(item, right[index]) !== 0);
    return firstDifference === -1
      ? left.length - right.length
      : firstDifference >= right.length
        ? 1
        : compareValues(left[firstDifference], right[firstDifference]);
  }
  return isMap(left) && isMap(right) ? compareKeys(left, right) : Number(left) - Number(right);
}

function valueKind(value: unknown): number {
  const scalarIndex = ['number', 'string', 'boolean'].indexOf(typeof value === 'bigint' ? 'number' : typeof value);
  return scalarIndex !== -1 ? scalarIndex : value === null ? 5 : Array.isArray(value) ? 3 : 4;
}

const kindOrder = 'fkvi';
