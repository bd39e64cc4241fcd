import type { Overrides } from '@kube-endpoints/overrides';
import { namespaceAsked } from '../common-flags.ts';
import type { Inventory } from '../input/collection.ts';
import { readInput } from '../input/read.ts';
import { unreadable } from '../input/sources.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { missingFor } from '../live/webhook-log.ts';
import { counted, printable } from '../print/text.ts';
import type { CommonFlags } from '../program.ts';
import type { OverrideTestParticulars } from '../program-overrides.ts';
import { tellProblems } from '../reading.ts';
import type { Report } from '../report.ts';
import { applyAll, reportOverrides } from './overridden.ts';
import { computedWrites, type Write, writesOf } from './override-writes.ts';
import { tellRules } from './webhook.ts';

export interface OverrideTestOptions extends OverrideTestParticulars {
  readonly flags: CommonFlags;
  /** The Kubernetes release. */
  readonly version: string;
  readonly print: (report: Report) => void;
}

/** `override test`: what rules would make of objects, nothing of which is written anywhere. */
export async function overrideTest(options: OverrideTestOptions, io: IO, tell: Tell): Promise<number> {
  const { flags, old: stored } = options;
  if (!flags.filename) throw new UsageError('no input: give -f FILE with Endpoints or EndpointSlices, or with Services and Pods');
  const overrides = await rulesOf(options.rules, io, tell);
  if (!overrides) return exitCodes.error;
  const namespace = flags.namespace || 'default';
  const read = (filenames: readonly string[]): Promise<Inventory> =>
    readInput({ filenames, recursive: flags.recursive === true, namespace }, io);
  const given = await read(flags.filename);
  const old = stored ? await read(stored) : undefined;
  const problems = [...given.problems, ...(old?.problems ?? [])];
  tellProblems(problems, tell);
  if (problems.length > 0) return exitCodes.error;
  const known = { ...given, slices: (old ?? given).slices };
  const wanted = namespaceAsked(flags);
  const outcomes = applyAll(overrides, writesIn(given, old, options, tell), known, options.at ?? new Date());
  const shown = outcomes.filter(({ told }) => wanted === undefined || told.namespace === wanted);
  if (shown.length === 0 && wanted !== undefined)
    throw new UsageError(`nothing of the input is in namespace ${printable(wanted)}: give another -n, or -A`);
  const report = reportOverrides(shown, overrides);
  for (const hint of hintsFor(overrides, given)) tell('hint', hint);
  options.print(report);
  return report.found ? exitCodes.found : exitCodes.nothing;
}

async function rulesOf(paths: readonly string[], { files }: Pick<IO, 'files'>, tell: Tell): Promise<Overrides | undefined> {
  const { readRuleFiles, RuleFilesError } = await import('@kube-endpoints/overrides/webhook');
  try {
    return readRuleFiles(await Promise.all(paths.map(async (name) => ({ name, text: await textOf(name, files) }))));
  } catch (error) {
    if (!(error instanceof RuleFilesError)) throw error;
    tellRules(error, tell);
    return undefined;
  }
}

async function textOf(path: string, files: IO['files']): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of files.readFile(path)) chunks.push(chunk);
  } catch (error) {
    throw new UsageError(`${printable(path)}: ${unreadable(error)}`, { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}

function writesIn(given: Inventory, old: Inventory | undefined, { computed, version }: OverrideTestOptions, tell: Tell): readonly Write[] {
  const isBare = given.endpoints.length + given.slices.length === 0;
  if (!computed && !isBare) return writesOf(given, old);
  if (given.services.length === 0) {
    throw new UsageError('nothing to apply rules to: the input holds no Endpoints, no EndpointSlices and no Services');
  }
  if (isBare && !computed)
    tell('hint', `No Endpoints in the input: these are what Kubernetes ${version} writes for its Services and Pods.`);
  return computedWrites(given, old, version);
}

/** What rules ask for, and the input does not hold. */
function hintsFor(overrides: Overrides, { services, pods }: Inventory): readonly string[] {
  const there = { service: services.length > 0, pods: pods.length > 0, siblings: true };
  const { needs } = overrides;
  const missing = missingFor({
    needs: { service: needs.service && !there.service, pods: needs.pods && !there.pods, siblings: false },
  });
  return missing.length > 0
    ? [
        `Rules that need ${missing.join(', ')} do not match: the input holds ${counted(services.length, 'Service')} and ${counted(pods.length, 'Pod')}.`,
      ]
    : [];
}
