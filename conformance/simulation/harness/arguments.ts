import { parseArgs } from 'node:util';

/** The command line arguments of a simulation. */
export interface SimulationArguments {
  readonly seeds: number;
  readonly seed: number;
  readonly jobs: number;
  readonly replay: number | undefined;
  readonly lines: number | undefined;
  readonly bug: string | undefined;
  readonly trust: boolean;
}

/** Parses a command line. @param bugs the known bugs @throws Error with a one-line message for invalid arguments */
export function readArguments(args: readonly string[], bugs: readonly string[]): SimulationArguments {
  const { values } = parseArgs({ args: [...args], options });
  const { bug, trust } = values;
  if (bug !== undefined && !bugs.includes(bug)) throw new RangeError(`--bug: ${JSON.stringify(bug)} is not one of ${bugs.join(', ')}`);
  return {
    seeds: parseNumber('seeds', values.seeds),
    seed: parseNumber('seed', values.seed),
    jobs: parseNumber('jobs', values.jobs),
    replay: values.replay === undefined ? undefined : parseNumber('replay', values.replay),
    lines: values.lines === undefined ? undefined : parseNumber('lines', values.lines),
    bug,
    trust,
  };
}

/** As `readArguments` for this process, which exits with 2 if they are invalid. */
export function argumentsOrExit(bugs: readonly string[]): SimulationArguments {
  try {
    return readArguments(process.argv.slice(2), bugs);
  } catch (error) {
    console.error(`error: ${(error as Error).message.replaceAll(/\s*\n\s*/g, ' ')}`);
    process.exit(2);
  }
}

const options = {
  seeds: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '1' },
  replay: { type: 'string' },
  lines: { type: 'string' },
  bug: { type: 'string' },
  trust: { type: 'boolean', default: false },
} as const;

function parseNumber(flag: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`--${flag}: ${JSON.stringify(text)} is not a number`);
}
