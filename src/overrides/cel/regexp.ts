import { type Piece, parseRegExp } from './regexp-parse.ts';

/**
 * A regular expression in the part of RE2's syntax that names and labels need, matched in time linear in the text: the host must not hang,
 * whoever wrote the rule or the object. JavaScript's own would go back and forth without end on some.
 */
export interface LinearRegExp {
  /** How much work a character of text is. */
  readonly size: number;
  /** Whether it matches anywhere in a text. */
  test(text: string): boolean;
}

/** @returns text where the pattern is none, or needs what is not supported */
export function compileRegExp(pattern: string): LinearRegExp | string {
  const piece = parseRegExp(pattern);
  if (typeof piece === 'string') return piece;
  const program: Instruction[] = [];
  emit(piece, program);
  if (program.length > maxInstructions) return `it is too large when its repetitions are written out`;
  program.push({ kind: 'match' });
  return { size: program.length, test: (text) => run(program, text) };
}

const maxInstructions = 1000;

type Instruction =
  | { readonly kind: 'one'; readonly accepts: (point: number) => boolean }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'start' | 'end' | 'match' };

function emit(piece: Piece, program: Instruction[]): void {
  if (program.length > maxInstructions) return;
  switch (piece.kind) {
    case 'one':
    case 'start':
    case 'end':
      program.push(piece);
      return;
    case 'sequence':
      for (const each of piece.pieces) emit(each, program);
      return;
    case 'choice':
      emitChoice(piece.pieces, program);
      return;
    case 'repeat':
      emitRepeat(piece, program);
  }
}

/** A split whose second way leads nowhere but to its target is a jump. */
function emitChoice(pieces: readonly Piece[], program: Instruction[]): void {
  const ends: Extract<Instruction, { kind: 'split' }>[] = [];
  for (const [place, piece] of pieces.entries()) {
    if (place === pieces.length - 1) {
      emit(piece, program);
      break;
    }
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    emit(piece, program);
    const end = { kind: 'split' as const, first: 0, second: 0 };
    program.push(end);
    ends.push(end);
    split.second = program.length;
  }
  for (const end of ends) end.first = end.second = program.length;
}

function emitRepeat({ piece, least, most }: Extract<Piece, { kind: 'repeat' }>, program: Instruction[]): void {
  for (let count = 0; count < least; count++) emit(piece, program);
  if (most === Number.POSITIVE_INFINITY) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    emit(piece, program);
    program.push({ kind: 'split', first: split.first - 1, second: split.first - 1 });
    split.second = program.length;
    return;
  }
  const splits: Extract<Instruction, { kind: 'split' }>[] = [];
  for (let count = least; count < most && program.length <= maxInstructions; count++) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    splits.push(split);
    emit(piece, program);
  }
  for (const split of splits) split.second = program.length;
}

/** All ways at once, one character after the other. */
function run(program: readonly Instruction[], text: string): boolean {
  const seen = new Int32Array(program.length).fill(-1);
  let places: number[] = [];
  let at = 0;
  const follow = (from: number, into: number[], step: number): boolean => {
    const stack = [from];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (seen[place] === step) continue;
      seen[place] = step;
      const instruction = program[place] as Instruction;
      if (instruction.kind === 'match') return true;
      if (instruction.kind === 'split') stack.push(instruction.second, instruction.first);
      else if (instruction.kind === 'one') into.push(place);
      else if (instruction.kind === 'start' ? at === 0 : at === text.length) stack.push(place + 1);
    }
    return false;
  };
  if (follow(0, places, 0)) return true;
  for (let step = 1; at < text.length; step++) {
    const point = text.codePointAt(at) as number;
    at += point > 0xffff ? 2 : 1;
    const next: number[] = [];
    for (const place of places) {
      if ((program[place] as { accepts: (point: number) => boolean }).accepts(point) && follow(place + 1, next, step)) return true;
    }
    if (follow(0, next, step)) return true;
    places = next;
  }
  return false;
}
