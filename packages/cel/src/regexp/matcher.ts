import { createFinder, type Finder } from './finder.ts';
import { holds, type Neighbour, neighbourOf } from './neighbour.ts';
import type { Program } from './program.ts';

/** A pattern of RE2, the regular expressions of Go. */
export interface Pattern extends Finder {
  /** How much work a character of a text is at most: the instructions of its automaton. */
  readonly size: number;
  /**
   * Whether there is a match anywhere in a text. It takes time in proportion to the text and to `size`, whatever the pattern; where their
   * product is more than ten million, which is some tenths of a second, the text may not be found to match.
   */
  matches(text: string): boolean;
}

/** A set of places in the program, before those that lead on without a character are followed. */
interface Stage {
  readonly places: readonly number[];
  readonly before: Neighbour;
  readonly next: Map<number, Stage | 'match'>;
  end?: boolean;
}

/**
 * A lazily built automaton: a character in a state that it was seen in before costs one look-up.
 * @param most how many transitions, and places of states, are remembered
 */
export function createMatcher(program: Program, most: number): Pattern {
  const { start, instructions } = program;
  const walk = createWalk(program);
  let stages = new Map<string, Stage>();
  let size = 0;
  const stageOf = (places: readonly number[], before: Neighbour): Stage => {
    const key = before + String.fromCharCode(...places);
    const known = stages.get(key);
    if (known) return known;
    const stage: Stage = { places, before, next: new Map() };
    stages.set(key, stage);
    size += places.length;
    return stage;
  };
  const step = (stage: Stage, codePoint: number): Stage | 'match' => {
    if (size >= most) {
      stages = new Map();
      size = 0;
    }
    const after = neighbourOf(codePoint);
    const places = walk.follow(stage, after) ? undefined : walk.accept(codePoint);
    const next = places ? stageOf(places, after) : 'match';
    stage.next.set(codePoint, next);
    size += 1;
    return next;
  };
  return {
    size: instructions.length,
    ...createFinder(program),
    matches(text) {
      let budget = maxSteps;
      let stage = stageOf([start], 'edge');
      for (let i = 0; i < text.length; ) {
        const codePoint = text.codePointAt(i) as number;
        i += codePoint > 0xffff ? 2 : 1;
        const known = stage.next.get(codePoint);
        if (known === undefined) budget -= instructions.length;
        if (budget < 0) return false;
        const next = known ?? step(stage, codePoint);
        if (next === 'match') return true;
        stage = next;
      }
      stage.end ??= walk.follow(stage, 'edge');
      return stage.end;
    },
  };
}

const maxSteps = 10_000_000;

interface Walk {
  /** Comes to all places that need no character; whether one of them is the end. */
  follow(stage: Stage, after: Neighbour): boolean;
  /** Where a character leads from the places that were come to last. */
  accept(codePoint: number): readonly number[];
}

/** What it notes down is made once, as there is a walk for each character that is new to a stage. */
function createWalk({ instructions, start }: Program): Walk {
  const seen = new Uint32Array(instructions.length);
  const open = new Uint16Array(instructions.length);
  const reading = new Uint16Array(instructions.length);
  let turn = 0;
  let count = 0;
  let waiting = 0;
  const come = (place: number): void => {
    if (seen[place] === turn) return;
    seen[place] = turn;
    open[waiting++] = place;
  };
  const begin = (): void => {
    turn = turn === 0xffffffff ? 1 : turn + 1;
    if (turn === 1) seen.fill(0);
    waiting = 0;
  };
  return {
    follow({ places, before }, after) {
      begin();
      count = 0;
      for (const place of places) come(place);
      while (waiting > 0) {
        const place = open[--waiting] as number;
        const instruction = instructions[place];
        if (instruction?.op === 'match') return true;
        if (instruction?.op === 'char') reading[count++] = place;
        else if (instruction?.op === 'split') instruction.next.forEach(come);
        else if (instruction && holds(instruction.what, before, after)) come(instruction.next);
      }
      return false;
    },
    accept(codePoint) {
      begin();
      // A match may begin anywhere.
      come(start);
      for (let i = 0; i < count; i += 1) {
        const instruction = instructions[reading[i] as number];
        if (instruction?.op === 'char' && instruction.accepts(codePoint)) come(instruction.next);
      }
      return [...open.subarray(0, waiting)];
    },
  };
}
