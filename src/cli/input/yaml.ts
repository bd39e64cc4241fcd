import { Composer, type CST, type Document, isMap, isScalar, isSeq, Parser, type ScalarTag } from 'yaml';
import type { Parsed } from './parsed.ts';
import { splitList } from './yaml-list.ts';

/** A Kubernetes object is at most 1.5 MB in etcd; a YAML text beyond this that holds one object holds none. */
export const maxYAMLObject = 4 * 1024 * 1024;

/** Deeper than any Kubernetes object; far less than what recursion over it takes. */
export const maxNesting = 100;

/** The length from which a list is read item by item: the parser takes some hundred bytes of memory for each one of text. */
const longList = 64 * 1024;

/** Reads one YAML document. */
export function parseYAML(text: string): Parsed {
  const parts = text.length >= longList ? splitList(text) : undefined;
  if (!parts) return parseWhole(text);
  const rest = parseWhole(parts.rest);
  if (rest.error !== undefined) return parseWhole(text);
  const items: unknown[] = [];
  for (const { text: part, offset } of parts.items) {
    const item = parseWhole(part);
    // an alias may stand for something in another item
    if (item.error?.includes('alias') && text.length <= maxYAMLObject) return parseWhole(text);
    if (item.error !== undefined) return { ...item, offset: offset + (item.offset ?? 0) };
    items.push(...(item.value as unknown[]));
  }
  return { value: { ...(rest.value as object), items } };
}

/** Finds the line, counted from 0, in which a field's value begins, or the nearest that holds it. Parses once, when first asked. */
export function createLocator(text: string): (path: readonly (string | number)[]) => number | undefined {
  let composed: Composed | undefined;
  return (path) => {
    composed ??= compose(text);
    if (!('document' in composed)) return undefined;
    for (let length = path.length; length > 0; length--) {
      const node: unknown = composed.document.getIn(path.slice(0, length), true);
      const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as readonly number[] | undefined) : undefined;
      if (range?.[0] !== undefined) return countLines(text, 0, range[0]);
    }
    return undefined;
  };
}

/** How many lines end between two offsets. */
export function countLines(text: string, from: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function parseWhole(text: string): Parsed {
  if (text.length > maxYAMLObject) return { error: `is more than ${maxYAMLObject >> 20} MiB of YAML in one piece: give Kubernetes objects, large lists as JSON (kubectl get -o json)` };
  const composed = compose(text);
  if (!('document' in composed)) return composed;
  const { document } = composed;
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { error: `is not usable YAML: ${brief(error)}; give the values themselves in place of aliases` };
  }
}

type Composed = { readonly document: Document.Parsed } | { readonly error: string; readonly offset?: number };

/** Tokens are counted for their depth before nodes are made of them, because that is done by recursion. */
function compose(text: string): Composed {
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  for (const token of new Parser().parse(text)) {
    if (isDeeper(token, maxNesting)) return { error: `is nested more than ${maxNesting} levels deep: give Kubernetes objects`, offset: token.offset };
    documents.push(...(composer.next(token) as Iterable<Document.Parsed>));
  }
  documents.push(...(composer.end() as Iterable<Document.Parsed>));
  const [document] = documents;
  if (!document) return { error: 'is empty: give Kubernetes objects' };
  const failure = document.errors[0];
  if (failure) return { error: `is not YAML: ${brief(failure)}`, offset: failure.pos[0] };
  const twice = duplicateKey(document.contents);
  return twice ? { error: `is not usable YAML: the key ${JSON.stringify(twice.key)} stands twice in one map; remove one of the two`, offset: twice.offset } : { document };
}

function isDeeper(root: CST.Token, limit: number): boolean {
  const pending: [CST.Token | null | undefined, number][] = [[root, 0]];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const [token, depth] = entry;
    if (depth > limit) return true;
    if (!token) continue;
    if (token.type === 'document') pending.push([token.value, depth]);
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if ('key' in item) pending.push([item.key, depth + 1]);
      pending.push([item.value, depth + 1]);
    }
  }
  return false;
}

/** The library's own search compares every key with every other one of its map. */
function duplicateKey(node: unknown): { readonly key: string; readonly offset: number } | undefined {
  if (isSeq(node)) return first(node.items, duplicateKey);
  if (!isMap(node)) return undefined;
  const seen = new Set<string>();
  return first(node.items, ({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name !== undefined && name !== '<<' && seen.has(name)) return { key: name, offset: (key as { range?: number[] }).range?.[0] ?? 0 };
    if (name !== undefined) seen.add(name);
    return duplicateKey(value);
  });
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const brief = (error: unknown): string => {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;
  return message.length > 100 ? `${message.slice(0, 100)}...` : message;
};

/** kubectl reads YAML 1.1, to which these words are booleans; so a label with one of them is refused here as it is there. */
const wordsForBooleans: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (word) => /^(?:y|on$)/i.test(word),
};

const options = {
  merge: true,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
  customTags: [wordsForBooleans],
} as const;
