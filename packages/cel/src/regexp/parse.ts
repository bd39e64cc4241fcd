import { charTest, literalSource, parseClass, parseEscape, parseNamedClass } from './chars.ts';
import { type Assertion, type Node, PatternProblem } from './node.ts';

/** Reads a pattern as Go's regexp/syntax does with the flags of Perl (Go 1.26). @throws PatternProblem */
export function parsePattern(pattern: string): Node {
  const state: State = {
    whole: pattern,
    rest: pattern,
    flags: { fold: false, dotAll: false, multiline: false, lazy: false },
    open: [],
    group: newGroup(),
    tests: new Map(),
  };
  let lastRepeat = '';
  while (state.rest !== '') {
    const before = state.rest;
    const repeated = parseNext(state, lastRepeat);
    lastRepeat = repeated ? before : '';
  }
  if (state.open.length > 0) throw new PatternProblem('missing closing )', pattern);
  return ended(state.group);
}

interface Flags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
  /** Whether repetitions take as little as they can, where no question mark says otherwise. */
  readonly lazy: boolean;
}

/** What stands in parentheses so far: the alternatives that are complete, and the one that is not. */
interface Group {
  readonly alternatives: Node[];
  nodes: Node[];
}

interface State {
  readonly whole: string;
  rest: string;
  flags: Flags;
  readonly open: { readonly group: Group; readonly flags: Flags }[];
  group: Group;
  /** Of classes, by what they say: one that a pattern says again is made once. */
  readonly tests: Map<string, (codePoint: number) => boolean>;
}

const deepest = 250;

const newGroup = (): Group => ({ alternatives: [], nodes: [] });

const ended = ({ alternatives, nodes }: Group): Node => {
  const last: Node = { kind: 'concat', nodes };
  return alternatives.length === 0 ? last : { kind: 'alternate', nodes: [...alternatives, last] };
};

/** Whether it was a repetition. */
function parseNext(state: State, lastRepeat: string): boolean {
  const char = state.rest[0] as string;
  const parser = Object.hasOwn(parsers, char) ? parsers[char] : undefined;
  if (parser) return parser(state, lastRepeat);
  const codePoint = state.rest.codePointAt(0) as number;
  literal(state, codePoint);
  state.rest = state.rest.slice(codePoint > 0xffff ? 2 : 1);
  return false;
}

const parsers: Readonly<Record<string, (state: State, lastRepeat: string) => boolean>> = {
  '(': (state) => openGroup(state),
  ')': (state) => closeGroup(state),
  '|': (state) => {
    state.group.alternatives.push({ kind: 'concat', nodes: state.group.nodes });
    state.group.nodes = [];
    return advance(state, 1);
  },
  '^': (state) => assertion(state, state.flags.multiline ? 'beginLine' : 'beginText', 1),
  $: (state) => assertion(state, state.flags.multiline ? 'endLine' : 'endText', 1),
  '.': (state) => {
    push(state, state.flags.dotAll ? '[^]' : '[^\\n]');
    return advance(state, 1);
  },
  '[': (state) => {
    const { source, rest } = parseClass(state.rest);
    push(state, source);
    state.rest = rest;
    return false;
  },
  '*': (state, last) => repeat(state, { min: 0 }, 1, last),
  '+': (state, last) => repeat(state, { min: 1 }, 1, last),
  '?': (state, last) => repeat(state, { min: 0, max: 1 }, 1, last),
  '{': parseCounted,
  '\\': (state) => parseBackslash(state),
};

function advance(state: State, count: number): false {
  state.rest = state.rest.slice(count);
  return false;
}

function push({ flags: { fold }, group, tests }: State, source: string): void {
  const key = `${fold ? 'i' : ''}${source}`;
  const accepts = tests.get(key) ?? charTest(source, fold);
  tests.set(key, accepts);
  group.nodes.push({ kind: 'char', accepts });
}

function literal(state: State, codePoint: number): void {
  if (state.flags.fold) push(state, `[${literalSource(codePoint)}]`);
  else state.group.nodes.push({ kind: 'char', accepts: (other) => other === codePoint });
}

function assertion(state: State, what: Assertion, length: number): false {
  state.group.nodes.push({ kind: 'assert', what });
  return advance(state, length);
}

function repeat(state: State, bounds: { readonly min: number; readonly max?: number }, length: number, lastRepeat: string): boolean {
  const before = state.rest;
  const lazy = before[length] === '?' ? 1 : 0;
  const used = before.slice(0, length + lazy);
  if (lastRepeat !== '') {
    const stacked = lastRepeat.slice(0, lastRepeat.length - before.length + used.length);
    throw new PatternProblem('invalid nested repetition operator', stacked);
  }
  const node = state.group.nodes.pop();
  if (!node) throw new PatternProblem('missing argument to repetition operator', used);
  const repeated: Node = { kind: 'repeat', node, ...bounds, lazy: state.flags.lazy !== (lazy === 1) };
  if (!withinCount(repeated, 1000)) throw new PatternProblem('invalid repeat count', used);
  state.group.nodes.push(repeated);
  state.rest = before.slice(used.length);
  return true;
}

/** Counted repetitions in each other may not come to more than a thousand. Mirrors repeatIsValid. */
function withinCount(node: Node, left: number): boolean {
  if (node.kind === 'repeat') {
    const counted = node.max === undefined ? node.min > 1 : node.max > 1;
    if (node.max === 0) return true;
    const times = counted ? (node.max ?? node.min) : 1;
    return times <= left && withinCount(node.node, Math.floor(left / times));
  }
  return !('nodes' in node) || node.nodes.every((each) => withinCount(each, left));
}

function parseCounted(state: State, lastRepeat: string): boolean {
  const match = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(state.rest);
  if (!match) {
    literal(state, 0x7b);
    return advance(state, 1);
  }
  const [whole, low = '', comma, high] = match;
  const min = Number(low);
  const max = comma === undefined ? min : high === undefined ? undefined : Number(high);
  if (min > 1000 || (max !== undefined && (max > 1000 || min > max))) throw new PatternProblem('invalid repeat count', whole);
  return repeat(state, { min, ...(max !== undefined && { max }) }, whole.length, lastRepeat);
}

function parseBackslash(state: State): false {
  const { rest } = state;
  const what = { A: 'beginText', z: 'endText', b: 'wordBoundary', B: 'noWordBoundary' }[rest[1] ?? ''] as Assertion | undefined;
  if (what) return assertion(state, what, 2);
  if (rest.startsWith('\\Q')) {
    const end = rest.indexOf('\\E', 2);
    for (const char of rest.slice(2, end < 0 ? undefined : end)) literal(state, char.codePointAt(0) as number);
    return advance(state, end < 0 ? rest.length : end + 2);
  }
  const named = parseNamedClass(rest);
  if (named) {
    push(state, `[${named.source}]`);
    state.rest = named.rest;
    return false;
  }
  const escaped = parseEscape(rest);
  literal(state, escaped.codePoint);
  state.rest = escaped.rest;
  return false;
}

function openGroup(state: State): false {
  if (!state.rest.startsWith('(?')) return enter(state, 1);
  const { rest } = state;
  if (/^\(\?(?:P<.|<.)/su.test(rest)) {
    const end = rest.indexOf('>');
    if (end < 0) throw new PatternProblem('invalid named capture', rest);
    const capture = rest.slice(0, end + 1);
    if (!/^\(\?P?<\w+>$/.test(capture)) throw new PatternProblem('invalid named capture', capture);
    return enter(state, capture.length);
  }
  const match = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
  if (!match) throw new PatternProblem('invalid or unsupported Perl syntax', /^\(\?[imsU]*(?:-[imsU]*)?./su.exec(rest)?.[0] ?? rest);
  const [whole, on = '', off = '', closing] = match;
  const flags = withFlags(withFlags(state.flags, on, true), off, false);
  if (closing === ')') {
    state.flags = flags;
    return advance(state, whole.length);
  }
  enter(state, whole.length);
  state.flags = flags;
  return false;
}

const withFlags = (flags: Flags, letters: string, value: boolean): Flags => ({
  fold: letters.includes('i') ? value : flags.fold,
  dotAll: letters.includes('s') ? value : flags.dotAll,
  multiline: letters.includes('m') ? value : flags.multiline,
  lazy: letters.includes('U') ? value : flags.lazy,
});

function enter(state: State, length: number): false {
  state.open.push({ group: state.group, flags: state.flags });
  if (state.open.length > deepest) throw new PatternProblem('expression nests too deeply', state.whole);
  state.group = newGroup();
  return advance(state, length);
}

function closeGroup(state: State): false {
  const outer = state.open.pop();
  if (!outer) throw new PatternProblem('unexpected )', state.whole);
  const inner = ended(state.group);
  state.group = outer.group;
  state.flags = outer.flags;
  state.group.nodes.push(inner);
  return advance(state, 1);
}
