import type { Document, ParsedNode, YAMLParseError } from 'yaml';
import { isDeeper } from '../resources/field/read.ts';
import { maxDepth } from './json.ts';

/** The result of parsing YAML: its first document, as JSON values. */
interface ParsedYaml {
  readonly value: unknown;
  /** Duplicate keys of a mapping, as messages of the real server's parser. */
  readonly duplicateKeyMessages: readonly string[];
  /** Why the text cannot be parsed. */
  readonly problem?: string;
}

const maxAliases = 1000;

/** Parses YAML 1.1 like the real server's library: timestamps and binary data stay strings, and all keys become strings. */
export async function readYaml(text: string): Promise<ParsedYaml> {
  const yaml = await import('yaml');
  const lineCounter = new yaml.LineCounter();
  const createFailure = (problem: string): ParsedYaml => ({ value: undefined, duplicateKeyMessages: [], problem });
  try {
    const document = yaml.parseDocument(text, {
      version: '1.1',
      uniqueKeys: false,
      logLevel: 'silent',
      lineCounter,
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !(excludedTags.test(tag.tag) || tag.format === 'TIME')),
    });
    const syntaxError = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
    if (syntaxError) return createFailure(`yaml: ${messageOf(syntaxError)}`);
    const { duplicateKeyMessages, problem } = findKeyProblems(yaml, document, (offset) => lineCounter.linePos(offset).line);
    if (problem !== undefined) return createFailure(problem);
    const value: unknown = document.toJS({ maxAliasCount: maxAliases }) ?? null;
    return isDeeper(value, maxDepth) ? createFailure(`yaml: ${depthMessage}`) : { value, duplicateKeyMessages };
  } catch (error) {
    return createFailure(`yaml: ${problemOf(error)}`);
  }
}

/** Finds duplicate keys, keys that JSON cannot represent and recursive aliases. */
function findKeyProblems(
  { isAlias, isNode, isScalar, visit }: typeof import('yaml'),
  document: Document.Parsed,
  lineOf: (offset: number) => number,
): { readonly duplicateKeyMessages: readonly string[]; readonly problem: string | undefined } {
  const duplicateKeyMessages: string[] = [];
  let problem: string | undefined;
  visit(document, {
    Alias(_, { source }, path) {
      const isInsideOwnAnchor = path.some((node) => isNode(node) && (node as { readonly anchor?: string }).anchor === source);
      if (isInsideOwnAnchor) problem ??= `yaml: anchor '${source}' value contains itself`;
    },
    Map(_, { items }) {
      const seenNames = new Set<string>();
      for (const { key, value } of items) {
        const keyValue = isScalar(key) ? key.value : isAlias(key) ? key.resolve(document)?.toJSON() : key;
        if (keyValue === null || typeof keyValue === 'object') problem ??= formatUnsupportedKey(keyValue, value);
        const name = String(keyValue);
        const [start = 0] = (key as ParsedNode | null)?.range ?? [];
        if (seenNames.has(name)) duplicateKeyMessages.push(`line ${lineOf(start)}: key ${JSON.stringify(name)} already set in map`);
        seenNames.add(name);
      }
    },
  });
  return { duplicateKeyMessages, problem };
}

export async function writeYaml(json: string): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(json), { version: '1.1', sortMapEntries: true, aliasDuplicateObjects: false, lineWidth: 0 });
}

const excludedTags = /:(timestamp|binary|omap|pairs|set)$/;

/** Messages of kube-apiserver's YAML parser, by the error code of the package `yaml`. */
const upstreamMessages: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_SCALAR_START: 'found character that cannot start any token',
};

function problemOf(error: unknown): string {
  // A stack overflow means that the document nests too deeply.
  if (error instanceof RangeError) return depthMessage;
  if (!(error instanceof ReferenceError)) throw error;
  if (/excessive alias/i.test(error.message)) return 'document contains excessive aliasing';
  const anchor = /: (\S+)$/.exec(error.message)?.[1];
  return anchor === undefined ? error.message : `unknown anchor '${anchor}' referenced`;
}

function messageOf({ code, message, linePos }: YAMLParseError): string {
  // The parser catches its own stack overflow and reports it as an error.
  if (/call stack/.test(message)) return depthMessage;
  const upstreamMessage = upstreamMessages[code];
  if (upstreamMessage === undefined) return toFirstLine(message);
  const { line } = linePos?.[0] ?? { line: 1 };
  return line > 1 ? `line ${line}: ${upstreamMessage}` : upstreamMessage;
}

const depthMessage = 'exceeded max depth of 10000';

const toFirstLine = (message: string): string => (message.split('\n')[0] as string).replace(/ at line \d+, column \d+:?$/, '');

function formatUnsupportedKey(key: unknown, value: unknown): string {
  const type = key === null ? '%!s(<nil>)' : Array.isArray(key) ? 'slice' : 'map';
  const scalar = (value as { readonly value?: unknown } | null)?.value;
  return `unsupported map key of type: ${type}, key: ${key === null ? '<nil>' : 'map[]'}, value: ${JSON.stringify(scalar ?? null)}`;
}
