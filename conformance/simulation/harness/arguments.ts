import { parseArgs } from 'node:util';

/** What a simulation is asked for. */
export interface SimulationArguments {
  readonly seeds: number;
  readonly seed: number;
  readonly jobs: number;
  readonly replay: number | undefined;
  readonly lines: number | undefined;
  readonly bug: string | undefined;
  readonly trust: boolean;
}

/** Reads a command line. @param bugs the names there are @throws Error in one line, for one that cannot be understood */
export function readArguments(args: readonly string[], bugs: readonly string[]): SimulationArguments {
  const { values } = parseArgs({ args: [...args], options });
  const { bug, trust } = values;
  if (bug !== undefined && !bugs.includes(bug)) throw new RangeError(`--bug: ${JSON.stringify(bug)} is none of ${bugs.join(', ')}`);
  return {
    seeds: numberOf('seeds', values.seeds),
    seed: numberOf('seed', values.seed),
    jobs: numberOf('jobs', values.jobs),
    replay: values.replay === undefined ? undefined : numberOf('replay', values.replay),
    lines: values.lines === undefined ? undefined : numberOf('lines', values.lines),
    bug,
    trust,
  };
}

/** As `readArguments`, of this process, which ends with 2 where they cannot be understood. */
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

function numberOf(flag: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`--${flag}: ${JSON.stringify(text)} is no number`);
}
