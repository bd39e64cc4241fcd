import type { ControllerName, LogLevel } from '@kube-endpoints/controllers/internal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from './duration.ts';
import { givenFlags } from './given.ts';
import { addCloud, type CloudFlags, cloudsMissing, readControllers } from './program-cloud.ts';
import { addMetrics, type MetricsFlags, metricsWrong } from './program-metrics.ts';
import { addReplicas, type ReplicaFlags, replicasWrong } from './program-replicas.ts';

/** Which live cluster is meant. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What is asked of `run`. */
export interface RunParticulars extends ClusterFlags, CloudFlags, MetricsFlags, ReplicaFlags {
  readonly command: 'run';
  readonly release: string | undefined;
  readonly controllers: readonly ControllerName[] | undefined;
  readonly workers: number;
  readonly maxEndpointsPerSlice: number | undefined;
  readonly batchPeriod: number;
  readonly dryRun: boolean;
  readonly once: boolean;
  readonly logLevel: LogLevel | undefined;
  readonly logFormat: 'json' | 'text' | undefined;
  /** Of the embedded API server. */
  readonly port: number;
  readonly host: string;
  readonly kubeconfigOut: string | undefined;
  readonly token: string | undefined;
  /** The first flag given of those that only the embedded API server has. */
  readonly ofEmbedded: string | undefined;
}

/** The flags that name a live cluster. */
export const addClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <FILE>', 'read the objects from the cluster of this kubeconfig, instead of -f')
    .option('--context <NAME>', 'the context of the kubeconfig to use; without --kubeconfig that of KUBECONFIG or ~/.kube/config');

interface Parts {
  readonly release: () => Option;
  readonly max: () => Option;
  readonly readPort: (text: string) => number;
}

/** @param take is given what was asked */
export function addRun(program: Command, { release, max, readPort }: Parts, take: (particulars: RunParticulars) => void): void {
  const command = program
    .command('run')
    .description(
      'run the controllers on a cluster, or on an embedded API server with the objects of -f in it, until they are stopped; ' +
        'the cluster is that of --kubeconfig, --context, KUBECONFIG, or the one that this runs in',
    )
    .option('--kubeconfig <FILE>', 'the kubeconfig of the cluster')
    .option('--context <NAME>', 'the context of the kubeconfig to use')
    .addOption(
      new Option(
        '--controllers <NAMES>',
        'which are to run, of endpoints, endpointslices and service-lb (default: endpoints,endpointslices)',
      ).argParser(readControllers),
    )
    .addOption(release())
    .option('--workers <N>', 'how many Services each controller syncs at a time', readWorkers, 5)
    .addOption(max())
    .option('--batch-period <DURATION>', 'how long changes of pods wait for others, as --endpoint-updates-batch-period', readDuration, 0)
    .option(
      '--dry-run',
      'say what would be written, and write nothing: no Lease either, so that --leader-elect and --shards are not asked for',
    )
    .option('--once', 'end as soon as nothing is left to do, and print what was written');
  addCloud(command);
  addReplicas(command);
  addOperations(command, readPort);
  command
    .option('--port <PORT>', 'where the embedded API server listens; 0 for any free port', readPort, 6443)
    .option('--host <ADDRESS>', 'the address it listens at; another than a loopback address needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for it, for kubectl and other clients')
    .option('--token <TOKEN>', 'the bearer token that clients of it have to show (default: a new one)')
    .action((options: Partial<RunParticulars>) => {
      const flags = givenFlags(command);
      const ofEmbedded = flags.find((flag) => embedded.includes(flag));
      const given = { dryRun: false, once: false, leaderElect: false, ...options, ofEmbedded, command: 'run' } as RunParticulars;
      const wrong = replicasWrong(flags, given) ?? cloudsMissing(given) ?? metricsWrong(flags) ?? idleFlag(flags, given);
      if (wrong !== undefined) command.error(`error: ${wrong}`);
      take(given);
    });
}

const embedded: readonly string[] = ['--port', '--host', '--kubeconfig-out', '--token'];

/** A flag that would do nothing beside the others. */
function idleFlag(flags: readonly string[], { ofEmbedded, once, controllers }: RunParticulars): string | undefined {
  const cluster = flags.find((flag) => flag === '--kubeconfig' || flag === '--context');
  if (ofEmbedded && cluster) return `${ofEmbedded} is for the embedded API server, ${cluster} for a cluster: leave one of them out`;
  if (ofEmbedded && once) return `${ofEmbedded} is for clients of the embedded API server, and --once serves none: leave one of them out`;
  if (flags.includes('--max-endpoints-per-slice') && controllers?.includes('endpointslices') === false)
    return '--max-endpoints-per-slice is for the controller endpointslices: leave it out, or add that to --controllers';
  return undefined;
}

function addOperations(command: Command, readPort: (text: string) => number): void {
  addMetrics(command, readPort)
    .addOption(
      new Option('--log-level <LEVEL>', 'the least that is logged (default: "info"; with --once "warn")').choices([
        'trace',
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .addOption(
      new Option('--log-format <FORMAT>', 'on standard error (default: "text" on a terminal, "json" elsewhere)').choices(['json', 'text']),
    );
}

/** @throws InvalidArgumentError naming the accepted range */
function readWorkers(text: string): number {
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (workers >= 1) return workers;
  throw new InvalidArgumentError('give a whole number from 1 to 999');
}
