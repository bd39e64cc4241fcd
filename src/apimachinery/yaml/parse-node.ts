import { createParseError } from './cursor.ts';
import type { Scanner } from './scanner.ts';
import type { Token, TokenType } from './token.ts';

export interface YamlEvent {
  readonly type: 'document' | 'document-end' | 'stream-end' | 'sequence' | 'mapping' | 'end' | 'scalar' | 'alias';
  /** The offset at which a node begins, without its anchor and tag; undefined for an empty scalar. */
  readonly start: number | undefined;
  /** The text of a scalar, or the name of an alias. */
  readonly value: string;
  readonly isPlain: boolean;
  readonly anchor: string | undefined;
  /** Includes the prefix of its handle. */
  readonly tag: string | undefined;
}

/** A state returns the next event and sets the state after it. */
export type State = (parser: Parser) => YamlEvent;

export interface Parser {
  readonly scanner: Scanner;
  state: State;
  /** The states after the nodes that have begun. */
  readonly states: State[];
  /** The offsets of the collections that have begun, for errors. */
  readonly starts: number[];
  readonly collections: Collections;
  tagPrefixes: ReadonlyMap<string, string>;
}

/** The collections that a token begins. */
export type Collections = Readonly<Record<string, { readonly type: 'sequence' | 'mapping'; readonly state: State } | undefined>>;

/** Creates an event that is not a scalar or alias. */
export const createEvent = (type: YamlEvent['type'], start?: number, properties?: Properties): YamlEvent => ({
  type,
  start,
  value: '',
  isPlain: false,
  anchor: properties?.anchor,
  tag: properties?.tag,
});

type Properties = Pick<YamlEvent, 'anchor' | 'tag'>;

export const emptyScalar: YamlEvent = {
  type: 'scalar',
  start: undefined,
  value: '',
  isPlain: true,
  anchor: undefined,
  tag: undefined,
};

export function popState(parser: Parser): void {
  parser.state = parser.states.pop() as State;
}

/** @throws YamlError that Go's parser attributes to the innermost collection */
export function requireToken({ scanner, starts }: Parser, type: TokenType, message: string): void {
  const token = scanner.peek();
  if (token.type !== type) throw createParseError(scanner.cursor, message, token.start, starts.at(-1));
}

export const isNextOneOf = ({ scanner }: Parser, types: readonly TokenType[]): boolean => types.includes(scanner.peek().type);

/** Where a node is. In a field of a block mapping, a sequence needs no further indentation. */
type NodeContext = 'block' | 'block-field' | 'flow';

/** Returns the first event of a node. */
export function parseNode(parser: Parser, context: NodeContext): YamlEvent {
  const { scanner } = parser;
  const { start: firstStart } = scanner.peek();
  const properties = readProperties(parser);
  const { type, start, value, isPlain } = scanner.peek();
  const isWhole = type === 'scalar' || (type === 'alias' && !properties);
  if (isWhole) {
    scanner.consume();
    popState(parser);
    return { type, start, value, isPlain, anchor: properties?.anchor, tag: properties?.tag };
  }
  const collection = parser.collections[type];
  const isIndentless = type === 'block-entry';
  if (collection && (isIndentless ? context === 'block-field' : context !== 'flow' || !type.startsWith('block'))) {
    // The entry of a sequence without indentation is the first token of its content.
    if (!isIndentless) {
      scanner.consume();
      parser.starts.push(start);
    }
    parser.state = collection.state;
    return createEvent(collection.type, start, properties);
  }
  if (!properties) throw createParseError(scanner.cursor, 'did not find expected node content', start, firstStart);
  popState(parser);
  return { ...emptyScalar, ...properties };
}

/** Reads an anchor and a tag, in any order; undefined if there is neither. */
function readProperties(parser: Parser): Properties | undefined {
  let anchor: string | undefined;
  let tag: string | undefined;
  for (;;) {
    const token = parser.scanner.peek();
    if (token.type === 'anchor' && anchor === undefined) anchor = token.value;
    else if (token.type === 'tag' && tag === undefined) tag = resolveTag(parser, token);
    else return anchor === undefined && tag === undefined ? undefined : { anchor, tag };
    parser.scanner.consume();
  }
}

function resolveTag({ scanner, tagPrefixes }: Parser, { handle, value, start }: Token): string {
  const prefix = handle === '' ? '' : tagPrefixes.get(handle);
  if (prefix === undefined) throw createParseError(scanner.cursor, 'found undefined tag handle', start);
  return prefix + value;
}

/**
 * Returns the first event of a node, or an empty scalar.
 * @param emptyBefore the tokens that can follow an empty scalar
 */
export function parseItem(parser: Parser, context: NodeContext, emptyBefore: readonly TokenType[], next: State): YamlEvent {
  if (isNextOneOf(parser, emptyBefore)) return skipItem(parser, next);
  parser.states.push(next);
  return parseNode(parser, context);
}

export function skipItem(parser: Parser, next: State): YamlEvent {
  parser.state = next;
  return emptyScalar;
}
