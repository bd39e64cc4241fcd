import { CommanderError, InvalidArgumentError } from 'commander';
import { messageOf } from 'kube-endpoints/internal';
import { newest } from 'kube-endpoints/versions';
import { serve } from './commands/apiserver.ts';
import { compute } from './commands/compute.ts';
import { computeSlices } from './commands/compute-slices.ts';
import { diff } from './commands/diff.ts';
import { explain } from './commands/explain.ts';
import { explainPod } from './commands/explain-pod.ts';
import { upgrade } from './commands/upgrade.ts';
import type { Inventory } from './input/collection.ts';
import { exitCodes, type IO, type Tell, UsageError } from './io.ts';
import type { LiveKind } from './live/inventory.ts';
import { formatStructured } from './print/structured.ts';
import { createPainter, type Style, wantsColour } from './print/style.ts';
import { counted, printable } from './print/text.ts';
import { type Invocation, parseArguments, readRelease, releaseVariable } from './program.ts';
import type { OverridesParticulars } from './program-overrides.ts';
import { type ObjectsRead, readObjects } from './reading.ts';
import type { Report } from './report.ts';
import { createScope, namespaceOf, type Scope } from './scope.ts';

/** Runs one command line. Never throws for anything that the user or the input did; tells it in one line and answers 2. */
export async function main(argv: readonly string[], io: IO): Promise<number> {
  const tell = (prefix: string, text: string): void => io.stderr.write(`${prefix}: ${printable(text)}\n`);
  try {
    const invocation = await parseArguments(argv, io);
    return invocation ? await run(invocation, io, tell) : exitCodes.nothing;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.nothing : exitCodes.error;
    if (!(error instanceof UsageError)) tell('error', `this is a bug in kube-endpoints: ${messageOf(error)}`);
    else tell('error', error.message);
    return exitCodes.error;
  }
}

async function run(invocation: Invocation, io: IO, tell: Tell): Promise<number> {
  const { flags, names } = invocation;
  if (invocation.command === 'apiserver') return serve(invocation, io, tell);
  if (invocation.command === 'webhook') return (await import('./commands/webhook.ts')).webhook(invocation, io, tell);
  if (invocation.command === 'webhook manifest')
    return (await import('./commands/webhook-manifest.ts')).webhookManifest(invocation, io, tell);
  const version = 'release' in invocation ? releaseOf(invocation.release, io) : newest;
  if (invocation.command === 'run') {
    const commands = await import('./commands/run.ts');
    return commands.run({ ...invocation, version, print: (report) => io.stdout.write(format(report, invocation, io)) }, io, tell);
  }
  if (invocation.command === 'override test') {
    const { overrideTest } = await import('./commands/override-test.ts');
    return overrideTest({ ...invocation, version, print: (report) => io.stdout.write(format(report, invocation, io)) }, io, tell);
  }
  if (invocation.command === 'dns') return (await import('./commands/dns.ts')).dns(invocation, io, tell);
  if (invocation.command === 'resolve') {
    const { resolve } = await import('./commands/resolve.ts');
    return resolve({ ...invocation, print: (report) => io.stdout.write(format(report, invocation, io)) }, io, tell);
  }
  if (invocation.command === 'trace') return (await import('./commands/trace.ts')).trace({ ...invocation, version }, io, tell);
  if (invocation.command === 'proxy') {
    const { proxy } = await import('./commands/proxy.ts');
    return proxy({ ...invocation, print: (report) => io.stdout.write(format(report, invocation, io)) }, io, tell);
  }
  const { inventory, namespace, live } = await readObjects(invocation, kindsFor(invocation), io, tell);
  const scope = createScope(inventory, {
    namespace: flags.allNamespaces ? undefined : namespace,
    names,
    endpointsAlone: invocation.command === 'diff',
  });
  const report = reportOn(invocation, { scope, inventory, version, namespace, live });
  const errors = [...scope.missing, ...(report.errors ?? [])];
  for (const error of errors) tell('error', error);
  for (const hint of hintsFor(invocation, inventory, [...(inventory.problems.length > 0 ? [] : scope.hints), ...(report.hints ?? [])]))
    tell('hint', hint);
  io.stdout.write(format(report, invocation, io));
  if (inventory.problems.length > 0 || errors.length > 0) return exitCodes.error;
  return report.found ? exitCodes.found : exitCodes.nothing;
}

type Reading = Exclude<
  Invocation,
  { command: 'apiserver' | 'run' | 'dns' | 'resolve' | 'trace' | 'proxy' | OverridesParticulars['command'] }
>;

const kindsFor = (invocation: Reading): readonly LiveKind[] =>
  invocation.command === 'compute'
    ? ['services', 'pods', ...(invocation.slices ? (['nodes'] as const) : [])]
    : ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', ...(invocation.command === 'explain' ? (['events'] as const) : [])];

interface Material extends ObjectsRead {
  readonly scope: Scope;
  readonly version: string;
}

function reportOn(invocation: Reading, { scope, inventory, version, ...input }: Material): Report {
  const allNamespaces = invocation.flags.allNamespaces === true;
  switch (invocation.command) {
    case 'compute':
      if (invocation.slices) return computeSlices(scope, { version, allNamespaces, maxEndpointsPerSlice: invocation.max });
      return compute(scope, { version, allNamespaces, single: invocation.names.length === 1 });
    case 'diff':
      return diff(scope, inventory, { version, maxEndpointsPerSlice: invocation.max, live: input.live });
    case 'upgrade':
      return upgrade(scope, invocation);
    case 'explain': {
      const max = { maxEndpointsPerSlice: invocation.max };
      if (invocation.pod === undefined) return explain(scope, { version, named: invocation.names.length > 0, ...max });
      const namespace = allNamespaces ? undefined : input.namespace;
      const pods = inventory.pods.filter((pod) => namespace === undefined || namespaceOf(pod) === namespace);
      return explainPod(scope, pods, { version, pod: invocation.pod, namespace, named: invocation.names.length > 0, ...max });
    }
  }
}

function format(report: Report, { flags }: Invocation, { stdout, env }: IO): string {
  if (flags.output === 'json' || flags.output === 'yaml') return formatStructured(report.data(), flags.output);
  const style: Style = {
    paint: createPainter(wantsColour(flags.color, stdout.isTTY, env)),
    width: stdout.isTTY ? stdout.columns : undefined,
    wide: flags.output === 'wide',
  };
  return report
    .text(style)
    .map((line) => `${line}\n`)
    .join('');
}

/** The release of the flag, else of the environment, else the newest. */
function releaseOf(flag: string | undefined, { env }: IO): string {
  if (flag !== undefined) return flag;
  const variable = env[releaseVariable];
  if (!variable) return newest;
  try {
    return readRelease(variable);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${releaseVariable}: ${error.message}`);
    throw error;
  }
}

function hintsFor({ flags }: Invocation, { ignored, oldSlices, pods }: Inventory, given: readonly string[]): string[] {
  const hints = [...given, ...(oldSlices > 0 ? [`${counted(oldSlices, 'EndpointSlice')} ${howToGiveSlices}`] : [])];
  if (flags.output !== 'wide') return hints;
  const unknown = pods.filter(({ status }) => !status).length;
  return [
    ...hints,
    ...(unknown > 0 ? [`${counted(unknown, 'pod')} without a status: nothing is known of ${unknown === 1 ? 'it' : 'them'} yet.`] : []),
    ...(ignored > 0 ? [`${counted(ignored, 'object')} of other kinds passed over.`] : []),
  ];
}

const howToGiveSlices =
  'of an API older than discovery.k8s.io/v1 passed over: give v1, which clusters serve from 1.21 on ' +
  '(kubectl get endpointslices.v1.discovery.k8s.io -A -o json).';
