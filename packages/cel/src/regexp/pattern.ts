import { createMatcher, type Pattern } from './matcher.ts';
import { PatternProblem } from './node.ts';
import { parsePattern } from './parse.ts';
import { programOf } from './program.ts';

export type { Pattern };

export interface PatternLimits {
  /** How many instructions a pattern may come to; 20,000 by default. */
  readonly instructions?: number;
  /** How many steps of its automaton are remembered, so that they need not be worked out again; 100,000 by default. */
  readonly remembered?: number;
}

/** Compiles a pattern. The problem is worded as Go does. */
export function compilePattern(pattern: string, limits: PatternLimits = {}): Pattern | { readonly problem: string } {
  const { instructions = 20_000, remembered = 100_000 } = limits;
  try {
    return createMatcher(programOf(parsePattern(pattern), pattern, instructions), remembered);
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}
