import { isMap } from './checks.ts';
import { parseJSON } from './json.ts';
import type { Parsed } from './parsed.ts';
import { countLines, createLocator, parseYAML } from './yaml.ts';
import { splitList } from './yaml-list.ts';

/** One document of a source: what it holds, or why it cannot be read, and where things in it stand. */
export interface InputDocument {
  /** Counted from 1; documents that are empty do not count. */
  readonly number: number;
  readonly content: { readonly value: unknown; readonly error?: undefined } | { readonly error: string; readonly line: number | undefined };
  /** The number of the first item, where this is a part of a list. */
  readonly firstItem: number;
  /** The line of a field, or of the nearest that holds it; undefined where finding out would take long. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/** Beyond this a text is not parsed once more for the sake of a line's number. */
const longText = 256 * 1024;

/** The length from which a list in YAML is read item by item: the parser takes some hundred bytes of memory for each one of text. */
const longList = 64 * 1024;

/** The documents of a text, one parsed at a time: JSON where it begins with a brace or bracket, YAML otherwise. */
export function* readDocuments(text: string): Generator<InputDocument> {
  let number = 0;
  let line = 1;
  let counted = 0;
  for (const { start, end } of splitDocuments(text)) {
    const from = contentStart(text, start, end);
    if (from === undefined) continue;
    number++;
    line += countLines(text, counted, from);
    counted = from;
    const document = text.slice(from, end);
    if (document.startsWith('{') || document.startsWith('[')) yield readDocument(document, number, line, parseJSON);
    else yield* readYAML(document, number, line);
  }
}

function* readYAML(text: string, number: number, firstLine: number): Generator<InputDocument> {
  const parts = text.length >= longList ? splitList(text) : undefined;
  const list = parts && parseYAML(parts.rest).value;
  if (!parts || !isMap(list) || !String(list['kind']).endsWith('List')) return yield readDocument(text, number, firstLine, parseYAML);
  let line = firstLine;
  let counted = 0;
  for (const [firstItem, item] of parts.items.entries()) {
    line += countLines(text, counted, item.start);
    counted = item.start;
    const { content, lineOf } = readDocument(text.slice(item.start, item.end), number, line, parseYAML);
    yield {
      number,
      content: content.error === undefined ? { value: { ...list, items: content.value } } : content,
      firstItem,
      lineOf: ([, , ...path]) => lineOf([0, ...path]),
    };
  }
}

function readDocument(text: string, number: number, firstLine: number, parse: (text: string) => Parsed): InputDocument {
  const parsed = parse(text);
  const content =
    parsed.error === undefined
      ? { value: parsed.value }
      : { error: parsed.error, line: parsed.offset === undefined ? firstLine : firstLine + countLines(text, 0, parsed.offset) };
  const locate = createLocator(text);
  return {
    number,
    content,
    firstItem: 0,
    lineOf(path) {
      if (path.length === 0) return firstLine;
      if (text.length > longText) return undefined;
      const line = locate(path);
      return line === undefined ? firstLine : firstLine + line;
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans between lines that begin with "---" or "...", which nothing in YAML or JSON can contain. */
function* splitDocuments(text: string): Generator<Span> {
  let start = 0;
  for (const match of text.matchAll(/^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm)) {
    yield { start, end: match.index };
    start = match.index + match[0].length;
  }
  yield { start, end: text.length };
}

/** Where the first line begins that is neither blank, comment nor directive; undefined where there is none. */
function contentStart(text: string, start: number, end: number): number | undefined {
  let at = start;
  while (at < end) {
    let first = at;
    while (first < end && ' \t\r'.includes(text[first] as string)) first++;
    if (first >= end) return undefined;
    const unit = text[first] as string;
    if (unit === '{' || unit === '[') return first;
    if (unit !== '\n' && unit !== '#' && unit !== '%') return at;
    const newline = text.indexOf('\n', first);
    at = newline === -1 ? end : newline + 1;
  }
  return undefined;
}
