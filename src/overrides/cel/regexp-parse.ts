/** A part of a regular expression. */
export type Piece =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'choice'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly piece: Piece; readonly least: number; readonly most: number };

type Accepts = (point: number) => boolean;

interface State {
  readonly text: string;
  at: number;
  depth: number;
}

const maxLength = 500;
const maxDepth = 20;
const maxCount = 200;

class Unsupported extends Error {}

/** @returns text where the pattern is none, or needs what is not supported */
export function parseRegExp(text: string): Piece | string {
  if (text.length > maxLength) return `it is longer than ${maxLength} characters`;
  const state: State = { text, at: 0, depth: 0 };
  try {
    const piece = parseChoice(state);
    return state.at < text.length ? `")" at ${state.at} closes nothing` : piece;
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

function parseChoice(state: State): Piece {
  if (++state.depth > maxDepth) throw new Unsupported(`its groups are nested more than ${maxDepth} deep`);
  const pieces = [parseSequence(state)];
  while (state.text[state.at] === '|') {
    state.at++;
    pieces.push(parseSequence(state));
  }
  state.depth--;
  return pieces.length === 1 ? (pieces[0] as Piece) : { kind: 'choice', pieces };
}

function parseSequence(state: State): Piece {
  const pieces: Piece[] = [];
  while (state.at < state.text.length && !'|)'.includes(state.text[state.at] as string)) pieces.push(parseRepeat(state, parseAtom(state)));
  return { kind: 'sequence', pieces };
}

function parseRepeat(state: State, piece: Piece): Piece {
  const count = readCount(state);
  if (!count) return piece;
  // whether as much or as little as possible is taken makes no difference to whether it matches
  if (state.text[state.at] === '?') state.at++;
  if (readCount(state)) throw new Unsupported(`a repetition of a repetition at ${state.at - 1}`);
  return { kind: 'repeat', piece, ...count };
}

function readCount(state: State): { readonly least: number; readonly most: number } | undefined {
  const sign = state.text[state.at];
  const simple = sign === undefined ? undefined : simpleCounts.get(sign);
  if (simple) {
    state.at++;
    return simple;
  }
  const [all, least, comma, most] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(state.text.slice(state.at, state.at + 12)) ?? [];
  if (all === undefined || (comma === '' && most !== '')) return undefined;
  state.at += all.length;
  const count = { least: Number(least), most: comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most) };
  const largest = Number.isFinite(count.most) ? count.most : count.least;
  if (count.most < count.least || largest > maxCount) throw new Unsupported(`${all} is no repetition, or one of more than ${maxCount}`);
  return count;
}

const simpleCounts: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map([
  ['*', { least: 0, most: Number.POSITIVE_INFINITY }],
  ['+', { least: 1, most: Number.POSITIVE_INFINITY }],
  ['?', { least: 0, most: 1 }],
]);

function parseAtom(state: State): Piece {
  const sign = state.text[state.at];
  if (sign === '(') return parseGroup(state);
  if (sign === '[') return { kind: 'one', accepts: parseClass(state) };
  if (sign === '*' || sign === '+' || sign === '?') throw new Unsupported(`"${sign}" at ${state.at} repeats nothing`);
  if (sign === '\\') return { kind: 'one', accepts: parseEscape(state).accepts };
  const point = take(state);
  if (sign === '^') return { kind: 'start' };
  if (sign === '$') return { kind: 'end' };
  return { kind: 'one', accepts: sign === '.' ? (other) => other !== newLine : (other) => other === point };
}

function parseGroup(state: State): Piece {
  const from = state.at;
  state.at++;
  if (state.text[state.at] === '?') {
    if (state.text[state.at + 1] !== ':') throw new Unsupported(`the group at ${from} is of a kind that is not supported`);
    state.at += 2;
  }
  const piece = parseChoice(state);
  if (state.text[state.at] !== ')') throw new Unsupported(`"(" at ${from} is not closed`);
  state.at++;
  return piece;
}

function parseClass(state: State): Accepts {
  const from = state.at++;
  const negated = state.text[state.at] === '^';
  if (negated) state.at++;
  const parts: Accepts[] = [];
  for (let first = true; state.text[state.at] !== ']' || first; first = false) {
    if (state.at >= state.text.length) throw new Unsupported(`"[" at ${from} is not closed`);
    if (state.text.startsWith('[:', state.at)) throw new Unsupported(`the class at ${state.at} is of a kind that is not supported`);
    parts.push(parseClassPart(state));
  }
  state.at++;
  return (point) => parts.some((accepts) => accepts(point)) !== negated;
}

function parseClassPart(state: State): Accepts {
  const low = parseMember(state);
  if (state.text[state.at] !== '-' || state.text[state.at + 1] === ']' || low.point === undefined) return low.accepts;
  state.at++;
  if (state.at >= state.text.length) throw new Unsupported('a range is not finished');
  const [start, end] = [low.point, parseMember(state).point];
  if (end === undefined || end < start) throw new Unsupported(`the range that ends at ${state.at} is none`);
  return (point) => point >= start && point <= end;
}

interface Member {
  readonly accepts: Accepts;
  /** Of a single character. */
  readonly point?: number;
}

function parseMember(state: State): Member {
  if (state.text[state.at] === '\\') return parseEscape(state);
  return single(take(state));
}

function parseEscape(state: State): Member {
  state.at++;
  const sign = state.text[state.at];
  if (sign === undefined) throw new Unsupported('it ends in "\\"');
  const named = classes.get(sign.toLowerCase());
  if (named) {
    state.at++;
    return { accepts: sign === sign.toLowerCase() ? named : (point) => !named(point) };
  }
  const control = controls.get(sign);
  if (control === undefined && /[A-Za-z0-9]/.test(sign)) throw new Unsupported(`"\\${sign}" is not supported`);
  const point = take(state);
  return single(control ?? point);
}

const single = (point: number): Member => ({ accepts: (other) => other === point, point });

function take(state: State): number {
  const point = state.text.codePointAt(state.at) as number;
  state.at += point > 0xffff ? 2 : 1;
  return point;
}

const newLine = 0x0a;
const isIn = (low: string, high: string, point: number): boolean => point >= low.charCodeAt(0) && point <= high.charCodeAt(0);
const isDigit: Accepts = (point) => isIn('0', '9', point);

const classes: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ['d', isDigit],
  ['w', (point) => isDigit(point) || isIn('a', 'z', point) || isIn('A', 'Z', point) || point === 0x5f],
  ['s', (point) => point === 0x20 || point === 0x0c || (point >= 0x09 && point <= 0x0d && point !== 0x0b)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['n', newLine],
  ['r', 0x0d],
  ['t', 0x09],
]);
