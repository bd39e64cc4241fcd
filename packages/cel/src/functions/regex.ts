import { CelFailure, type CelPart } from '../library.ts';
import { maxPatternLength, type Patterns } from '../patterns.ts';
import type { Pattern } from '../regexp/pattern.ts';

/**
 * Mirrors pkg/cel/library/regex.go of Kubernetes 1.36.
 * @param spend receives steps, and ends a function by throwing
 */
export function regexFunctionsWith(patterns: Patterns, spend: (steps: number) => void): CelPart {
  const compiled = (pattern: string): Pattern => {
    if (pattern.length > maxPatternLength) throw new CelFailure(`the pattern is longer than ${maxPatternLength} characters`);
    const found = patterns.of(pattern, spend);
    if (typeof found === 'string') throw new CelFailure(`Illegal regex: ${found}`);
    return found;
  };
  const findAll = (text: string, pattern: string, most: bigint): readonly string[] => allOf(compiled(pattern), text, most, bounded(spend));
  return {
    functions: [
      {
        signature: 'string.find(string): string',
        run(text: string, pattern: string) {
          const found = compiled(pattern).find(text, 0, bounded(spend));
          return found ? text.slice(found.start, found.end) : '';
        },
      },
      { signature: 'string.findAll(string): list<string>', run: (text: string, pattern: string) => findAll(text, pattern, -1n) },
      { signature: 'string.findAll(string, int): list<string>', run: findAll },
    ],
  };
}

/** An empty match where the one before it ended is none. */
function allOf(pattern: Pattern, text: string, most: bigint, spend: (steps: number) => void): readonly string[] {
  const all: string[] = [];
  let last = -1;
  for (let from = 0; from <= text.length && (most < 0n || all.length < most); ) {
    const found = pattern.find(text, from, spend);
    if (!found) break;
    const { start, end } = found;
    if (start !== end || start !== last) all.push(text.slice(start, end));
    last = end;
    from = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return all;
}

/** To look for all matches may take steps as the square of the text's length. */
function bounded(spend: (steps: number) => void): (steps: number) => void {
  let left = maxSteps;
  return (steps) => {
    spend(steps);
    left -= steps;
    if (left < 0) throw new CelFailure('it takes too many steps to find the pattern');
  };
}

const maxSteps = 5_000_000;
