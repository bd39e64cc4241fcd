import type { Overrides } from '@kube-endpoints/overrides';
import { type Command, InvalidArgumentError } from 'commander';
import { formatCount } from 'kube-endpoints/internal';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import {
  addReleaseFlags,
  collectValues,
  type Invocation,
  type OnParsed,
  type Release,
  type ReleaseFlags,
  releaseOf,
  requestedNamespace,
} from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { readInput } from '../input/read.ts';
import { readText } from '../input/sources.ts';
import { printProblems } from '../live/read-objects.ts';
import { listMissingInputs, printRuleProblems } from '../live/webhook/log.ts';
import { printReport } from '../print/report.ts';
import { escapeUnprintable } from '../print/text.ts';
import { applyRules, computeWrites, reportOverrides, toWrites, type Write } from '../report/overrides.ts';

interface OverrideTestFlags extends ReleaseFlags {
  readonly command: 'override test';
  readonly rules: readonly string[];
  readonly old?: readonly string[];
  readonly at?: Date;
  readonly computed: boolean;
}

export function configure(override: Command, onParsed: OnParsed): void {
  addReleaseFlags(
    override
      .command('test')
      .description(
        'show how rules would change the Endpoints and EndpointSlices of -f; rules that read the Service or its pods use those of -f. If -f ' +
          'has no Endpoints and no EndpointSlices, the rules apply to those that the controllers would create',
      )
      .requiredOption('--rules <FILE>', 'a file with endpoint override rules; repeatable', collectValues)
      .option('--old <FILE>', 'the stored objects, which makes the writes updates; without it, the writes are creates', collectValues)
      .option('--at <TIME>', 'the time of the writes, such as "2026-07-01T22:15:00Z" (default: now)', parseTime)
      .option(
        '--computed',
        'apply the rules to what the controllers would write for the Services and Pods of -f, with its Endpoints and slices as the stored objects',
      ),
    { asCluster: false },
  ).action((options: Partial<OverrideTestFlags>) =>
    onParsed([], { computed: false, release: undefined, rules: [], ...options, command: 'override test' }, run),
  );
}

/** @throws InvalidArgumentError */
function parseTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(text) ? new Date(text) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('give a valid time with a UTC offset, such as 2026-07-01T00:00:00Z');
}

/** Prints what rules would change. Writes nothing to a cluster. */
async function run(options: Invocation<OverrideTestFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { flags, old: oldFilenames } = options;
  if (!flags.filename) throw new UsageError('no input: give -f FILE with Endpoints or EndpointSlices, or with Services and Pods');
  const overrides = await readOverrides(options.rules, io, printMessage);
  if (!overrides) return exitCodes.error;
  const namespace = flags.namespace || 'default';
  const readInventory = (filenames: readonly string[]): Promise<Inventory> =>
    readInput({ filenames, recursive: flags.recursive === true, namespace }, io);
  const input = await readInventory(flags.filename);
  const old = oldFilenames ? await readInventory(oldFilenames) : undefined;
  const problems = [...input.problems, ...(old?.problems ?? [])];
  printProblems(problems, printMessage);
  if (problems.length > 0) return exitCodes.error;
  const selectedNamespace = requestedNamespace(flags);
  const reviewedWrites = applyRules(
    overrides,
    createWrites(input, old, { computed: options.computed, release: releaseOf(options, io) }, printMessage),
    { ...input, slices: (old ?? input).slices },
    options.at ?? new Date(),
  );
  const selectedWrites = reviewedWrites.filter(({ result }) => selectedNamespace === undefined || result.namespace === selectedNamespace);
  if (selectedWrites.length === 0 && selectedNamespace !== undefined)
    throw new UsageError(`nothing of the input is in namespace ${escapeUnprintable(selectedNamespace)}: give another -n, or -A`);
  const report = reportOverrides(selectedWrites, overrides);
  for (const hint of createHints(overrides, input)) printMessage('hint', hint);
  await printReport(report, flags, io);
  return report.hasFindings ? exitCodes.found : exitCodes.nothing;
}

async function readOverrides(
  paths: readonly string[],
  { files }: Pick<IO, 'files'>,
  printMessage: PrintMessage,
): Promise<Overrides | undefined> {
  const { readRuleFiles, RuleFilesError } = await import('@kube-endpoints/overrides/webhook');
  try {
    return readRuleFiles(await Array.fromAsync(paths, async (name) => ({ name, text: await readText(name, files) })));
  } catch (error) {
    if (!(error instanceof RuleFilesError)) throw error;
    printRuleProblems(error, printMessage);
    return undefined;
  }
}

function createWrites(
  input: Inventory,
  old: Inventory | undefined,
  { computed, release }: { readonly computed: boolean; readonly release: Release },
  printMessage: PrintMessage,
): readonly Write[] {
  const hasNoEndpoints = input.endpoints.length + input.slices.length === 0;
  if (!computed && !hasNoEndpoints) return toWrites(input, old);
  if (input.services.length === 0) {
    throw new UsageError('nothing to apply rules to: the input holds no Endpoints, no EndpointSlices and no Services');
  }
  if (hasNoEndpoints && !computed)
    printMessage('hint', `No Endpoints in the input: these are what Kubernetes ${release.version} writes for its Services and Pods.`);
  return computeWrites(input, old, release);
}

/** Hints about data that rules need and the input lacks. */
function createHints(overrides: Overrides, { services, pods }: Inventory): readonly string[] {
  const availableInputs = { service: services.length > 0, pods: pods.length > 0, otherSlices: true };
  const { needs } = overrides;
  const missingInputNames = listMissingInputs({
    needs: { service: needs.service && !availableInputs.service, pods: needs.pods && !availableInputs.pods, otherSlices: false },
  });
  return missingInputNames.length > 0
    ? [
        `Rules that need ${missingInputNames.join(', ')} do not match: the input holds ${formatCount(services.length, 'Service')} and ${formatCount(pods.length, 'Pod')}.`,
      ]
    : [];
}
