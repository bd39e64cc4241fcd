import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParseOptions,
  Parser,
  type ScalarTag,
  type SchemaOptions,
} from 'yaml';
import { formatValue } from '../print/text.ts';
import { maxTextNesting } from './nesting.ts';

/** A parsed value, or the error and its offset. */
export type ParseResult =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string; readonly offset?: number | undefined };

/** In characters. An object in etcd has at most 1.5 MB, so a longer YAML text is not a single object. */
export const maxYAMLLength: number = 4 * 1024 * 1024;

/** Parses one YAML document. */
export function parseYAML(text: string): ParseResult {
  if (text.length > maxYAMLLength) {
    return { error: `more than ${maxYAMLLength >> 20} MiB of YAML in one piece: give large lists as JSON (kubectl get -o json)` };
  }
  const composed = compose(text);
  if (!('document' in composed)) return composed;
  const { document } = composed;
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { error: `not usable YAML: ${shortenMessage(error)}; give the values themselves in place of aliases` };
  }
}

/**
 * Creates a function that returns the 0-based line at which a field's value, or its nearest ancestor, begins. Parses on the first call
 * only.
 */
export function createLocator(text: string): (path: readonly (string | number)[]) => number | undefined {
  let composed: ComposeResult | undefined;
  return (path) => {
    composed ??= compose(text);
    if (!('document' in composed)) return undefined;
    for (let length = path.length; length > 0; length--) {
      const node: unknown = composed.document.getIn(path.slice(0, length), true);
      const range =
        typeof node === 'object' && node !== null && 'range' in node ? (node.range as readonly number[] | undefined) : undefined;
      if (range?.[0] !== undefined) return countLines(text, 0, range[0]);
    }
    return undefined;
  };
}

export function countLines(text: string, from: number, end: number): number {
  let lines = 0;
  for (let offset = text.indexOf('\n', from); offset !== -1 && offset < end; offset = text.indexOf('\n', offset + 1)) lines++;
  return lines;
}

type ComposeResult = { readonly document: Document.Parsed } | { readonly error: string; readonly offset?: number };

/** Composes the document. Checks the depth after each token, because the composer recurses and a deep text would overflow its stack. */
function compose(text: string): ComposeResult {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  const addDocuments = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) for (const document of composer.next(token)) documents.push(document as Document.Parsed);
  };
  for (const lexeme of new Lexer().lex(text)) {
    addDocuments(parser.next(lexeme));
    if (parser.stack.length > maxTextNesting) return { error: `nested more than ${maxTextNesting} levels deep: give Kubernetes objects` };
  }
  addDocuments(parser.end());
  for (const document of composer.end()) documents.push(document as Document.Parsed);
  const [document] = documents;
  if (!document) return { error: 'empty: give Kubernetes objects' };
  const failure = document.errors[0];
  if (failure) return { error: `not YAML: ${errorTexts[failure.code] ?? shortenMessage(failure)}`, offset: failure.pos[0] };
  const duplicate = findDuplicateKey(document.contents);
  if (!duplicate) return { document };
  return {
    error: `not usable YAML: the key ${formatValue(duplicate.key)} occurs twice in one map; remove one of the two`,
    offset: duplicate.offset,
  };
}

/** Finds the first key that occurs twice in one map. Replaces the library's check, which compares all pairs of keys of a map. */
function findDuplicateKey(node: unknown): { readonly key: string; readonly offset: number } | undefined {
  if (isSeq(node)) return findFirst(node.items, findDuplicateKey);
  if (!isMap(node)) return undefined;
  const keys = new Set<string>();
  return findFirst(node.items, ({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name !== undefined && name !== '<<' && keys.has(name)) return { key: name, offset: (key as { range?: number[] }).range?.[0] ?? 0 };
    if (name !== undefined) keys.add(name);
    return findDuplicateKey(value);
  });
}

function findFirst<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = find(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Clearer messages for the most frequent errors. */
const errorTexts: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'the indentation contains a tab; use spaces',
  MISSING_CHAR: 'a quote, bracket or comma is missing; close what was opened',
  NON_STRING_KEY: 'a list or map is used as a key; give text',
  BLOCK_AS_IMPLICIT_KEY: 'two keys are on one line, or text that contains ": " is not quoted; quote it or use separate lines',
  BAD_SCALAR_START: 'text begins with a special character; quote it',
};

const shortenMessage = (error: unknown): string => {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;
  return message.length > 100 ? `${message.slice(0, 100)}...` : message;
};

/** kubectl parses YAML 1.1, where these words are booleans. A label whose value is such a word is therefore rejected here, too. */
const yaml11Booleans: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (word) => /^(?:y|on$)/i.test(word),
};

/** YAML 1.1 integers: octal with a leading zero, binary, and with underscores. */
const yaml11Integers: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(?:0[bB]_*[01][01_]*|0_*[0-7][0-7_]*|[1-9][\d_]*_[\d_]*)$/,
  resolve(word) {
    const digits = word.replaceAll('_', '').replace(/^[-+]/, '');
    const size = Number(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return word.startsWith('-') ? -size : size;
  },
};

const options: ParseOptions & DocumentOptions & SchemaOptions = {
  merge: true,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
  customTags: (tags) => [yaml11Integers, yaml11Booleans, ...tags],
};

/** A split list: `rest` is the text of the document without its items; each item is the span of a YAML sequence of one element. */
export interface ListParts {
  readonly rest: string;
  readonly items: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Splits the text of a `kind: List` in kubectl's layout without parsing it. Below `items:`, each line with "- " in the column of the first
 * dash starts an item; the items end at a line that is indented less. Returns undefined if the text has a different layout.
 */
export function splitList(text: string): ListParts | undefined {
  const head = /^items:[ \t]*\r?\n(?=([ ]*)- )/m.exec(text);
  if (!head) return undefined;
  const column = head[1] as string;
  const start = head.index + head[0].length;
  const starts: number[] = [];
  let end = text.length;
  for (let offset = start; offset < text.length; offset = nextLineOffset(text, offset)) {
    if (text.startsWith(`${column}- `, offset)) starts.push(offset);
    else if (!isWithinItem(text, offset, column.length)) {
      end = offset;
      break;
    }
  }
  const items = starts.map((from, i) => ({ start: from, end: starts[i + 1] ?? end }));
  return { rest: `${text.slice(0, head.index)}items: []\n${text.slice(end)}`, items };
}

const nextLineOffset = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
};

/** True if a line is blank, a comment, or indented deeper than the items' dashes. */
function isWithinItem(text: string, offset: number, column: number): boolean {
  let first = offset;
  while (text[first] === ' ') first++;
  const unit = text[first];
  return unit === undefined || unit === '\n' || unit === '\r' || unit === '#' || first - offset > column;
}
