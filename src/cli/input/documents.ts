import { parseJSON } from './json.ts';
import type { Parsed } from './parsed.ts';
import { countLines, createLocator, parseYAML } from './yaml.ts';

/** One document of a source: what it holds, or why it cannot be read, and where things in it stand. */
export interface InputDocument {
  /** Counted from 1; documents that are empty do not count. */
  readonly number: number;
  readonly content: { readonly value: unknown; readonly error?: undefined } | { readonly error: string; readonly line: number | undefined };
  /** The line of a field, or of the nearest that holds it; undefined where finding out would take long. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/** Beyond this a text is not parsed once more for the sake of a line's number. */
const longText = 256 * 1024;

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
    yield readDocument(text.slice(from, end), number, line);
  }
}

function readDocument(text: string, number: number, firstLine: number): InputDocument {
  const parsed: Parsed = text.startsWith('{') || text.startsWith('[') ? parseJSON(text) : parseYAML(text);
  const content =
    parsed.error === undefined
      ? { value: parsed.value }
      : { error: parsed.error, line: parsed.offset === undefined ? firstLine : firstLine + countLines(text, 0, parsed.offset) };
  const locate = createLocator(text);
  return {
    number,
    content,
    lineOf(path) {
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
