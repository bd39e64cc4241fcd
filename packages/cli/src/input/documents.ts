import { isMap } from './checks.ts';
import { parseJSON } from './json.ts';
import { countLines, createLocator, type ParseResult, parseYAML, splitList } from './yaml.ts';

/** One document of a source: its content or a parse error, and the line numbers of its fields. */
export interface InputDocument {
  /** 1-based; empty documents do not count. */
  readonly number: number;
  readonly content: { readonly value: unknown; readonly error?: undefined } | { readonly error: string; readonly line: number | undefined };
  /** Index of the first item, if this document is a part of a list. */
  readonly firstItemIndex: number;
  /** Returns the line of a field, or of its nearest ancestor in the text. Undefined if the line is unknown, as in a very long text. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/** In characters. A longer text is not parsed a second time to find a line number. */
const maxLocatableLength = 256 * 1024;

/** In characters. Longer YAML lists are read item by item: the parser takes some hundred bytes of memory per byte of text. */
const minSplitLength = 64 * 1024;

/** Yields the documents of a text, parsing one at a time: JSON if it begins with a brace or bracket, otherwise YAML. */
export function* readDocuments(text: string): Generator<InputDocument> {
  let number = 0;
  let line = 1;
  let countedOffset = 0;
  for (const { start, end } of splitDocuments(text)) {
    const contentOffset = findContentStart(text, start, end);
    if (contentOffset === undefined) continue;
    number++;
    line += countLines(text, countedOffset, contentOffset);
    countedOffset = contentOffset;
    const document = text.slice(contentOffset, end);
    if (document.startsWith('{') || document.startsWith('[')) yield readDocument(document, number, line, parseJSON);
    else yield* readYAML(document, number, line);
  }
}

function* readYAML(text: string, number: number, firstLine: number): Generator<InputDocument> {
  const parts = text.length >= minSplitLength ? splitList(text) : undefined;
  const list = parts && parseYAML(parts.rest).value;
  if (!parts || !isMap(list) || !String(list['kind']).endsWith('List')) return yield readDocument(text, number, firstLine, parseYAML);
  let line = firstLine;
  let countedOffset = 0;
  for (const [firstItemIndex, item] of parts.items.entries()) {
    line += countLines(text, countedOffset, item.start);
    countedOffset = item.start;
    const { content, lineOf } = readDocument(text.slice(item.start, item.end), number, line, parseYAML);
    yield {
      number,
      content: content.error === undefined ? { value: { ...list, items: content.value } } : content,
      firstItemIndex,
      // The path begins with "items" and the index of the item, but the text has one item only.
      lineOf: ([, , ...path]) => lineOf([0, ...path]),
    };
  }
}

function readDocument(text: string, number: number, firstLine: number, parse: (text: string) => ParseResult): InputDocument {
  const parsed = parse(text);
  const content =
    parsed.error === undefined
      ? { value: parsed.value }
      : { error: parsed.error, line: parsed.offset === undefined ? firstLine : firstLine + countLines(text, 0, parsed.offset) };
  const locate = createLocator(text);
  return {
    number,
    content,
    firstItemIndex: 0,
    lineOf(path) {
      if (path.length === 0) return firstLine;
      if (text.length > maxLocatableLength) return undefined;
      const line = locate(path);
      return line === undefined ? firstLine : firstLine + line;
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans between lines that begin with "---" or "...". No value in YAML or JSON can contain such a line. */
function* splitDocuments(text: string): Generator<Span> {
  let start = 0;
  for (const match of text.matchAll(/^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm)) {
    yield { start, end: match.index };
    start = match.index + match[0].length;
  }
  yield { start, end: text.length };
}

/** Finds the first line that is not blank, a comment or a directive. Returns its offset; undefined if the text has no such line. */
function findContentStart(text: string, start: number, end: number): number | undefined {
  let offset = start;
  while (offset < end) {
    let first = offset;
    while (first < end && ' \t\r'.includes(text[first] as string)) first++;
    if (first >= end) return undefined;
    const unit = text[first] as string;
    if (unit === '{' || unit === '[') return first;
    if (unit !== '\n' && unit !== '#' && unit !== '%') return offset;
    const newline = text.indexOf('\n', first);
    offset = newline === -1 ? end : newline + 1;
  }
  return undefined;
}
