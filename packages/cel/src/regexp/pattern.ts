import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js';
import { maxWideFoldedRanges, measurePattern, removeGroupNames } from './measure.ts';

/** A compiled RE2 pattern, the syntax of Go's regular expressions. */
export interface Pattern {
  /** The number of instructions of the compiled program, which is the maximum work per character. */
  readonly size: number;
  /**
   * True if the text contains a match. Takes time proportional to the text's length and to `size`. Beyond ten million steps (a few
   * tenths of a second), the result is false.
   */
  matches(text: string): boolean;
  /**
   * Finds the first match at or after an index; of several matches at one index, the one that Go's regexp prefers. Undefined if there is no
   * match.
   * @param spend charges steps; stops the search by throwing
   */
  find(text: string, from: number, spend: (steps: number) => void): PatternMatch | undefined;
}

/** Start index and end index (exclusive) of a match. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
}

export interface PatternLimits {
  /** The maximum size of a program; default: 20,000. */
  readonly instructions?: number;
  /** Bytes of automaton states cached between matches; default: 4 MiB. */
  readonly cacheBytes?: number;
}

/** Compiles a pattern, or returns the reason that it is invalid or too large, in Go's wording. */
export function compilePattern(pattern: string, limits: PatternLimits = {}): Pattern | { readonly problem: string } {
  const { instructions = 20_000, cacheBytes = 4 << 20 } = limits;
  const tooLargeResult = { problem: formatProblem('expression too large', pattern) };
  // Even measurePattern would take too long.
  if (pattern.length > 10 * instructions) return tooLargeResult;
  const { size, wideFoldedRangeCount } = measurePattern(pattern);
  if (wideFoldedRangeCount > maxWideFoldedRanges) return tooLargeResult;
  try {
    // Parses a pattern that is too large, too, because Go reports a syntax error rather than excessive size.
    if (size > instructions) new RE2Set().add(pattern);
    if (size > instructions) return tooLargeResult;
    const compiled = createBoundedPattern(compile(pattern), cacheBytes);
    return compiled.size > instructions ? tooLargeResult : compiled;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { problem: describeSyntaxError(error, pattern) };
    throw error;
  }
}

/**
 * Compiles a pattern without limits. Removes duplicate group names, which Go permits and re2js does not; callers never use group names.
 * @throws RE2JSSyntaxException
 */
function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException) || error.getDescription() !== 'duplicate capture group name') throw error;
    return RE2JS.compile(removeGroupNames(pattern));
  }
}

const formatProblem = (description: string, excerpt: string): string => `error parsing regexp: ${description}: \`${excerpt}\``;

/** Converts an error of re2js to Go's message. */
function describeSyntaxError(error: RE2JSSyntaxException, pattern: string): string {
  const description = error.getDescription();
  const excerpt = error.getPattern();
  if (excerpt === null) return formatProblem(description, description.startsWith('trailing') ? '' : pattern);
  if (description === 'invalid named capture' && /^\(\?P?<$/.test(excerpt))
    return formatProblem('invalid or unsupported Perl syntax', excerpt.slice(0, 3));
  return formatProblem(description, excerpt === removeGroupNames(pattern) ? pattern : excerpt);
}

function createBoundedPattern(compiled: RE2JS, cacheBytes: number): Pattern {
  // re2js adds one instruction that always fails.
  const size = compiled.programSize() - 1;
  let engine: BoundedEngine | undefined;
  return {
    size,
    matches(text) {
      engine ??= createBoundedEngine(compiled, size, cacheBytes);
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
 * Limits the steps of re2js whose cost depends on the program's size, because re2js has no option for this. These are transitions to
 * automaton states that are not cached, and the simulation it falls back to if states change too fast for the cache.
 */
function createBoundedEngine(compiled: RE2JS, size: number, cacheBytes: number): BoundedEngine {
  const re2 = compiled.re2();
  const { dfa } = re2;
  let remaining = 0;
  const spend = (steps: number): void => {
    remaining -= steps;
    if (remaining < 0) throw new TooManySteps();
  };
  const step: typeof dfa.step = dfa.step.bind(dfa);
  const executeNfa: typeof re2.doExecuteNFA = re2.doExecuteNFA.bind(re2);
  dfa.stateBudget = cacheBytes;
  dfa.memBudget = cacheBytes;
  dfa.step = (...args) => {
    spend(size);
    return step(...args);
  };
  re2.doExecuteNFA = (input, pos, anchor, captures) => {
    if (captures === 0) spend((input.endPos() - pos) * size);
    return executeNfa(input, pos, anchor, captures);
  };
  return {
    test(text) {
      remaining = maxSteps;
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

/**
 * A text that charges for each read. re2js accepts such objects as text. It does not extend String, because V8 runs the string operations
 * of a whole process more slowly as soon as a class does.
 */
class CountedText {
  readonly #text: string;
  readonly #cost: number;
  readonly #spend: (steps: number) => void;

  constructor(text: string, cost: number, spend: (steps: number) => void) {
    this.#text = text;
    this.#cost = cost;
    this.#spend = spend;
  }

  /** re2js recognizes texts by this tag. */
  get [Symbol.toStringTag](): string {
    return 'String';
  }

  get length(): number {
    return this.#text.length;
  }

  charCodeAt(index: number): number {
    this.#spend(this.#cost);
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, from = 0): number {
    const index = this.#text.indexOf(part, from);
    this.#spend(1 + (((index < 0 ? this.length : index) - from) >> 8));
    return index;
  }
}

/**
 * Steps charged per character read. For a short text re2js reads a character again for each instruction, so a read costs 1; otherwise a
 * read covers work on many instructions.
 */
const costOfRead = (text: string, size: number): number => (size <= 500 && text.length * (size + 1) <= 262_144 ? 1 : 1 + (size >> 3));
