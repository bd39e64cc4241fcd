import type { Command } from 'commander';
import type { CommonFlags } from './common.ts';

/** Which live cluster is meant. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Where the objects are, and of which namespace. */
export interface ReadingFlags extends ClusterFlags {
  readonly flags: CommonFlags;
}

/** The flags that name a live cluster. */
export const addClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <FILE>', 'read the objects from the cluster of this kubeconfig, instead of -f')
    .option('--context <NAME>', 'the context of the kubeconfig to use; without --kubeconfig that of KUBECONFIG or ~/.kube/config');

/** For commands about Services: which ones, and the flags that name a live cluster. */
export const addServices = (command: Command): Command =>
  addClusterFlags(command.argument('[SERVICE...]', 'names of Services; all where none is given'));
