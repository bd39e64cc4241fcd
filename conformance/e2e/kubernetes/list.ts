import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a control plane next to the API server: none, controllers for endpoints, or all of kube-controller-manager. */
export type Setup = 'server' | 'endpoints' | 'manager';

export interface ListedTest {
  readonly name: string;
  /** The smallest setup with which a real API server passes the test. */
  readonly needs: Setup;
  /** Why the embedded API server fails the test; undefined if it passes. */
  readonly reason?: string;
}

const SETUPS: readonly Setup[] = ['server', 'endpoints', 'manager'];

/** Reads `tests.txt`, which explains its format. */
export function readTestList(): ListedTest[] {
  return parseTestList(readFileSync(join(import.meta.dirname, 'tests.txt'), 'utf8'));
}

/** @throws Error naming the line that is not in the format of `tests.txt` */
export function parseTestList(text: string): ListedTest[] {
  const tests: ListedTest[] = [];
  const names = new Set<string>();
  let needs: Setup | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fail = (problem: string): never => {
      throw new Error(`tests.txt, line ${index + 1}: ${problem}`);
    };
    const [, heading, reason] = /^(?:== (.*)|\s+fails: (.*))$/.exec(line) ?? [];
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (heading !== undefined) {
      needs = SETUPS.find((setup) => setup === heading) ?? fail(`the headings are ${SETUPS.join(', ')}, not ${heading}`);
    } else if (reason !== undefined) {
      const test = tests.pop() ?? fail('a reason without a test');
      tests.push({ ...test, reason });
    } else {
      if (names.has(line)) fail(`a second entry for ${line}`);
      names.add(line);
      tests.push({ name: line, needs: needs ?? fail('a test before the first heading') });
    }
  }
  return tests;
}

/** The setups that include everything a test needs. */
export const isEnough = (setup: Setup, needs: Setup): boolean => SETUPS.indexOf(setup) >= SETUPS.indexOf(needs);
