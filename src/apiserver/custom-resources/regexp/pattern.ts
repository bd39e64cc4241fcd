import type { Assertion } from './node.ts';
import { PatternProblem } from './node.ts';
import { parsePattern } from './parse.ts';
import { type Program, programOf } from './program.ts';

/** A pattern of RE2, the regular expressions of Go. */
export interface Pattern {
  /**
   * Whether there is a match anywhere in a text. It takes time in proportion to the text, whatever the pattern; where that were more
   * than some tenths of a second, the text does not match.
   */
  matches(text: string): boolean;
}

/** Compiles a pattern. The problem is worded as Go does. */
export function compilePattern(pattern: string): Pattern | { readonly problem: string } {
  try {
    return createMatcher(programOf(parsePattern(pattern), pattern));
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}

/** What stands on one side of a place in the text. */
type Neighbour = 'edge' | 'newline' | 'word' | 'other';

/** A set of places in the program, before those that lead on without a character are followed. */
interface Stage {
  readonly places: readonly number[];
  readonly before: Neighbour;
  readonly next: Map<number, Stage | 'match'>;
  end?: boolean;
}

/** A lazily built automaton: a character in a state that it was seen in before costs one look-up. */
function createMatcher(program: Program): Pattern {
  let stages = new Map<string, Stage>();
  let size = 0;
  const stageOf = (places: readonly number[], before: Neighbour): Stage => {
    const key = `${before}:${places.join(',')}`;
    const known = stages.get(key);
    if (known) return known;
    const stage: Stage = { places, before, next: new Map() };
    stages.set(key, stage);
    size += places.length;
    return stage;
  };
  const step = (stage: Stage, codePoint: number): Stage | 'match' => {
    if (size >= maxSize) {
      stages = new Map();
      size = 0;
    }
    const next = advanced(program, stage, codePoint, stageOf);
    stage.next.set(codePoint, next);
    size += 1;
    return next;
  };
  return {
    matches(text) {
      let budget = maxSteps;
      let stage = stageOf([program.start], 'edge');
      for (let i = 0; i < text.length; ) {
        const codePoint = text.codePointAt(i) as number;
        i += codePoint > 0xffff ? 2 : 1;
        const known = stage.next.get(codePoint);
        if (known === undefined) budget -= program.instructions.length;
        if (budget < 0) return false;
        const next = known ?? step(stage, codePoint);
        if (next === 'match') return true;
        stage = next;
      }
      stage.end ??= closure(program, stage, 'edge').matched;
      return stage.end;
    },
  };
}

/** How many transitions, and places of states, are remembered. */
const maxSize = 100_000;
const maxSteps = 10_000_000;

function advanced(
  program: Program,
  stage: Stage,
  codePoint: number,
  stageOf: (places: readonly number[], before: Neighbour) => Stage,
): Stage | 'match' {
  const after = neighbourOf(codePoint);
  const { places, matched } = closure(program, stage, after);
  if (matched) return 'match';
  // A match may begin anywhere.
  const next = new Set([program.start]);
  for (const place of places) {
    const instruction = program.instructions[place];
    if (instruction?.op === 'char' && instruction.accepts(codePoint)) next.add(instruction.next);
  }
  return stageOf(
    [...next].sort((a, b) => a - b),
    after,
  );
}

/** All places that are come to without a character. */
function closure(
  program: Program,
  { places, before }: Stage,
  after: Neighbour,
): { readonly places: Set<number>; readonly matched: boolean } {
  const seen = new Set<number>(places);
  const open = [...places];
  let matched = false;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const instruction = program.instructions[place];
    if (!instruction || instruction.op === 'char') continue;
    if (instruction.op === 'match') {
      matched = true;
      continue;
    }
    if (instruction.op === 'assert' && !holds(instruction.what, before, after)) continue;
    for (const next of [instruction.next].flat()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return { places: seen, matched };
}

function holds(what: Assertion, before: Neighbour, after: Neighbour): boolean {
  if (what === 'beginText') return before === 'edge';
  if (what === 'endText') return after === 'edge';
  if (what === 'beginLine') return before === 'edge' || before === 'newline';
  if (what === 'endLine') return after === 'edge' || after === 'newline';
  return ((before === 'word') !== (after === 'word')) === (what === 'wordBoundary');
}

function neighbourOf(codePoint: number): Neighbour {
  if (codePoint === 10) return 'newline';
  const isWord = codePoint === 0x5f || (codePoint >= 0x30 && codePoint <= 0x39) || isLetter(codePoint | 0x20);
  return isWord && codePoint < 0x80 ? 'word' : 'other';
}

const isLetter = (lower: number): boolean => lower >= 0x61 && lower <= 0x7a;
