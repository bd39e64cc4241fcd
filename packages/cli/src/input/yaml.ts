import { findYamlPosition, readYaml, type YamlDocument, YamlError } from 'kube-endpoints/internal/apimachinery';
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
  return 'document' in composed ? { value: composed.document.value } : composed;
}

/**
 * Creates a function that returns the 0-based line at which a field's value, or its nearest ancestor, begins. Parses on the first call
 * only.
 */
export function createLocator(text: string): (path: readonly (string | number)[]) => number | undefined {
  let composed: ComposeResult | undefined;
  return (path) => {
    composed ??= compose(text, true);
    if (!('document' in composed)) return undefined;
    for (let length = path.length; length > 0; length--) {
      const position = findYamlPosition(composed.document.positions, path.slice(0, length));
      const offset = position?.start ?? position?.keyStart;
      if (offset !== undefined) return countLines(text, 0, offset);
    }
    return undefined;
  };
}

export function countLines(text: string, from: number, end: number): number {
  let lines = 0;
  for (let offset = text.indexOf('\n', from); offset !== -1 && offset < end; offset = text.indexOf('\n', offset + 1)) lines++;
  return lines;
}

type ComposeResult = { readonly document: YamlDocument } | { readonly error: string; readonly offset?: number | undefined };

/** Composes a document as kubectl does, except that keys are text and unique. */
function compose(text: string, positions = false): ComposeResult {
  try {
    const [document] = readYaml(text, { maxDepth: maxTextNesting, yaml11: true, textKeys: true, positions });
    if (!document) return { error: 'empty: give Kubernetes objects' };
    const duplicate = document.duplicateKeys.find(({ isMerged }) => !isMerged);
    if (!duplicate) return { document };
    return {
      error: `not usable YAML: the key ${formatValue(duplicate.key)} occurs twice in one map; remove one of the two`,
      offset: duplicate.keyOffset,
    };
  } catch (error) {
    if (error instanceof YamlError) return { error: describe(error, text), offset: error.offset };
    throw error;
  }
}

function describe({ code, message, offset = 0 }: YamlError, text: string): string {
  if (code === 'depth') return `nested more than ${maxTextNesting} levels deep: give Kubernetes objects`;
  if (code === 'anchor' || code === 'alias') return `not usable YAML: ${shorten(message)}; give the values themselves in place of aliases`;
  if (code === 'key') return 'not YAML: a list or map is used as a key; give text';
  const explanation = text[offset] === '\t' ? 'the indentation contains a tab; use spaces' : explanations[message];
  return `not YAML: ${explanation ?? shorten(message)}`;
}

const missing = 'a quote, bracket or comma is missing; close what was opened';

/** Clearer messages for the most frequent errors. */
const explanations: Readonly<Record<string, string>> = {
  'found unexpected end of stream': missing,
  "did not find expected ',' or ']'": missing,
  "did not find expected ',' or '}'": missing,
  'mapping values are not allowed in this context':
    'two keys are on one line, or text that contains ": " is not quoted; quote it or use separate lines',
  'found character that cannot start any token': 'text begins with a special character; quote it',
};

const shorten = (message: string): string => (message.length > 100 ? `${message.slice(0, 100)}...` : message);

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
