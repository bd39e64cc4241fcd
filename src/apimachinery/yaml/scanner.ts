import {
  type Cursor,
  codeAt,
  columnOf,
  createScanError,
  isAtEnd,
  isAtMarker,
  isBlankOrEnd,
  isBreak,
  readBreak,
  resetBudget,
  skipComment,
} from './cursor.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-property.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalar.ts';
import {
  addToken,
  closeBlocks,
  createToken,
  forgetKey,
  insertKey,
  isFlow,
  isHeadFinal,
  openBlock,
  rememberKey,
  type ScanState,
  type Token,
  type TokenType,
} from './token.ts';

export interface Scanner {
  readonly cursor: Cursor;
  /** Returns the next token without consuming it. @throws YamlError */
  peek(): Token;
  consume(): void;
}

/**
 * Creates a scanner of YAML 1.1 that takes linear time. It accepts the texts that Go's parser accepts, and has its errors. Mirrors
 * yaml_parser_fetch_more_tokens (go.yaml.in/yaml v2.4.3, scannerc.go).
 */
export function createScanner(cursor: Cursor): Scanner {
  const state: ScanState = {
    cursor,
    queue: [],
    consumedCount: 0,
    indent: -1,
    outerIndents: [],
    isKeyAllowed: true,
    keys: [undefined],
    nextKey: undefined,
  };
  let head: Token | undefined;
  return {
    cursor,
    peek() {
      if (head) return head;
      while (!isHeadFinal(state)) scanToken(state);
      [head] = state.queue;
      return head as Token;
    },
    consume() {
      head = undefined;
      state.queue.shift();
      state.consumedCount += 1;
    },
  };
}

function scanToken(state: ScanState): void {
  const { cursor } = state;
  resetBudget(cursor);
  skipToToken(state);
  closeBlocks(state, columnOf(cursor));
  if (isAtEnd(cursor)) endStream(state);
  else if (isAtMarker(cursor)) readMarker(state);
  else if (columnOf(cursor) === 0 && codeAt(cursor) === 0x25) readDirective(state);
  else (tokenReaders[cursor.text.charAt(cursor.offset)] ?? readPlain)(state);
}

/** Skips blanks, comments and line breaks. A tab must not indent a key. */
function skipToToken(state: ScanState): void {
  const { cursor } = state;
  for (;;) {
    while (codeAt(cursor) === 0x20 || (codeAt(cursor) === 0x09 && (isFlow(state) || !state.isKeyAllowed))) cursor.offset += 1;
    skipComment(cursor);
    if (!isBreak(codeAt(cursor))) return;
    readBreak(cursor);
    if (!isFlow(state)) state.isKeyAllowed = true;
  }
}

/** The readers of tokens by their first character. All other characters begin a plain scalar. */
const tokenReaders: Readonly<Record<string, (state: ScanState) => void>> = {
  '[': (state) => startFlow(state, 'flow-sequence-start'),
  '{': (state) => startFlow(state, 'flow-mapping-start'),
  ']': (state) => endFlow(state, 'flow-sequence-end'),
  '}': (state) => endFlow(state, 'flow-mapping-end'),
  ',': readFlowEntry,
  '-': (state) => (isBlankOrEnd(codeAt(state.cursor, 1)) ? readBlockEntry : readPlain)(state),
  '?': (state) => (isFlow(state) || isBlankOrEnd(codeAt(state.cursor, 1)) ? readKey : readPlain)(state),
  ':': (state) => (isFlow(state) || isBlankOrEnd(codeAt(state.cursor, 1)) ? readValue : readPlain)(state),
  '*': (state) => readNode(state, (start) => createToken('alias', start, scanAnchor(state.cursor))),
  '&': (state) => readNode(state, (start) => createToken('anchor', start, scanAnchor(state.cursor))),
  '!': (state) => readNode(state, (start) => ({ ...createToken('tag', start), ...scanTag(state.cursor) })),
  "'": (state) => readNode(state, (start) => createToken('scalar', start, scanQuoted(state.cursor))),
  '"': (state) => readNode(state, (start) => createToken('scalar', start, scanQuoted(state.cursor))),
  '|': readBlockScalar,
  '>': readBlockScalar,
  '\t': refuse,
  '%': refuse,
  '@': refuse,
  '`': refuse,
};

function refuse({ cursor }: ScanState): never {
  throw createScanError(cursor, 'found character that cannot start any token');
}

function endStream(state: ScanState): void {
  const { cursor } = state;
  // As if the text ended with a line break.
  if (columnOf(cursor) !== 0) cursor.offset = cursor.text.length;
  cursor.lineStart = cursor.offset;
  leaveBlocks(state);
  addToken(state, createToken('stream-end', cursor.offset));
}

function leaveBlocks(state: ScanState): void {
  closeBlocks(state, -1);
  forgetKey(state);
  state.isKeyAllowed = false;
}

function readMarker(state: ScanState): void {
  leaveBlocks(state);
  const { cursor } = state;
  addToken(state, createToken(codeAt(cursor) === 0x2d ? 'document-start' : 'document-end', cursor.offset));
  cursor.offset += 3;
}

function readDirective(state: ScanState): void {
  leaveBlocks(state);
  const token = createToken('directive', state.cursor.offset);
  addToken(state, { ...token, directive: scanDirective(state.cursor) });
}

function startFlow(state: ScanState, type: TokenType): void {
  rememberKey(state);
  state.keys.push(undefined);
  readIndicator(state, type, true);
}

function endFlow(state: ScanState, type: TokenType): void {
  forgetKey(state);
  if (isFlow(state)) state.keys.pop();
  readIndicator(state, type, false);
}

function readFlowEntry(state: ScanState): void {
  forgetKey(state);
  readIndicator(state, 'flow-entry', true);
}

function readBlockEntry(state: ScanState): void {
  requireKeyAllowed(state, 'block sequence entries are not allowed in this context');
  openBlock(state, 'block-sequence-start');
  forgetKey(state);
  readIndicator(state, 'block-entry', true);
}

function readKey(state: ScanState): void {
  requireKeyAllowed(state, 'mapping keys are not allowed in this context');
  openBlock(state, 'block-mapping-start');
  forgetKey(state);
  readIndicator(state, 'key', !isFlow(state));
}

function readValue(state: ScanState): void {
  const isSimple = insertKey(state);
  if (!isSimple) {
    requireKeyAllowed(state, 'mapping values are not allowed in this context');
    openBlock(state, 'block-mapping-start');
  }
  readIndicator(state, 'value', !isSimple && !isFlow(state));
}

function requireKeyAllowed(state: ScanState, message: string): void {
  if (!isFlow(state) && !state.isKeyAllowed) throw createScanError(state.cursor, message);
}

function readIndicator(state: ScanState, type: TokenType, isKeyAllowed: boolean): void {
  state.isKeyAllowed = isKeyAllowed;
  addToken(state, createToken(type, state.cursor.offset));
  state.cursor.offset += 1;
}

/** Reads a token that may begin a key and is not followed by one. */
function readNode(state: ScanState, scan: (start: number) => Token): void {
  rememberKey(state);
  state.isKeyAllowed = false;
  addToken(state, scan(state.cursor.offset));
}

function readPlain(state: ScanState): void {
  rememberKey(state);
  const { cursor, indent } = state;
  const start = cursor.offset;
  const { value, isLastInLine } = scanPlain(cursor, indent, isFlow(state));
  state.isKeyAllowed = isLastInLine;
  addToken(state, createToken('scalar', start, value, true));
}

function readBlockScalar(state: ScanState): void {
  if (isFlow(state)) refuse(state);
  forgetKey(state);
  state.isKeyAllowed = true;
  const start = state.cursor.offset;
  addToken(state, createToken('scalar', start, scanBlock(state.cursor, state.indent)));
}
