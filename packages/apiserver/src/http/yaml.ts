import { createKeyedMutex, createLineCounter, YamlError } from 'kube-endpoints/internal/apimachinery';
import { readFirstDocument } from '../formats/yaml.ts';
import { formatSyntax } from '../patch/go-format.ts';
import { parseExactly } from '../store/index.ts';

/** The result of parsing YAML: its first document, as JSON values. */
export interface ParsedYaml {
  readonly value: unknown;
  /** Duplicate keys of a mapping, as messages of the real server's parser. */
  readonly duplicateKeyMessages: readonly string[];
  /** Why the text cannot be parsed. */
  readonly problem?: string;
}

/** In characters. Longer texts are parsed one at a time, because their values can take a hundred times their memory. */
const maxConcurrentLength = 64 * 1024;

/**
 * Creates a parser that answers like that of the real server: YAMLToJSON and YAMLToJSONStrict (sigs.k8s.io/yaml 1.6, yaml.go). It takes
 * linear time and lets other work run every millisecond.
 */
export function createYamlReader(): (text: string) => Promise<ParsedYaml> {
  const mutex = createKeyedMutex();
  return (text) => (text.length <= maxConcurrentLength ? parseYaml(text) : mutex.run('', () => parseYaml(text)));
}

export async function writeYaml(json: string): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(parseExactly(json), { version: '1.1', sortMapEntries: true, aliasDuplicateObjects: false, lineWidth: 0 });
}

async function parseYaml(text: string): Promise<ParsedYaml> {
  try {
    const { value, duplicateKeys } = await readFirstDocument(text);
    const positionOf = createLineCounter(text);
    const duplicateKeyMessages = duplicateKeys.map(
      ({ key, valueOffset }) => `line ${positionOf(valueOffset).line}: key ${formatSyntax(key)} already set in map`,
    );
    return { value, duplicateKeyMessages };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { value: undefined, duplicateKeyMessages: [], problem: problemOf(error) };
  }
}

function problemOf({ code, message, upstreamLine }: YamlError): string {
  if (code === 'json') return message;
  if (code === 'depth') return 'yaml: exceeded max depth of 10000';
  return `yaml: ${upstreamLine === undefined ? '' : `line ${upstreamLine}: `}${message}`;
}
