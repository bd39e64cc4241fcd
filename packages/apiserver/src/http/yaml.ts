import type { Document, ParsedNode, YAMLParseError } from 'yaml';
import { isDeeper } from '../resources/field/read.ts';
import { maxDepth } from './json.ts';

/** The result of parsing YAML: its first document, as JSON values. */
interface ParsedYaml {
  readonly value: unknown;
  /** Duplicate keys of a mapping, as messages of the real server's parser. */
  readonly repeated: readonly string[];
  /** Why the text cannot be parsed. */
  readonly problem?: string;
}

const maxAliases = 1000;

/** Parses YAML 1.1 like the real server's library: timestamps and binary data stay strings, and all keys become strings. */
export async function readYaml(text: string): Promise<ParsedYaml> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const failed = (problem: string): ParsedYaml => ({ value: undefined, repeated: [], problem });
  try {
    const document = yaml.parseDocument(text, {
      version: '1.1',
      uniqueKeys: false,
      logLevel: 'silent',
      lineCounter: lines,
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !(excludedTags.test(tag.tag) || tag.format === 'TIME')),
    });
    const syntaxError = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
    if (syntaxError) return failed(`yaml: ${messageOf(syntaxError)}`);
    const { repeated, problem } = findKeyProblems(yaml, document, (offset) => lines.linePos(offset).line);
    if (problem !== undefined) return failed(problem);
    const value: unknown = document.toJS({ maxAliasCount: maxAliases }) ?? null;
    return isDeeper(value, maxDepth) ? failed(`yaml: ${tooDeep}`) : { value, repeated };
  } catch (error) {
    return failed(`yaml: ${problemOf(error)}`);
  }
}

/** Finds duplicate keys, keys that JSON cannot represent and recursive aliases. */
function findKeyProblems(
  { isAlias, isNode, isScalar, visit }: typeof import('yaml'),
  document: Document.Parsed,
  lineOf: (offset: number) => number,
): { readonly repeated: readonly string[]; readonly problem: string | undefined } {
  const repeated: string[] = [];
  let problem: string | undefined;
  visit(document, {
    Alias(_, { source }, path) {
      const isInsideOwnAnchor = path.some((node) => isNode(node) && (node as { readonly anchor?: string }).anchor === source);
      if (isInsideOwnAnchor) problem ??= `yaml: anchor '${source}' value contains itself`;
    },
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key, value } of items) {
        const keyValue = isScalar(key) ? key.value : isAlias(key) ? key.resolve(document)?.toJSON() : key;
        if (keyValue === null || typeof keyValue === 'object') problem ??= unsupportedKey(keyValue, value);
        const name = String(keyValue);
        const [start = 0] = (key as ParsedNode | null)?.range ?? [];
        if (seen.has(name)) repeated.push(`line ${lineOf(start)}: key ${JSON.stringify(name)} already set in map`);
        seen.add(name);
      }
    },
  });
  return { repeated, problem };
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
  if (error instanceof RangeError) return tooDeep;
  if (!(error instanceof ReferenceError)) throw error;
  if (/excessive alias/i.test(error.message)) return 'document contains excessive aliasing';
  const anchor = /: (\S+)$/.exec(error.message)?.[1];
  return anchor === undefined ? error.message : `unknown anchor '${anchor}' referenced`;
}

function messageOf({ code, message, linePos }: YAMLParseError): string {
  // The parser catches its own stack overflow and reports it as an error.
  if (/call stack/.test(message)) return tooDeep;
  const upstreamMessage = upstreamMessages[code];
  if (upstreamMessage === undefined) return firstLine(message);
  const { line } = linePos?.[0] ?? { line: 1 };
  return line > 1 ? `line ${line}: ${upstreamMessage}` : upstreamMessage;
}

const tooDeep = 'exceeded max depth of 10000';

const firstLine = (message: string): string => (message.split('\n')[0] as string).replace(/ at line \d+, column \d+:?$/, '');

function unsupportedKey(key: unknown, value: unknown): string {
  const type = key === null ? '%!s(<nil>)' : Array.isArray(key) ? 'slice' : 'map';
  const scalar = (value as { readonly value?: unknown } | null)?.value;
  return `unsupported map key of type: ${type}, key: ${key === null ? '<nil>' : 'map[]'}, value: ${JSON.stringify(scalar ?? null)}`;
}
