import { compilePattern, type Pattern } from './regexp/pattern.ts';

/** The patterns of expressions, each compiled once where it can be. */
export interface Patterns {
  /** Takes in one that is written out in an expression. @returns text where it cannot be used */
  add(pattern: string): string | undefined;
  /**
   * Compiles a pattern that an expression made, unless it is one that was added, or the last that was compiled here.
   * @param spend receives the steps of compiling it
   * @returns text if it cannot be used
   */
  of(pattern: string, spend: (steps: number) => void): Pattern | string;
}

export function createPatterns(): Patterns {
  const written = new Map<string, Pattern>();
  const last: { pattern?: string; compiled: Pattern | string } = { compiled: '' };
  return {
    add(pattern) {
      const compiled = written.get(pattern) ?? compile(pattern);
      if (typeof compiled === 'string') return compiled;
      written.set(pattern, compiled);
      return undefined;
    },
    of(pattern, spend) {
      const known = written.get(pattern);
      if (known) return known;
      if (last.pattern !== pattern) {
        if (pattern.length <= maxPatternLength) spend(pattern.length * stepsPerCharacter);
        Object.assign(last, { pattern, compiled: compile(pattern) });
      }
      return last.compiled;
    },
  };
}

function compile(pattern: string): Pattern | string {
  if (pattern.length > maxPatternLength) return `it is longer than ${maxPatternLength} characters`;
  const compiled = compilePattern(pattern, limits);
  return 'problem' in compiled ? compiled.problem : compiled;
}

/** Whoever writes objects may write patterns, and texts for them: neither may take much time, nor memory for long. */
export const maxPatternLength = 500;
const stepsPerCharacter = 50;
const limits = { instructions: 1000, cacheBytes: 1 << 18 };
