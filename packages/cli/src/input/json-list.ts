import { isUtf8 } from 'node:buffer';
import { isMap } from './checks.ts';
import type { InputDocument } from './documents.ts';
import { parseJSON } from './json.ts';
import {
  containsBackslash,
  createLineCounter,
  equalsText,
  findOffset,
  openBrace,
  openBracket,
  quote,
  ScanError,
  scanList,
  scanObject,
  skipSpace,
  skipValue,
  textOf,
} from './json-scan.ts';
import { maxTextNesting } from './nesting.ts';

/** An item of a list in JSON, before it is parsed: the position of its text, and the fields that decide whether it is needed. */
export interface JSONItem {
  readonly start: number;
  readonly end: number;
  /** These are undefined unless they are text. */
  readonly kind: string | undefined;
  readonly apiVersion: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
  readonly hasStatus: boolean;
}

/** A document that is one list in JSON. */
export interface JSONList {
  readonly bytes: Uint8Array;
  /** The document without its items. */
  readonly list: Readonly<Record<string, unknown>>;
  readonly items: readonly JSONItem[];
}

/** In bytes. A shorter list is parsed as a whole. */
const minListLength = 64 * 1024;

/**
 * Finds the items of a long list in JSON without parsing them. Returns undefined for any other text, and if there may be something wrong
 * with it: the complete parser then finds the problem.
 */
export function findJSONList(bytes: Uint8Array): JSONList | undefined {
  if (bytes.length < minListLength) return undefined;
  const start = skipSpace(bytes, hasByteOrderMark(bytes) ? 3 : 0);
  if (bytes[start] !== openBrace || !isUtf8(bytes)) return undefined;
  try {
    return scanDocument(bytes, start);
  } catch (error) {
    if (error instanceof ScanError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const hasByteOrderMark = ([a, b, c]: Uint8Array): boolean => a === 0xef && b === 0xbb && c === 0xbf;

function scanDocument(bytes: Uint8Array, start: number): JSONList | undefined {
  const items: JSONItem[] = [];
  const lists: [start: number, end: number][] = [];
  const end = scanObject(bytes, start, (keyStart, keyEnd, valueStart) => {
    if (!equalsText(bytes, keyStart, keyEnd, 'items') || bytes[valueStart] !== openBracket)
      return skipValue(bytes, valueStart, maxTextNesting - 1);
    const listEnd = scanList(bytes, valueStart, (itemStart) => {
      const item = scanItem(bytes, itemStart);
      items.push(item);
      return item.end;
    });
    lists.push([valueStart, listEnd]);
    return listEnd;
  });
  const [span, ...others] = lists;
  if (!span || others.length > 0 || skipSpace(bytes, end) !== bytes.length) return undefined;
  const list: unknown = JSON.parse(`${textOf(bytes, start, span[0])}[]${textOf(bytes, span[1], end)}`);
  if (!isMap(list) || typeof list['kind'] !== 'string' || !list['kind'].endsWith('List')) return undefined;
  return { bytes, list, items };
}

type Header = { -readonly [Key in keyof Omit<JSONItem, 'start' | 'end'>]: JSONItem[Key] };

const createHeader = (): Header => ({
  kind: undefined,
  apiVersion: undefined,
  namespace: undefined,
  name: undefined,
  uid: undefined,
  hasStatus: false,
});

/** Of several members with the same key the last counts, as in JSON.parse. */
function scanItem(bytes: Uint8Array, start: number): JSONItem {
  const header = createHeader();
  // The document and its items are the first two levels.
  const skip = (valueStart: number): number => skipValue(bytes, valueStart, maxTextNesting - 3);
  if (bytes[start] !== openBrace) return { start, end: skip(start), ...header };
  const end = scanObject(bytes, start, (keyStart, keyEnd, valueStart) => {
    if (equalsText(bytes, keyStart, keyEnd, 'metadata')) return scanMetadata(bytes, valueStart, header);
    const valueEnd = skip(valueStart);
    if (equalsText(bytes, keyStart, keyEnd, 'kind')) header.kind = readText(bytes, valueStart, valueEnd);
    else if (equalsText(bytes, keyStart, keyEnd, 'apiVersion')) header.apiVersion = readText(bytes, valueStart, valueEnd);
    else if (equalsText(bytes, keyStart, keyEnd, 'status')) header.hasStatus = bytes[valueStart] === openBrace;
    return valueEnd;
  });
  return { start, end, ...header };
}

function scanMetadata(bytes: Uint8Array, start: number, header: Header): number {
  header.namespace = header.name = header.uid = undefined;
  const skip = (valueStart: number): number => skipValue(bytes, valueStart, maxTextNesting - 4);
  if (bytes[start] !== openBrace) return skip(start);
  return scanObject(bytes, start, (keyStart, keyEnd, valueStart) => {
    const valueEnd = skip(valueStart);
    if (equalsText(bytes, keyStart, keyEnd, 'namespace')) header.namespace = readText(bytes, valueStart, valueEnd);
    else if (equalsText(bytes, keyStart, keyEnd, 'name')) header.name = readText(bytes, valueStart, valueEnd);
    else if (equalsText(bytes, keyStart, keyEnd, 'uid')) header.uid = readText(bytes, valueStart, valueEnd);
    return valueEnd;
  });
}

/** Returns the text of a string; undefined for other values. */
function readText(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (bytes[start] !== quote) return undefined;
  return containsBackslash(bytes, start, end) ? JSON.parse(textOf(bytes, start, end)) : textOf(bytes, start + 1, end - 1);
}

/** Yields a document for each of these items: the list with only this item. */
export function* readJSONItems({ bytes, list, items }: JSONList, isNeeded: (item: JSONItem) => boolean): Generator<InputDocument> {
  const lineAt = createLineCounter(bytes);
  for (const [firstItemIndex, item] of items.entries()) {
    if (!isNeeded(item)) continue;
    yield {
      number: 1,
      content: parseItem(list, textOf(bytes, item.start, item.end), () => lineAt(item.start)),
      firstItemIndex,
      // The path begins with "items" and the index of the item.
      lineOf: ([, , ...path]) => lineAt(findOffset(bytes, item.start, path)),
    };
  }
}

function parseItem(list: JSONList['list'], text: string, findFirstLine: () => number): InputDocument['content'] {
  try {
    return { value: { ...list, items: [JSON.parse(text)] } };
  } catch {
    const parsed = parseJSON(text);
    if (parsed.error === undefined) return { value: parsed.value };
    return { error: parsed.error, line: findFirstLine() + text.slice(0, parsed.offset).split('\n').length - 1 };
  }
}
