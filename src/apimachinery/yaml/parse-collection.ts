import {
  type Collections,
  createEvent,
  isNextOneOf,
  type Parser,
  parseItem,
  popState,
  requireToken,
  skipItem,
  type YamlEvent,
} from './parse-node.ts';
import type { TokenType } from './token.ts';

export const collections: Collections = {
  'block-sequence-start': { type: 'sequence', state: parseBlockEntry },
  'block-entry': { type: 'sequence', state: parseIndentlessEntry },
  'block-mapping-start': { type: 'mapping', state: parseBlockKey },
  'flow-sequence-start': { type: 'sequence', state: parseFirstFlowEntry },
  'flow-mapping-start': { type: 'mapping', state: parseFirstFlowKey },
};

/** The tokens that can follow an empty entry, key or value. */
const fieldEnds: readonly TokenType[] = ['key', 'value', 'block-end'];
const entryEnds: readonly TokenType[] = ['block-entry', 'block-end'];
const indentlessEntryEnds: readonly TokenType[] = ['block-entry', 'key', 'value', 'block-end'];
const pairEnds: readonly TokenType[] = ['flow-entry', 'flow-sequence-end'];
const pairKeyEnds: readonly TokenType[] = ['value', 'flow-entry', 'flow-sequence-end'];
const flowFieldEnds: readonly TokenType[] = ['flow-entry', 'flow-mapping-end'];
const flowKeyEnds: readonly TokenType[] = ['value', 'flow-entry', 'flow-mapping-end'];

/** Ends a collection at the next token, which is its end. */
function endCollection(parser: Parser): YamlEvent {
  parser.scanner.consume();
  parser.starts.pop();
  popState(parser);
  return createEvent('end');
}

function parseBlockEntry(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'block-end') return endCollection(parser);
  requireToken(parser, 'block-entry', "did not find expected '-' indicator");
  parser.scanner.consume();
  return parseItem(parser, 'block', entryEnds, parseBlockEntry);
}

function parseIndentlessEntry(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'block-entry') {
    parser.scanner.consume();
    return parseItem(parser, 'block', indentlessEntryEnds, parseIndentlessEntry);
  }
  popState(parser);
  return createEvent('end');
}

function parseBlockKey(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'block-end') return endCollection(parser);
  requireToken(parser, 'key', 'did not find expected key');
  parser.scanner.consume();
  return parseItem(parser, 'block-field', fieldEnds, parseBlockValue);
}

function parseBlockValue(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type !== 'value') return skipItem(parser, parseBlockKey);
  parser.scanner.consume();
  return parseItem(parser, 'block-field', fieldEnds, parseBlockKey);
}

function parseFirstFlowEntry(parser: Parser): YamlEvent {
  const { type, start } = parser.scanner.peek();
  if (type === 'flow-sequence-end') return endCollection(parser);
  if (type !== 'key') return parseItem(parser, 'flow', [], parseFlowEntry);
  parser.scanner.consume();
  parser.state = parsePairKey;
  return createEvent('mapping', start);
}

function parseFlowEntry(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'flow-sequence-end') return endCollection(parser);
  requireToken(parser, 'flow-entry', "did not find expected ',' or ']'");
  parser.scanner.consume();
  return parseFirstFlowEntry(parser);
}

function parsePairKey(parser: Parser): YamlEvent {
  if (!isNextOneOf(parser, pairKeyEnds)) return parseItem(parser, 'flow', [], parsePairValue);
  // As upstream, which loses the value of an empty key.
  parser.scanner.consume();
  return skipItem(parser, parsePairValue);
}

function parsePairValue(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type !== 'value') return skipItem(parser, endPair);
  parser.scanner.consume();
  return parseItem(parser, 'flow', pairEnds, endPair);
}

function endPair(parser: Parser): YamlEvent {
  parser.state = parseFlowEntry;
  return createEvent('end');
}

function parseFirstFlowKey(parser: Parser): YamlEvent {
  const { type } = parser.scanner.peek();
  if (type === 'flow-mapping-end') return endCollection(parser);
  if (type !== 'key') return parseItem(parser, 'flow', [], (self) => skipItem(self, parseFlowKey));
  parser.scanner.consume();
  return parseItem(parser, 'flow', flowKeyEnds, parseFlowValue);
}

function parseFlowKey(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type === 'flow-mapping-end') return endCollection(parser);
  requireToken(parser, 'flow-entry', "did not find expected ',' or '}'");
  parser.scanner.consume();
  return parseFirstFlowKey(parser);
}

function parseFlowValue(parser: Parser): YamlEvent {
  if (parser.scanner.peek().type !== 'value') return skipItem(parser, parseFlowKey);
  parser.scanner.consume();
  return parseItem(parser, 'flow', flowFieldEnds, parseFlowKey);
}
