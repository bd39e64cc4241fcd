import type { Environment, RolloutCheck } from '@kube-endpoints/simulator';
import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import type { Command } from 'commander';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { type CommonFlags, createWholeNumberParser, type Invocation } from '../flags/common.ts';
import { isMap } from '../input/checks.ts';
import { parseJSON } from '../input/json.ts';
import { readText } from '../input/sources.ts';
import { readManifestFiles } from '../live/embedded.ts';
import { printReport } from '../print/report.ts';
import { reportCheck } from '../report/simulation.ts';

/** The flags of commands that simulate a cluster. */
export interface SimulationFlags {
  readonly ranges?: string;
  readonly seeds?: number;
  /** False with `--no-fix`, otherwise absent. */
  readonly fix?: boolean;
}

export const addSimulationFlags = (command: Command): Command =>
  command
    .option('--ranges <FILE>', 'a JSON file with ranges of delays in milliseconds, and how clients, applications and the network behave')
    .option(
      '--seeds <N>',
      'the number of runs with random delays, besides those at the bounds (default: 4, and fewer runs of both if there are many pods)',
      createWholeNumberParser(0, 1000),
    )
    .option('--no-fix', 'do not search the smallest change that prevents failing requests');

/** Exits with an error if `-f` is missing. */
export function requireFiles(command: Command): void {
  if (command.optsWithGlobals<CommonFlags>().filename === undefined)
    command.error("error: required option '-f, --filename <FILE>' not specified");
}

export interface Simulation {
  /** For the page: what is simulated, for example "Simulated rollout". */
  readonly kind: string;
  /** For the page: what changes, for example "Deployment shop/web". */
  subject(others: readonly ApiObject[]): string;
  /** Objects besides those of -f. */
  readonly objects?: readonly ApiObject[];
  /** The file that errors name, if the flags do not. */
  readonly source?: string;
  /** The clients of the scenario, if the file of --ranges sets none. */
  readonly clients?: Environment['clients'];
  /** Further files with objects, such as those of `--change`. */
  readonly filenames?: readonly string[];
  check(
    simulator: typeof import('@kube-endpoints/simulator'),
    options: Environment & { readonly objects: readonly ApiObject[]; readonly seeds?: number; readonly searchesFix: boolean },
    others: readonly ApiObject[],
  ): RolloutCheck;
}

/** Reads the files, simulates, and prints the answer. @throws UsageError if an object, a node or a range is invalid */
export async function simulate(
  { flags, ranges, seeds, fix = true }: Invocation<SimulationFlags>,
  { kind, subject, clients, objects: further = [], source, filenames = [], check }: Simulation,
  io: IO,
  printMessage: PrintMessage,
): Promise<number> {
  const [given, others] = [
    await readManifestFiles(flags, io, printMessage),
    await readManifestFiles({ ...flags, filename: filenames }, io, printMessage),
  ].map((manifests) => manifests?.map(({ object }) => object as unknown as ApiObject));
  if (!given || !others) return exitCodes.error;
  const objects = [...given, ...further];
  const environment = ranges === undefined ? {} : await readEnvironment(ranges, io);
  const simulator = await import('@kube-endpoints/simulator');
  const kinds = [...objects, ...others].map(({ kind = '' }) => kind).filter((kind) => !simulator.simulatedKinds.includes(kind));
  if (kinds.length > 0)
    printMessage('hint', `The simulation does not read objects of these kinds: ${[...new Set(kinds)].sort().join(', ')}.`);
  const result = convertErrors(source, () =>
    check(simulator, { ...environment, objects, ...(seeds !== undefined && { seeds }), searchesFix: fix }, others),
  );
  const report = reportCheck(result, flags.output === 'wide' ? await loadDescriber() : undefined);
  if (flags.output === 'html') {
    const { renderPage } = await import('../page/page.ts');
    const files = [...(flags.filename ?? []), ...filenames, ...(ranges === undefined ? [] : [ranges])];
    io.stdout.write(renderPage(result, { kind, subject: subject(others), source: files, clients: environment.clients ?? clients }));
  } else await printReport(report, flags, io);
  return report.hasFindings ? exitCodes.found : exitCodes.nothing;
}

/** Describes the entries of a timeline, which it must get in their order, with their components. Imported on demand, as a part of the page. */
async function loadDescriber(): Promise<(entry: TimelineEntry) => string> {
  const { actorOf, createDescriber } = await import('../page/describe.ts');
  const describe = createDescriber();
  return (entry) => `${actorOf(entry)}: ${describe(entry)}`;
}

/** @throws UsageError in place of an error that the user must fix */
export function convertErrors<T>(source: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof ApiError)
      throw new UsageError(source === undefined ? error.message : `${source}: ${error.message}`, { cause: error });
    throw error;
  }
}

const sections: readonly string[] = ['clients', 'ranges', 'network', 'application'] satisfies readonly (keyof Environment)[];

/** @throws UsageError if the file cannot be read, is not a JSON object, or has a section that no environment has */
async function readEnvironment(path: string, { files }: Pick<IO, 'files'>): Promise<Environment> {
  const { value, error } = parseJSON(await readText(path, files, '--ranges'));
  if (error === undefined && isMap(value)) {
    const unknown = Object.keys(value).find((name) => !sections.includes(name));
    if (unknown === undefined) return value;
    throw new UsageError(`--ranges ${path}: ${unknown} is unknown: give ${sections.join(', ')}`);
  }
  throw new UsageError(`--ranges ${path}: ${error ?? 'give a JSON object such as {"ranges": {"watch": {"min": 1, "max": 50}}}'}`);
}
