import type { Environment } from '@kube-endpoints/simulator';
import type { Command } from 'commander';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { type CommonFlags, collectValues, createWholeNumberParser, type Invocation, type OnParsed } from '../flags/common.ts';
import { describeFileError } from '../input/sources.ts';
import { readManifestFiles } from '../live/embedded.ts';
import { printReport } from '../print/report.ts';
import { reportRollout } from '../report/rollout.ts';

interface RolloutFlags {
  readonly command: 'rollout';
  readonly change: readonly string[];
  readonly ranges?: string;
  readonly seeds: number;
  readonly fix: boolean;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .requiredOption(
      '--change <FILE>',
      'the objects that the change applies, such as a Deployment with a new image; repeatable',
      collectValues,
    )
    .option('--ranges <FILE>', 'a JSON file with ranges of delays in milliseconds, and how clients, applications and the network behave')
    .option('--seeds <N>', 'the number of runs with random delays', createWholeNumberParser(0, 1000), 4)
    .option('--no-fix', 'do not search the smallest change that prevents failing requests')
    .action((options) => {
      if (command.optsWithGlobals<CommonFlags>().filename === undefined)
        command.error("error: required option '-f, --filename <FILE>' not specified");
      onParsed([], { command: 'rollout', ...options } as RolloutFlags, run);
    });
}

/** Simulates a rollout, and prints whether it drops requests. */
async function run({ flags, change, ranges, seeds, fix }: Invocation<RolloutFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const before = await readManifestFiles(flags, io, printMessage);
  const after = await readManifestFiles({ ...flags, filename: change }, io, printMessage);
  if (!before || !after) return exitCodes.error;
  const environment = ranges === undefined ? {} : await readEnvironment(ranges, io);
  const objectsOf = (manifests: typeof before): ApiObject[] => manifests.map(({ object }) => object as unknown as ApiObject);
  const { checkRollout, simulatedKinds } = await import('@kube-endpoints/simulator');
  const ignored = [...objectsOf(before), ...objectsOf(after)].map(({ kind = '' }) => kind).filter((kind) => !simulatedKinds.includes(kind));
  if (ignored.length > 0)
    printMessage('hint', `The simulation does not read objects of these kinds: ${[...new Set(ignored)].sort().join(', ')}.`);
  try {
    const check = checkRollout({ ...environment, objects: objectsOf(before), change: objectsOf(after), seeds, searchesFix: fix });
    const report = reportRollout(check);
    await printReport(report, flags, io);
    return report.hasFindings ? exitCodes.found : exitCodes.nothing;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--ranges: ${error.message}`, { cause: error });
    if (error instanceof ApiError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** @throws UsageError if the file cannot be read, or is not a JSON object */
async function readEnvironment(path: string, { files }: Pick<IO, 'files'>): Promise<Environment> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of files.readFile(path)) chunks.push(chunk);
  } catch (error) {
    throw new UsageError(`--ranges ${path}: ${describeFileError(error)}`, { cause: error });
  }
  const value = parseJSON(Buffer.concat(chunks).toString('utf8'));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`--ranges ${path}: give a JSON object such as {"ranges": {"watch": {"min": 1, "max": 50}}}`);
}

/** Undefined if the text is not JSON. */
function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
