import { CelFailure, type CelPart } from '../library.ts';
import { compilePattern, type Pattern } from '../regexp/pattern.ts';

/**
 * Mirrors pkg/cel/library/regex.go of Kubernetes 1.36.
 * @param spend charges steps; stops the function by throwing
 */
export function createRegexFunctions(patterns: PatternCache, spend: (steps: number) => void): CelPart {
  const compileOrThrow = (pattern: string): Pattern => {
    if (pattern.length > maxPatternLength) throw new CelFailure(`the pattern is longer than ${maxPatternLength} characters`);
    const compiled = patterns.get(pattern, spend);
    if (typeof compiled === 'string') throw new CelFailure(`Illegal regex: ${compiled}`);
    return compiled;
  };
  const findAll = (text: string, pattern: string, limit: bigint): readonly string[] =>
    findMatches(compileOrThrow(pattern), text, limit, createStepLimiter(spend));
  return {
    functions: [
      {
        signature: 'string.find(string): string',
        run(text: string, pattern: string) {
          const match = compileOrThrow(pattern).find(text, 0, createStepLimiter(spend));
          return match ? text.slice(match.start, match.end) : '';
        },
      },
      { signature: 'string.findAll(string): list<string>', run: (text: string, pattern: string) => findAll(text, pattern, -1n) },
      { signature: 'string.findAll(string, int): list<string>', run: findAll },
    ],
  };
}

/** Finds up to `limit` matches, or all if `limit` is negative. Like Go, skips an empty match at the end of the previous match. */
function findMatches(pattern: Pattern, text: string, limit: bigint, spend: (steps: number) => void): readonly string[] {
  const matches: string[] = [];
  let lastEnd = -1;
  for (let from = 0; from <= text.length && (limit < 0n || matches.length < limit); ) {
    const match = pattern.find(text, from, spend);
    if (!match) break;
    const { start, end } = match;
    if (start !== end || start !== lastEnd) matches.push(text.slice(start, end));
    lastEnd = end;
    from = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return matches;
}

/** Creates a `spend` function that also limits the steps of one call, since finding all matches may take quadratic time. */
function createStepLimiter(spend: (steps: number) => void): (steps: number) => void {
  let remaining = maxStepsPerCall;
  return (steps) => {
    spend(steps);
    remaining -= steps;
    if (remaining < 0) throw new CelFailure('finding the pattern takes too many steps');
  };
}

const maxStepsPerCall = 5_000_000;

export interface PatternCache {
  /** Compiles and stores a literal pattern of an expression. @returns an error message if the pattern is invalid */
  add(pattern: string): string | undefined;
  /**
   * Returns a literal pattern, or compiles a computed one. Caches the last computed pattern.
   * @param spend charges the steps to compile
   * @returns an error message if the pattern is invalid
   */
  get(pattern: string, spend: (steps: number) => void): Pattern | string;
}

export function createPatternCache(): PatternCache {
  const literals = new Map<string, Pattern>();
  const lastCompiled: { pattern?: string; compiled: Pattern | string } = { compiled: '' };
  return {
    add(pattern) {
      const compiled = literals.get(pattern) ?? compile(pattern);
      if (typeof compiled === 'string') return compiled;
      literals.set(pattern, compiled);
      return undefined;
    },
    get(pattern, spend) {
      const literal = literals.get(pattern);
      if (literal) return literal;
      if (lastCompiled.pattern !== pattern) {
        if (pattern.length <= maxPatternLength) spend(pattern.length * stepsPerCharacter);
        Object.assign(lastCompiled, { pattern, compiled: compile(pattern) });
      }
      return lastCompiled.compiled;
    },
  };
}

function compile(pattern: string): Pattern | string {
  if (pattern.length > maxPatternLength) return `longer than ${maxPatternLength} characters`;
  const compiled = compilePattern(pattern, limits);
  return 'problem' in compiled ? compiled.problem : compiled;
}

/** In characters. Authors of objects may supply patterns and texts, so time and memory are bounded. */
export const maxPatternLength = 500;
const stepsPerCharacter = 50;
const limits = { instructions: 1000, cacheBytes: 1 << 18 };
