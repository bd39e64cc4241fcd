import type { DelayRange } from '@kube-endpoints/simulator/internal';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { ClusterFlags } from '../flags/cluster.ts';
import { findGivenFlags, type Invocation, type OnParsed } from '../flags/common.ts';
import { parseDNSLabel } from '../flags/names.ts';
import { formatProblem } from '../input/problem.ts';
import { findSources, readText } from '../input/sources.ts';
import { printReport } from '../print/report.ts';
import { reportDelays } from '../report/delays.ts';
import { convertErrors, requireFiles } from './simulation.ts';

interface DelaysFlags extends ClusterFlags {
  readonly command: 'delays';
  readonly quantile: number;
  /** The namespace of the Lease that is written. */
  readonly measureWatch?: string;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .option('--quantile <SHARE>', 'the share of the observations that a range includes, from below', parseQuantile, 0.999)
    .option(
      '--measure-watch <NAMESPACE>',
      'also measure the delay "watch" in a cluster: create a Lease in this namespace, write it 51 times in about 5 s, and delete it',
      parseDNSLabel,
    )
    .option('--kubeconfig <FILE>', 'the kubeconfig of --measure-watch (default: KUBECONFIG or ~/.kube/config)')
    .option('--context <NAME>', 'the kubeconfig context of --measure-watch (default: the current context)')
    .action((options: Omit<DelaysFlags, 'command'>) => {
      const unused = findGivenFlags(command).find((flag) => flag === '--kubeconfig' || flag === '--context');
      if (options.measureWatch === undefined && unused) command.error(`error: ${unused} is for --measure-watch: give that, too`);
      if (options.measureWatch === undefined) requireFiles(command);
      onParsed([], { command: 'delays', ...options } satisfies DelaysFlags, run);
    });
}

/** @throws InvalidArgumentError if this is not a share */
function parseQuantile(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share <= 1) return share;
  throw new InvalidArgumentError('give a number above 0, up to 1, such as 0.999');
}

/**
 * Reads answers of /metrics, measures the delay of watches if requested, and prints the ranges of delays.
 * @throws UsageError if a file is wrong, or has no histogram, or if the cluster does not allow the measurement
 */
async function run(
  { flags, quantile, measureWatch: namespace, ...cluster }: Invocation<DelaysFlags>,
  io: IO,
  printMessage: PrintMessage,
): Promise<number> {
  const { sources, problems } = await findSources(flags.filename ?? [], flags.recursive ?? false, io);
  for (const problem of problems) printMessage('error', formatProblem(problem));
  if (problems.length > 0) return exitCodes.error;
  const [{ delays }, { measureDelays, measureWrites, readBuckets }] = [
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
  const writes = namespace === undefined ? [] : await measureCluster(cluster, namespace, io, printMessage);
  const watch = writes.length > 0 ? [measureWrites(writes, quantile)] : [];
  const report = reportDelays(delays, [...measureDelays(buckets, quantile), ...watch]);
  for (const hint of report.hints ?? []) printMessage('hint', hint);
  await printReport(report, flags, io);
  return exitCodes.nothing;
}

/** Measures the delay of watches in a cluster, until a signal stops it. */
async function measureCluster(flags: ClusterFlags, namespace: string, io: IO, printMessage: PrintMessage): Promise<readonly DelayRange[]> {
  const stop = new AbortController();
  const stopped = io.untilStopped();
  const { connect } = await import('../live/cluster.ts');
  const { measureWatch, watchWrites } = await import('../live/watch-delay.ts');
  const { port, description, close } = await connect(flags, io);
  try {
    printMessage('hint', `Writes a Lease in namespace ${namespace} ${watchWrites + 1} times, and deletes it: ${description}.`);
    void stopped.then(() => stop.abort(new UsageError('stopped before the delay of watches was measured')));
    return await measureWatch(port, { namespace, clock: io.clock ?? systemClock, signal: stop.signal });
  } finally {
    close();
  }
}
