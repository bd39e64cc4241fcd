import { CommanderError, InvalidArgumentError } from 'commander';
import { newest } from '../versions/index.ts';
import { serve } from './commands/apiserver.ts';
import { compute } from './commands/compute.ts';
import { computeSlices } from './commands/compute-slices.ts';
import { diff } from './commands/diff.ts';
import { explain } from './commands/explain.ts';
import { explainPod } from './commands/explain-pod.ts';
import { upgrade } from './commands/upgrade.ts';
import type { Inventory } from './input/collection.ts';
import { formatProblem } from './input/problem.ts';
import { readInput } from './input/read.ts';
import { exitCodes, type IO, type Tell, UsageError } from './io.ts';
import { connect } from './live/cluster.ts';
import { type LiveKind, readCluster } from './live/inventory.ts';
import { formatStructured } from './print/structured.ts';
import { createPainter, type Style, wantsColour } from './print/style.ts';
import { counted, printable } from './print/text.ts';
import { type Invocation, parseArguments, readRelease, releaseVariable } from './program.ts';
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
    if (!(error instanceof UsageError))
      tell('error', `this is a bug in kube-endpoints: ${error instanceof Error ? error.message : String(error)}`);
    else tell('error', error.message);
    return exitCodes.error;
  }
}

async function run(invocation: Invocation, io: IO, tell: Tell): Promise<number> {
  const { flags, names } = invocation;
  if (invocation.command === 'apiserver') return serve(invocation, io, tell);
  const version = 'release' in invocation ? releaseOf(invocation.release, io) : newest;
  if (invocation.command === 'run') {
    const commands = await import('./commands/run.ts');
    return commands.run({ ...invocation, version, print: (report) => io.stdout.write(format(report, invocation, io)) }, io, tell);
  }
  const { inventory, namespace, live } = await read(invocation, io, tell);
  tellProblems(inventory, tell);
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

type Reading = Exclude<Invocation, { command: 'apiserver' | 'run' }>;

interface Input {
  readonly inventory: Inventory;
  /** The one that is looked at, unless all are. */
  readonly namespace: string;
  /** Whether it is of a cluster, so that what is not there does not exist. */
  readonly live: boolean;
}

/** The objects of the files, or of the cluster, that a command line names. */
async function read(invocation: Reading, io: IO, tell: Tell): Promise<Input> {
  const { flags, kubeconfig, context } = invocation;
  const show = (text: string): void => void (io.stderr.isTTY && io.stderr.write(`\r\u001b[K${text}`));
  const onSource = (name: string): void => show(`reading ${printable(name)} ...`);
  if (kubeconfig === undefined && context === undefined) {
    if (!flags.filename) throw new UsageError(howToGiveInput);
    const namespace = flags.namespace || 'default';
    const inventory = await readInput({ filenames: flags.filename, recursive: flags.recursive === true, namespace, onSource }, io);
    show('');
    return { inventory, namespace, live: false };
  }
  if (flags.filename) throw new UsageError(eitherOr);
  const cluster = await connect(invocation, io);
  try {
    const namespace = flags.namespace || cluster.namespace;
    const wanted = flags.allNamespaces ? undefined : namespace;
    const { inventory, hints } = await readCluster(cluster.port, { namespace: wanted, kinds: kindsFor(invocation), onSource });
    show('');
    for (const hint of hints) tell('hint', hint);
    return { inventory, namespace, live: true };
  } finally {
    cluster.close();
  }
}

const kindsFor = (invocation: Reading): readonly LiveKind[] =>
  invocation.command === 'compute'
    ? ['services', 'pods', ...(invocation.slices ? (['nodes'] as const) : [])]
    : ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes'];

interface Material extends Input {
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

/** Nobody reads more lines than this about one input. */
const mostProblems = 100;

function tellProblems({ problems }: Inventory, tell: Tell): void {
  for (const problem of problems.slice(0, mostProblems)) tell('error', formatProblem(problem));
  if (problems.length > mostProblems) tell('error', `${counted(problems.length - mostProblems, 'more problem')} of this kind in the input`);
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

const eitherOr = '-f reads files, --kubeconfig and --context read a cluster: give one or the other';

const howToGiveInput =
  'no input: give -f FILE, -f DIRECTORY, --kubeconfig FILE or --context NAME for a cluster, or -f - for standard input, as in: ' +
  'kubectl get services,endpoints,endpointslices,pods,nodes -A -o json | kube-endpoints explain -A -f -';
