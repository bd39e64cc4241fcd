import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { InputFlags } from '../flags/cluster.ts';
import { type Cluster, connect } from './cluster.ts';

/**
 * Connects to the cluster of the flags; without flags, to the one that kubectl would use.
 * @throws UsageError if there are also files, or if no cluster is configured
 */
export async function openCluster(
  { flags, kubeconfig, context }: InputFlags,
  io: Pick<IO, 'env' | 'version' | 'isStdinPiped'>,
  printMessage: PrintMessage,
): Promise<Cluster> {
  if (flags.filename) throw new UsageError(twoSourcesProblem);
  const isImplicit = kubeconfig === undefined && context === undefined;
  try {
    const cluster = await connect({ ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) }, io);
    if (isImplicit && io.isStdinPiped) printMessage('hint', unreadInputHint);
    return cluster;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    if (!isImplicit || code !== 'NoCluster') throw error;
    throw new UsageError(createNoInputProblem(messageOf(error)), { cause: error });
  }
}

/** Whether a command line reads a cluster: flags name one, or there are no files. */
export const readsCluster = ({ flags, kubeconfig, context }: InputFlags): boolean =>
  kubeconfig !== undefined || context !== undefined || !flags.filename;

const twoSourcesProblem = '-f reads files, --kubeconfig and --context read a cluster: give one or the other';

const unreadInputHint =
  'Standard input is not read, because there is no -f: the objects come from the cluster. Give -f - to read standard input.';

const createNoInputProblem = (reason: string): string =>
  `no input: give -f FILE, -f DIRECTORY or -f - for standard input, as in: ${dumpExample}; or give a cluster with --kubeconfig FILE, ` +
  `KUBECONFIG or ~/.kube/config (${reason})`;

const dumpExample = 'kubectl get services,endpoints,endpointslices,pods,nodes -A -o json | kubectl-endpoints explain -A -f -';
