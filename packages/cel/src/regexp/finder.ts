import { holds, type Neighbour, neighbourOf } from './neighbour.ts';
import type { Program } from './program.ts';

/** Where a match begins, and where what follows it does. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

export interface Finder {
  /**
   * The first match at a place or after it; of those that begin there, the one that Go's regexp prefers. It takes time in proportion to
   * what follows of the text and to the size of the pattern, whatever the pattern.
   * @param spend is told how many steps it took so far, and ends it by throwing
   */
  find(text: string, from: number, spend: (steps: number) => void): Found | undefined;
}

/** All ways to match are followed at once, in the order in which they are preferred. */
export function createFinder(program: Program): Finder {
  return {
    find(text, from, spend) {
      const walk = createWalk(program);
      let places: readonly Place[] = [];
      let found: Found | undefined;
      let before: Neighbour = from === 0 ? 'edge' : neighbourOf(codePointBefore(text, from));
      for (let at = from; ; ) {
        const codePoint = text.codePointAt(at);
        const after = codePoint === undefined ? 'edge' : neighbourOf(codePoint);
        // what begins later is never preferred
        const open = found ? places : [...places, { at: program.start, start: at }];
        const { reading, matched } = walk(open, before, after);
        if (matched !== undefined) found = { start: matched, end: at };
        spend(1 + open.length + reading.length);
        if (codePoint === undefined || (found && reading.length === 0)) return found;
        places = accepted(program, reading, codePoint);
        at += codePoint > 0xffff ? 2 : 1;
        before = after;
      }
    },
  };
}

/** A place in the program, and where in the text the way to it began. */
interface Place {
  readonly at: number;
  readonly start: number;
}

interface Step {
  readonly reading: readonly Place[];
  /** Where the preferred match began, if there is one here. Of the others only those are left that are preferred to it. */
  readonly matched?: number;
}

function createWalk({ instructions }: Program): (places: readonly Place[], before: Neighbour, after: Neighbour) => Step {
  const seen = new Uint32Array(instructions.length);
  let turn = 0;
  return (places, before, after) => {
    turn += 1;
    const reading: Place[] = [];
    for (const { at, start } of places) {
      const open = [at];
      for (let place = open.pop(); place !== undefined; place = open.pop()) {
        if (seen[place] === turn) continue;
        seen[place] = turn;
        const instruction = instructions[place];
        if (instruction?.op === 'match') return { reading, matched: start };
        if (instruction?.op === 'char') reading.push({ at: place, start });
        else if (instruction?.op === 'split') open.push(...instruction.next.toReversed());
        else if (instruction && holds(instruction.what, before, after)) open.push(instruction.next);
      }
    }
    return { reading };
  };
}

function accepted({ instructions }: Program, reading: readonly Place[], codePoint: number): readonly Place[] {
  const next: Place[] = [];
  for (const { at, start } of reading) {
    const instruction = instructions[at];
    if (instruction?.op === 'char' && instruction.accepts(codePoint)) next.push({ at: instruction.next, start });
  }
  return next;
}

function codePointBefore(text: string, at: number): number {
  const isLow = at > 1 && text.charCodeAt(at - 1) >= 0xdc00 && text.charCodeAt(at - 1) < 0xe000;
  return text.codePointAt(isLow ? at - 2 : at - 1) as number;
}
