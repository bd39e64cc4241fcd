import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { Invocation, OnParsed } from '../flags/common.ts';
import { formatProblem } from '../input/problem.ts';
import { findSources, readText } from '../input/sources.ts';
import { printReport } from '../print/report.ts';
import { reportDelays } from '../report/delays.ts';
import { convertErrors, requireFiles } from './simulation.ts';

interface DelaysFlags {
  readonly command: 'delays';
  readonly quantile: number;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .option('--quantile <SHARE>', 'the share of the observations that a range includes, from below', parseQuantile, 0.999)
    .action((options: { readonly quantile: number }) => {
      requireFiles(command);
      onParsed([], { command: 'delays', ...options } satisfies DelaysFlags, run);
    });
}

/** @throws InvalidArgumentError if this is not a share */
function parseQuantile(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share <= 1) return share;
  throw new InvalidArgumentError('give a number above 0, up to 1, such as 0.999');
}

/** Reads answers of /metrics and prints the ranges of delays. @throws UsageError if a file is wrong, or has no histogram */
async function run({ flags, quantile }: Invocation<DelaysFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { sources, problems } = await findSources(flags.filename ?? [], flags.recursive ?? false, io);
  for (const problem of problems) printMessage('error', formatProblem(problem));
  if (problems.length > 0) return exitCodes.error;
  const [{ delays }, { measureDelays, readBuckets }] = [
    await import('@kube-endpoints/simulator'),
    await import('@kube-endpoints/simulator/internal'),
  ];
  const buckets = [];
  for (const { name, read } of sources) {
    const text = await readText(name, { readFile: () => read() });
    const found = convertErrors(name, () => readBuckets(text));
    if (found.length === 0) throw new UsageError(`${name}: no histogram; give what a component of Kubernetes serves at /metrics`);
    buckets.push(...found);
  }
  const report = reportDelays(delays, measureDelays(buckets, quantile));
  for (const hint of report.hints ?? []) printMessage('hint', hint);
  await printReport(report, flags, io);
  return exitCodes.nothing;
}
