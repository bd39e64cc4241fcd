import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js';
import { maxWideFoldedRanges, measurePattern, withoutGroupNames } from './measure.ts';

/** A pattern of RE2, the regular expressions of Go. */
export interface Pattern {
  /** The number of instructions of its program: the most work that a character of a text can be. */
  readonly size: number;
  /**
   * Whether there is a match anywhere in a text, in time proportional to the text and to `size` for any pattern. If that takes more than
   * ten million steps, which is some tenths of a second, the text counts as one that does not match.
   */
  matches(text: string): boolean;
  /**
   * The first match at or after an index; of those that begin there, the one that Go's regexp prefers.
   * @param spend receives the steps taken so far, and ends the search by throwing
   */
  find(text: string, from: number, spend: (steps: number) => void): Found | undefined;
}

/** A match: its first index, and the index after its last. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

export interface PatternLimits {
  /** The largest size of a program; 20,000 by default. */
  readonly instructions?: number;
  /** How many bytes of automaton states to cache between matches; 4 MiB by default. */
  readonly cacheBytes?: number;
}

/** Compiles a pattern. The problem has Go's words. */
export function compilePattern(pattern: string, limits: PatternLimits = {}): Pattern | { readonly problem: string } {
  const { instructions = 20_000, cacheBytes = 4 << 20 } = limits;
  const tooLarge = { problem: problemOf('expression too large', pattern) };
  // to read it would take long already
  if (pattern.length > 10 * instructions) return tooLarge;
  const { size, wideFoldedRanges } = measurePattern(pattern);
  if (wideFoldedRanges > maxWideFoldedRanges) return tooLarge;
  try {
    // a set only parses; Go finds a syntax error before it finds that a pattern is too large
    if (size > instructions) new RE2Set().add(pattern);
    if (size > instructions) return tooLarge;
    const compiled = boundedPattern(compile(pattern), cacheBytes);
    return compiled.size > instructions ? tooLarge : compiled;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { problem: syntaxProblem(error, pattern) };
    throw error;
  }
}

/** Go lets two groups have one name, which re2js refuses. No caller here refers to groups. @throws RE2JSSyntaxException */
function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException) || error.getDescription() !== 'duplicate capture group name') throw error;
    return RE2JS.compile(withoutGroupNames(pattern));
  }
}

const problemOf = (description: string, near: string): string => `error parsing regexp: ${description}: \`${near}\``;

/** In Go's words where re2js has others. */
function syntaxProblem(error: RE2JSSyntaxException, pattern: string): string {
  const description = error.getDescription();
  const near = error.getPattern();
  if (near === null) return problemOf(description, description.startsWith('trailing') ? '' : pattern);
  if (description === 'invalid named capture' && /^\(\?P?<$/.test(near))
    return problemOf('invalid or unsupported Perl syntax', near.slice(0, 3));
  return problemOf(description, near === withoutGroupNames(pattern) ? pattern : near);
}

function boundedPattern(compiled: RE2JS, cacheBytes: number): Pattern {
  // re2js counts an instruction that fails always
  const size = compiled.programSize() - 1;
  let engine: BoundedEngine | undefined;
  return {
    size,
    matches(text) {
      engine ??= boundEngine(compiled, size, cacheBytes);
      return engine.test(text);
    },
    find(text, from, spend) {
      const matcher = compiled.matcher(new CountedText(text, costOfRead(text, size), spend) as unknown as string);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

interface BoundedEngine {
  test(text: string): boolean;
}

/**
 * Counts the steps of re2js that take time in proportion to the size of a program, which it has no option for: those from a state of its
 * automaton to one that is not cached, and those without the automaton, where states change too fast for a cache.
 */
function boundEngine(compiled: RE2JS, size: number, cacheBytes: number): BoundedEngine {
  const re2 = compiled.re2();
  const { dfa } = re2;
  let left = 0;
  const spend = (steps: number): void => {
    left -= steps;
    if (left < 0) throw new TooManySteps();
  };
  const step: typeof dfa.step = dfa.step.bind(dfa);
  const executeNfa: typeof re2.doExecuteNFA = re2.doExecuteNFA.bind(re2);
  dfa.stateBudget = cacheBytes;
  dfa.memBudget = cacheBytes;
  dfa.step = (...given) => {
    spend(size);
    return step(...given);
  };
  re2.doExecuteNFA = (input, pos, anchor, captures) => {
    if (captures === 0) spend((input.endPos() - pos) * size);
    return executeNfa(input, pos, anchor, captures);
  };
  return {
    test(text) {
      left = maxSteps;
      try {
        return compiled.test(text);
      } catch (error) {
        if (error instanceof TooManySteps) return false;
        throw error;
      }
    },
  };
}

const maxSteps = 10_000_000;

class TooManySteps extends Error {}

/** A text that counts how often it is read. re2js takes objects like it for texts. */
class CountedText extends String {
  readonly #spend: (steps: number) => void;
  readonly #cost: number;

  constructor(text: string, cost: number, spend: (steps: number) => void) {
    super(text);
    this.#cost = cost;
    this.#spend = spend;
  }

  override charCodeAt(index: number): number {
    this.#spend(this.#cost);
    return super.charCodeAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const found = super.indexOf(part, from);
    this.#spend(1 + (((found < 0 ? this.length : found) - from) >> 8));
    return found;
  }
}

/** How much work re2js does for a character that it reads: of a short text it reads one again for each instruction that comes to it. */
const costOfRead = (text: string, size: number): number => (size <= 500 && text.length * (size + 1) <= 262_144 ? 1 : 1 + (size >> 3));
