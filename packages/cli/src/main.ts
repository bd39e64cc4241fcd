import { CommanderError } from 'commander';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { exitCodes, type IO, UsageError } from './base/io.ts';
import { type CommandEntry, completeWords, parseArguments } from './command-line.ts';
import { completeCommand } from './complete.ts';
import { escapeUnprintable } from './print/text.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'compute',
    summary: 'print the Endpoints, or with --slices the EndpointSlices, that the controller writes for each Service',
    load: () => import('./commands/compute.ts'),
  },
  {
    name: 'explain',
    summary: 'report whether each Service works and what is wrong with it; with a name or -o wide, also the result for each pod',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'diff',
    summary: 'compare the Endpoints and EndpointSlices in the input with what the controllers write, and with each other',
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'upgrade',
    summary: 'show what changes for Services and Pods between two releases, and why',
    load: () => import('./commands/upgrade.ts'),
  },
  {
    name: 'run',
    summary:
      'run the controllers on a cluster, or on an embedded API server, with the objects of -f or empty, until they are stopped; ' +
      'the cluster is that of --kubeconfig, --context or KUBECONFIG, or the one that this process runs in',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'apiserver',
    summary: 'run an embedded Kubernetes API server with the objects of -f, until it is stopped',
    load: () => import('./commands/apiserver.ts'),
  },
  {
    name: 'webhook',
    summary: 'run an admission webhook that applies override rules to writes of Endpoints and EndpointSlices, until it is stopped',
    load: () => import('./commands/webhook.ts'),
  },
  {
    name: 'override',
    summary: 'show what endpoint override rules would do: override test',
    load: () => import('./commands/override.ts'),
  },
  {
    name: 'dns',
    summary:
      'answer DNS queries for the Services and Pods of -f, or of a live cluster, over UDP and TCP, until it is stopped; ' +
      'the cluster is that of --kubeconfig, --context or KUBECONFIG, or the one that this process runs in',
    load: () => import('./commands/dns.ts'),
  },
  {
    name: 'resolve',
    summary: 'look up a name as the DNS of the cluster answers it, and explain an empty answer',
    load: () => import('./commands/resolve.ts'),
  },
  {
    name: 'proxy',
    summary: 'show what kube-proxy does for Services on a node: proxy render, proxy view, proxy diff',
    load: () => import('./commands/proxy.ts'),
  },
  {
    name: 'trace',
    summary: 'follow a name or an address to the pods behind it: what is chosen at each step, what is left out, and why',
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'rollout',
    summary: 'simulate a rollout: does it drop requests, when, why, and what is the smallest change that prevents it',
    load: () => import('./commands/rollout.ts'),
  },
  {
    name: 'drain',
    summary: 'simulate a drain of nodes: does it drop requests, when, why, and what is the smallest change that prevents it',
    load: () => import('./commands/drain.ts'),
  },
  {
    name: 'simulate',
    summary: 'simulate a scenario of changes, faults and override rules: does it drop requests, when and why',
    load: () => import('./commands/simulate.ts'),
  },
  {
    name: 'history',
    summary: 'read an audit log, watch streams or dumps: when was a Service empty, why, and which write was late',
    load: () => import('./commands/history.ts'),
  },
  {
    name: 'delays',
    summary: 'measure the delays of a cluster from the metrics of its components, as a file of --ranges for a simulation',
    load: () => import('./commands/delays.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve explain, trace, diff and upgrade as tools for agents, over standard input and output (Model Context Protocol)',
    load: async () => (await import('./commands/mcp.ts')).createCommand(main),
  },
  {
    name: 'completion',
    summary: 'print the script that completes commands and flags in bash, zsh or fish, or for kubectl',
    load: () => import('./commands/completion.ts'),
  },
];

/**
 * Runs one command line and resolves to its exit code. An error of the user or the input is printed as one line on standard error, with
 * code 2.
 */
export async function main(argv: readonly string[], io: IO): Promise<number> {
  const printMessage = (prefix: string, text: string): void => io.stderr.write(`${prefix}: ${escapeUnprintable(text)}\n`);
  try {
    if (argv[0] === completeCommand) return await completeWords(argv.slice(1), commands, io);
    const parsed = await parseArguments(argv, commands, io);
    return parsed ? await parsed.run(io, printMessage) : exitCodes.nothing;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.nothing : exitCodes.error;
    if (!(error instanceof UsageError)) printMessage('error', `this is a bug in kubectl-endpoints: ${messageOf(error)}`);
    else printMessage('error', error.message);
    return exitCodes.error;
  }
}
