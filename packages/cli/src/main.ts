import { CommanderError } from 'commander';
import { messageOf } from 'kube-endpoints/internal';
import { exitCodes, type IO, UsageError } from './base/io.ts';
import { type CommandEntry, parseArguments } from './command-line.ts';
import { printable } from './print/text.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'compute',
    summary: 'print the Endpoints, or the EndpointSlices, that the controller writes for each Service',
    load: () => import('./commands/compute.ts'),
  },
  {
    name: 'explain',
    summary: 'say whether each Service works and what is wrong with it; with a name or -o wide, what became of each pod',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'diff',
    summary: 'compare what the controllers write with the Endpoints and EndpointSlices in the input, and those with each other',
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'upgrade',
    summary: 'show what changes for the Services and Pods between two releases, and why',
    load: () => import('./commands/upgrade.ts'),
  },
  {
    name: 'run',
    summary:
      'run the controllers on a cluster, or on an embedded API server with the objects of -f in it, until they are stopped; ' +
      'the cluster is that of --kubeconfig, --context, KUBECONFIG, or the one that this runs in',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'apiserver',
    summary: 'run an embedded Kubernetes API server, with the objects of -f in it, until it is stopped',
    load: () => import('./commands/apiserver.ts'),
  },
  {
    name: 'webhook',
    summary: 'answer an API server’s reviews of Endpoints and EndpointSlices from rules, over HTTPS, until it is stopped',
    load: () => import('./commands/webhook.ts'),
  },
  {
    name: 'override',
    summary: 'what rules that override endpoints would do: override test',
    load: () => import('./commands/override.ts'),
  },
  {
    name: 'dns',
    summary:
      'answer DNS queries for the Services and pods of -f, or of a cluster as they change, over UDP and TCP, until it is stopped; ' +
      'the cluster is that of --kubeconfig, --context, KUBECONFIG, or the one that this runs in',
    load: () => import('./commands/dns.ts'),
  },
  {
    name: 'resolve',
    summary: 'look a name up as the DNS of the cluster would answer it, and say why there is no answer where there is none',
    load: () => import('./commands/resolve.ts'),
  },
  {
    name: 'proxy',
    summary: 'what the kube-proxy of a node makes of Services: proxy render, proxy view, proxy diff',
    load: () => import('./commands/proxy.ts'),
  },
  {
    name: 'trace',
    summary: 'go the way from a name, or an address, to the pods that answer: what is chosen at each step, and what is left out and why',
    load: () => import('./commands/trace.ts'),
  },
];

/**
 * Runs one command line and resolves to its exit code. An error of the user or the input is printed as one line on standard error, with
 * code 2.
 */
export async function main(argv: readonly string[], io: IO): Promise<number> {
  const printMessage = (prefix: string, text: string): void => io.stderr.write(`${prefix}: ${printable(text)}\n`);
  try {
    const parsed = await parseArguments(argv, commands, io);
    return parsed ? await parsed.run(io, printMessage) : exitCodes.nothing;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.nothing : exitCodes.error;
    if (!(error instanceof UsageError)) printMessage('error', `this is a bug in kubectl-endpoints: ${messageOf(error)}`);
    else printMessage('error', error.message);
    return exitCodes.error;
  }
}
