import { parseArgs } from 'node:util';

/** The command line arguments of a simulation. */
export interface SimulationArguments {
  readonly seeds: number;
  readonly seed: number;
  readonly jobs: number;
  readonly replay: number | undefined;
  /** The number of trace lines that `replay` prints, from the end; all if undefined. */
  readonly lines: number | undefined;
  readonly bug: string | undefined;
  readonly skipBaseline: boolean;
}

/** Parses a command line. @param bugs the known bugs @throws Error with a one-line message for invalid arguments */
export function parseArguments(args: readonly string[], bugs: readonly string[]): SimulationArguments {
  const { values } = parseArgs({ args: [...args], options });
  const { bug, 'skip-baseline': skipBaseline } = values;
  checkBug(bug, bugs);
  return {
    seeds: parseNumber('seeds', values.seeds),
    seed: parseNumber('seed', values.seed),
    jobs: parseNumber('jobs', values.jobs),
    replay: values.replay === undefined ? undefined : parseNumber('replay', values.replay),
    lines: values.lines === undefined ? undefined : parseNumber('lines', values.lines),
    bug,
    skipBaseline,
  };
}

/** Parses the command line of this process. Exits with 2 if the arguments are invalid. */
export const parseArgumentsOrExit = (bugs: readonly string[]): SimulationArguments =>
  parseOrExit(() => parseArguments(process.argv.slice(2), bugs));

/** Returns what `parse` returns. Prints the error in one line and exits with 2 if it throws one. */
export function parseOrExit<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    console.error(`error: ${(error as Error).message.replaceAll(/\s*\n\s*/g, ' ')}`);
    process.exit(2);
  }
}

/** The arguments of each worker process: at most `jobs` processes, each with at least one seed if `seeds` is not 0. */
export function divideSeeds({ seed: first, seeds: count, jobs, bug, skipBaseline }: SimulationArguments): string[][] {
  const bugArguments = [...(bug === undefined ? [] : ['--bug', bug]), ...(skipBaseline ? ['--skip-baseline'] : [])];
  const processCount = Math.max(1, Math.min(jobs, count));
  return Array.from({ length: processCount }, (_, index) => {
    const from = first + Math.floor((count * index) / processCount);
    const to = first + Math.floor((count * (index + 1)) / processCount);
    return ['--seed', String(from), '--seeds', String(to - from), ...bugArguments];
  });
}

const options = {
  seeds: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '1' },
  replay: { type: 'string' },
  lines: { type: 'string' },
  bug: { type: 'string' },
  'skip-baseline': { type: 'boolean', default: false },
} as const;

/** @throws RangeError if the value of `--bug` is not a known bug */
export function checkBug(bug: string | undefined, bugs: readonly string[]): void {
  if (bug !== undefined && !bugs.includes(bug)) throw new RangeError(`--bug: ${JSON.stringify(bug)} is not one of ${bugs.join(', ')}`);
}

/** @throws RangeError if the value of a flag is not a whole number */
export function parseNumber(flag: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`--${flag}: ${JSON.stringify(text)} is not a number`);
}
