import type { RecordingSource } from '@kube-endpoints/simulator/internal';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { Invocation, OnParsed } from '../flags/common.ts';
import { describeFileError, findSources, standardInput } from '../input/sources.ts';
import { printReport } from '../print/report.ts';
import { reportHistory, reportScenario } from '../report/history.ts';
import { requireFiles } from './simulation.ts';

interface HistoryFlags {
  readonly command: 'history';
  readonly at?: string;
  readonly scenario?: boolean;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .argument('<SERVICE...>', 'the Service: web, svc/web or shop/web')
    .option('--at <TIME>', 'the state at a time, in UTC: 02:13, 02:13:04 or 2026-11-30T02:13:04Z', parseTimeFlag)
    .option('--scenario', 'print what users did as a scenario of the command simulate, from --at on, or from the first ready address on')
    .action((names: string[], options: Pick<HistoryFlags, 'at' | 'scenario'>) => {
      requireFiles(command);
      onParsed(names, { command: 'history', ...options } satisfies HistoryFlags, run);
    });
}

/** @throws InvalidArgumentError if this is not a time */
function parseTimeFlag(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/.test(text)) return text;
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('give a time such as 02:13, 02:13:04 or 2026-11-30T02:13:04Z');
}

/** Reads the recording and prints the history of one Service. @throws UsageError if the recording is invalid or does not show the Service */
async function run({ names, flags, at, scenario = false }: Invocation<HistoryFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) throw new UsageError('history is of one Service: give its name');
  const { sources, problems } = await findRecording(flags.filename ?? [], flags.recursive ?? false, io);
  for (const problem of problems) printMessage('error', problem);
  if (problems.length > 0) return exitCodes.error;
  const namespace = flags.namespace || 'default';
  const { readRecording, RecordingError, ...simulator } = await import('@kube-endpoints/simulator/internal');
  try {
    const history = await readRecording(sources, { namespace });
    if (scenario) {
      const { formatStructured } = await import('../print/structured.ts');
      const { scenario: value, hints } = reportScenario(simulator, history, { namespace, name }, at);
      io.stdout.write(formatStructured(value, flags.output === 'json' ? 'json' : 'yaml'));
      for (const hint of hints) printMessage('hint', hint);
      return exitCodes.nothing;
    }
    const report = reportHistory(simulator, history, { namespace, name }, at);
    await printReport(report, flags, io);
    return report.hasFindings ? exitCodes.found : exitCodes.nothing;
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

interface Recording {
  readonly sources: readonly RecordingSource[];
  readonly problems: readonly string[];
}

/** A directory holds dumps, as *.json. Files that are named may have any name, such as that of an audit log. */
async function findRecording(filenames: readonly string[], recursive: boolean, io: IO): Promise<Recording> {
  const { sources, problems } = await findSources(filenames, recursive, io);
  const recorded = await Promise.all(
    sources.map(async ({ name, read }): Promise<RecordingSource> => {
      const modifiedAt = name === standardInput ? undefined : await io.files.modifiedAt?.(name).catch(() => undefined);
      return { name, ...(modifiedAt !== undefined && { modifiedAt }), read: () => readFile(name, read()) };
    }),
  );
  return { sources: recorded, problems: problems.map(({ source, message }) => `${source}: ${message}`) };
}

/** @throws UsageError if the file cannot be read */
async function* readFile(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw new UsageError(`${name}: ${describeFileError(error)}`, { cause: error });
    });
    if (next.done) return;
    yield next.value;
  }
}
