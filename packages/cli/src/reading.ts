import type { Inventory } from './input/collection.ts';
import { formatProblem } from './input/problem.ts';
import { readInput } from './input/read.ts';
import { type IO, type Tell, UsageError } from './io.ts';
import { connect } from './live/cluster.ts';
import { type LiveKind, readCluster } from './live/inventory.ts';
import { counted, printable } from './print/text.ts';
import type { CommonFlags } from './program.ts';
import type { ClusterFlags } from './program-run.ts';

/** What a command line reads. */
export interface ObjectsRead {
  readonly inventory: Inventory;
  /** The one that is looked at, unless all are. */
  readonly namespace: string;
  /** Whether it is of a cluster, so that what is not there does not exist. */
  readonly live: boolean;
}

/** Where the objects are, and of which namespace. */
export interface ReadingFlags extends ClusterFlags {
  readonly flags: CommonFlags;
}

/**
 * The objects of the files, or of the cluster, that a command line names; what is wrong with them is told.
 * @param kinds what is read of a cluster
 * @throws UsageError where neither is named, or both are, or the cluster cannot be read
 */
export async function readObjects(
  { flags, kubeconfig, context }: ReadingFlags,
  kinds: readonly LiveKind[],
  io: IO,
  tell: Tell,
): Promise<ObjectsRead> {
  const show = (text: string): void => void (io.stderr.isTTY && io.stderr.write(`\r\u001b[K${text}`));
  const onSource = (name: string): void => show(`reading ${printable(name)} ...`);
  if (kubeconfig === undefined && context === undefined) {
    if (!flags.filename) throw new UsageError(howToGiveInput);
    const namespace = flags.namespace || 'default';
    const inventory = await readInput({ filenames: flags.filename, recursive: flags.recursive === true, namespace, onSource }, io);
    show('');
    return told({ inventory, namespace, live: false }, tell);
  }
  if (flags.filename) throw new UsageError(eitherOr);
  const cluster = await connect({ ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) }, io);
  try {
    const namespace = flags.namespace || cluster.namespace;
    const wanted = flags.allNamespaces ? undefined : namespace;
    const { inventory, hints } = await readCluster(cluster.port, { namespace: wanted, kinds, onSource });
    show('');
    for (const hint of hints) tell('hint', hint);
    return told({ inventory, namespace, live: true }, tell);
  } finally {
    cluster.close();
  }
}

/** Nobody reads more lines than this about one input. */
const mostProblems = 100;

function told(read: ObjectsRead, tell: Tell): ObjectsRead {
  tellProblems(read.inventory.problems, tell);
  return read;
}

/** Tells what is wrong with the objects of an input. */
export function tellProblems(problems: Inventory['problems'], tell: Tell): void {
  for (const problem of problems.slice(0, mostProblems)) tell('error', formatProblem(problem));
  if (problems.length > mostProblems) tell('error', `${counted(problems.length - mostProblems, 'more problem')} of this kind in the input`);
}

const eitherOr = '-f reads files, --kubeconfig and --context read a cluster: give one or the other';

const howToGiveInput =
  'no input: give -f FILE, -f DIRECTORY, --kubeconfig FILE or --context NAME for a cluster, or -f - for standard input, as in: ' +
  'kubectl get services,endpoints,endpointslices,pods,nodes -A -o json | kube-endpoints explain -A -f -';
