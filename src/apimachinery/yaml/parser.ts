import { createParseError } from './cursor.ts';
import { collections } from './parse-collection.ts';
import {
  createEvent,
  emptyScalar,
  isNextOneOf,
  type Parser,
  parseNode,
  popState,
  requireToken,
  type State,
  type YamlEvent,
} from './parse-node.ts';
import type { Scanner } from './scanner.ts';
import type { TokenType } from './token.ts';

/**
 * Creates a function that returns the next event. Mirrors yaml_parser_state_machine (go.yaml.in/yaml v2.4.3, parserc.go).
 * @throws YamlError, from that function
 */
export function createParser(scanner: Scanner): () => YamlEvent {
  const parser: Parser = { scanner, state: startFirstDocument, states: [], starts: [], collections, tagPrefixes: new Map() };
  return () => parser.state(parser);
}

/** Consumes the next token and returns the type of the one after it. */
function advance({ scanner }: Parser): TokenType {
  scanner.consume();
  return scanner.peek().type;
}

function startFirstDocument(parser: Parser): YamlEvent {
  const { type } = parser.scanner.peek();
  if (type === 'directive' || type === 'document-start' || type === 'stream-end') return startDocument(parser);
  parser.tagPrefixes = new Map(defaultTagPrefixes);
  parser.states.push(endDocument);
  parser.state = parseBlockNode;
  return createEvent('document');
}

const defaultTagPrefixes: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

function startDocument(parser: Parser): YamlEvent {
  let { type } = parser.scanner.peek();
  while (type === 'document-end') type = advance(parser);
  if (type === 'stream-end') return createEvent('stream-end');
  parser.tagPrefixes = new Map([...defaultTagPrefixes, ...readDirectives(parser)]);
  requireToken(parser, 'document-start', 'did not find expected <document start>');
  parser.scanner.consume();
  parser.states.push(endDocument);
  parser.state = startContent;
  return createEvent('document');
}

const maxDirectives = 1000;

/** Returns the prefixes of tags. */
function readDirectives(parser: Parser): ReadonlyMap<string, string> {
  const { cursor } = parser.scanner;
  const prefixes = new Map<string, string>();
  let version: string | undefined;
  for (let { directive, start } = parser.scanner.peek(); directive; { directive, start } = parser.scanner.peek()) {
    if (prefixes.size > maxDirectives) throw createParseError(cursor, 'found too many directives', start);
    const isDuplicate = directive.name === 'TAG' ? prefixes.has(directive.handle) : version !== undefined;
    if (isDuplicate) throw createParseError(cursor, `found duplicate %${directive.name} directive`, start);
    if (directive.name === 'TAG') prefixes.set(directive.handle, directive.prefix);
    else if (directive.version !== '1.1') throw createParseError(cursor, 'found incompatible YAML document', start);
    else version = directive.version;
    parser.scanner.consume();
  }
  return prefixes;
}

function startContent(parser: Parser): YamlEvent {
  const isEmpty = isNextOneOf(parser, ['directive', 'document-start', 'document-end', 'stream-end']);
  if (!isEmpty) return parseBlockNode(parser);
  popState(parser);
  return emptyScalar;
}

function endDocument(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'document-end') parser.scanner.consume();
  parser.state = startDocument;
  return createEvent('document-end');
}

const parseBlockNode: State = (parser) => parseNode(parser, 'block');
