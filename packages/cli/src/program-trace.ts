import { type Command, Option } from 'commander';
import type { PodMode } from 'kube-endpoints/dns';
import { podModes, readZone } from './program-dns.ts';
import { addClusterFlags, type ClusterFlags } from './program-run.ts';

/** What is asked of `trace`. */
export interface TraceParticulars extends ClusterFlags {
  readonly command: 'trace';
  readonly target: string;
  readonly release: string | undefined;
  readonly from?: string;
  readonly node?: string;
  /** "cluster.local" */
  readonly zone?: string;
  readonly pods?: PodMode;
}

/** The formats that only a trace has. */
export const pictureFormats: readonly string[] = ['mermaid', 'svg', 'html'] satisfies PictureFormat[];

export type PictureFormat = 'mermaid' | 'svg' | 'html';

/** Adds the command that goes from a name to the pods behind it. */
export function addTrace(program: Command, release: () => Option, take: (particulars: TraceParticulars) => void): void {
  addClusterFlags(
    program
      .command('trace')
      .description(
        'go the way from a name, or an address, to the pods that answer: what is chosen at each step, and what is left out and why',
      )
      .argument('<TARGET>', 'as a client has it: web, web.shop:http, http://web.shop.svc.cluster.local/, 10.96.0.7:80'),
  )
    .addOption(release())
    .option('--from <POD>', 'the pod that asks, as pod/NAME or NAMESPACE/pod/NAME: its search path, its node')
    .option('--node <NODE>', 'the node that is asked from (default: that of --from, else all)')
    .option('--zone <DOMAIN>', 'the domain of the cluster (default: "cluster.local")', readZone)
    .addOption(new Option('--pods <MODE>', 'how CoreDNS answers names of pods (default: "disabled")').choices(podModes))
    .action((target: string, given: Omit<TraceParticulars, 'command' | 'target'>) =>
      take({ ...given, command: 'trace', target, release: given.release }),
    );
}
