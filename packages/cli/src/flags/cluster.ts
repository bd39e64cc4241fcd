import type { Command } from 'commander';
import type { CommonFlags } from './common.ts';
import { addSelectorFlag, type SelectorFlag } from './services.ts';

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The flags that select the source of the objects, and their namespace. */
export interface InputFlags extends ClusterFlags, SelectorFlag {
  readonly flags: CommonFlags;
}

/** Adds the flags that select a live cluster. */
export const addClusterFlags = (command: Command): Command =>
  command
    .option(
      '--kubeconfig <FILE>',
      'read the objects from the cluster of this kubeconfig (default without -f: KUBECONFIG or ~/.kube/config)',
    )
    .option('--context <NAME>', 'the kubeconfig context to use (default: the current context)');

/** Adds the Service names as arguments, and the flags that select Services and a live cluster. */
export const addServiceArguments = (command: Command): Command =>
  addClusterFlags(addSelectorFlag(command.argument('[SERVICE...]', 'Services, as NAME, svc/NAME or NAMESPACE/NAME (default: all)')));
