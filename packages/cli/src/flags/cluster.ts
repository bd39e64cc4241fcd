import type { Command } from 'commander';
import type { CommonFlags } from './common.ts';

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Selects the source of the objects, and the namespace. */
export interface ReadingFlags extends ClusterFlags {
  readonly flags: CommonFlags;
}

/** Adds the flags that select a live cluster. */
export const addClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <FILE>', 'read the objects from the cluster of this kubeconfig, instead of -f')
    .option('--context <NAME>', 'the kubeconfig context to use; without --kubeconfig, of KUBECONFIG or ~/.kube/config');

/** Adds the Service names as arguments, and the flags that select a live cluster. */
export const addServices = (command: Command): Command =>
  addClusterFlags(command.argument('[SERVICE...]', 'names of Services (default: all)'));
