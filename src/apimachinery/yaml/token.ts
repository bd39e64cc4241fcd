import { type Cursor, columnOf, createScanError } from './cursor.ts';
import type { Directive } from './scan-property.ts';

export type TokenType =
  | 'stream-end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'flow-entry'
  | 'block-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  /** The offset of its first character. That of a token which the end of the text adds can be after the text. */
  readonly start: number;
  /** The text of a scalar, the name of an anchor or alias, the suffix of a tag. */
  readonly value: string;
  /** The handle of a tag; empty for a verbatim one. */
  readonly handle: string;
  readonly isPlain: boolean;
  readonly directive: Directive | undefined;
  /** The key without "?" that may begin with this token. */
  key: SimpleKey | undefined;
}

/** The state of a scanner. */
export interface ScanState {
  readonly cursor: Cursor;
  /** Tokens that have been read but not consumed. */
  readonly queue: Token[];
  /** The number of consumed tokens. */
  consumedCount: number;
  /** The indentation of the innermost block collection; -1 outside of all. */
  indent: number;
  readonly outerIndents: number[];
  /** Whether a key without "?" may begin here. */
  isKeyAllowed: boolean;
  /** The place at which such a key may have begun, for each flow level; the block context is the first. */
  readonly keys: (SimpleKey | undefined)[];
  /** The key that begins with the next token. */
  nextKey: SimpleKey | undefined;
}

interface SimpleKey {
  /** Whether a ":" can still follow it. */
  isOpen: boolean;
  readonly isRequired: boolean;
  /** The number of tokens before it. */
  readonly position: number;
  readonly start: number;
  readonly lineStart: number;
}

export const isFlow = ({ keys }: ScanState): boolean => keys.length > 1;

export const createToken = (type: TokenType, start: number, value = '', isPlain = false): Token => ({
  type,
  start,
  value,
  handle: '',
  isPlain,
  directive: undefined,
  key: undefined,
});

/** Adds a token, by default after all others. */
export function addToken(state: ScanState, token: Token, position?: number): void {
  const { queue, consumedCount } = state;
  if (position !== undefined) queue.splice(position - consumedCount, 0, token);
  else {
    token.key = state.nextKey;
    state.nextKey = undefined;
    queue.push(token);
  }
}

/** The number of tokens that have been read. */
const positionOf = ({ queue, consumedCount }: ScanState): number => consumedCount + queue.length;

/** Begins a block collection at the cursor if it is indented further than the current one. */
export function openBlock(state: ScanState, type: TokenType): void {
  openBlockAt(state, columnOf(state.cursor), createToken(type, state.cursor.offset));
}

function openBlockAt(state: ScanState, column: number, token: Token, position?: number): void {
  if (isFlow(state) || state.indent >= column) return;
  state.outerIndents.push(state.indent);
  state.indent = column;
  addToken(state, token, position);
}

/** Ends the block collections that are indented further than a column. */
export function closeBlocks(state: ScanState, column: number): void {
  if (isFlow(state)) return;
  while (state.indent > column) {
    addToken(state, createToken('block-end', state.cursor.offset));
    state.indent = state.outerIndents.pop() as number;
  }
}

/** Remembers that a key may begin at the cursor. */
export function rememberKey(state: ScanState): void {
  if (!state.isKeyAllowed) return;
  const { cursor } = state;
  const isRequired = !isFlow(state) && state.indent === columnOf(cursor);
  forgetKey(state);
  const key: SimpleKey = { isOpen: true, isRequired, position: positionOf(state), start: cursor.offset, lineStart: cursor.lineStart };
  state.keys[state.keys.length - 1] = key;
  state.nextKey = key;
}

/** @throws YamlError if there must be a key */
export function forgetKey(state: ScanState): void {
  if (state.keys.at(-1)?.isRequired) throw createScanError(state.cursor, "could not find expected ':'");
  dropKey(state);
}

function dropKey({ keys }: ScanState): void {
  const key = keys.at(-1);
  if (!key) return;
  key.isOpen = false;
  keys[keys.length - 1] = undefined;
}

/** Turns the remembered place into a key. Returns false if there is none. @throws YamlError */
export function insertKey(state: ScanState): boolean {
  const key = state.keys.at(-1);
  if (!key || !isValidKey(state, key)) return false;
  const { position, start, lineStart } = key;
  addToken(state, createToken('key', start), position);
  openBlockAt(state, start - lineStart, createToken('block-mapping-start', start), position);
  dropKey(state);
  return true;
}

/** Whether the first token of the queue is final, because a ":" can no longer insert a token before it. @throws YamlError */
export function isHeadFinal(state: ScanState): boolean {
  const [head] = state.queue;
  return head !== undefined && !(head.key?.isOpen && isValidKey(state, head.key));
}

/** Whether a key is on the line of the cursor, at most 1024 characters before it. @throws YamlError if a required key is not */
function isValidKey({ cursor }: ScanState, { isRequired, start, lineStart }: SimpleKey): boolean {
  const isValid = lineStart === cursor.lineStart && start + maxKeyLength >= cursor.offset;
  if (!isValid && isRequired) throw createScanError(cursor, "could not find expected ':'");
  return isValid;
}

const maxKeyLength = 1024;
