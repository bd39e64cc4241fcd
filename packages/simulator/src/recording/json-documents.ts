import { RecordingError } from './types.ts';

/** One JSON value of a text, with the 1-based line on which it begins. */
export interface JSONDocument {
  readonly value: unknown;
  readonly line: number;
}

/** In characters. A longer value ends the reading. */
const maxDocumentLength = 256 * 1024 * 1024;

/**
 * Reads concatenated JSON objects or arrays, such as the lines of an audit log or the output of `kubectl get -w -o json`, one at a time: the memory
 * that it needs depends on the longest value only.
 * @throws RecordingError if the text is not JSON
 */
export async function* readJSONDocuments(source: string, chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<JSONDocument> {
  const decoder = new TextDecoder();
  const splitter = createSplitter(source);
  for await (const chunk of chunks) yield* splitter.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  yield* splitter.push(decoder.decode());
  splitter.end();
}

/** Finds where values begin and end, across chunks. */
function createSplitter(source: string) {
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let line = 1;
  let firstLine = 1;
  const fail = (at: number, problem: string): never => {
    throw new RecordingError(`${source}:${at}: ${problem}`);
  };
  const parse = (text: string): JSONDocument => {
    try {
      return { value: JSON.parse(text), line: firstLine };
    } catch {
      return fail(firstLine, 'not JSON: give the JSON lines of an audit log, or objects as kubectl prints them with -o json');
    }
  };
  const keep = (text: string): void => {
    parts.push(text);
    length += text.length;
    if (length > maxDocumentLength) fail(firstLine, `an object of more than ${maxDocumentLength} characters`);
  };
  return {
    *push(text: string): Generator<JSONDocument> {
      let start = 0;
      for (let i = 0; i < text.length; i += 1) {
        const unit = text.charCodeAt(i);
        if (unit === newline) line += 1;
        if (isEscaped) isEscaped = false;
        else if (isInString) {
          if (unit === backslash) isEscaped = true;
          else if (unit === quote) isInString = false;
        } else if (depth > 0 && unit === quote) isInString = true;
        else if (unit === openBrace || unit === openBracket) {
          if (depth === 0) [start, firstLine] = [i, line];
          depth += 1;
        } else if (depth > 0 && (unit === closeBrace || unit === closeBracket)) {
          depth -= 1;
          if (depth > 0) continue;
          const document = parse(parts.join('') + text.slice(start, i + 1));
          [parts, length] = [[], 0];
          yield document;
        } else if (depth === 0 && unit > space && unit !== byteOrderMark)
          fail(line, `unexpected text ${JSON.stringify(text.slice(i, i + 20))}: give JSON, for an audit log with --audit-log-format=json`);
      }
      if (depth > 0) keep(text.slice(start));
    },
    end(): void {
      if (depth > 0) fail(firstLine, 'the file ends in the middle of this object');
    },
  };
}

const newline = 0x0a;
const space = 0x20;
const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;
