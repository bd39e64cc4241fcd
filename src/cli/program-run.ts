import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from './duration.ts';

type ControllerName = 'endpoints' | 'endpointslices';
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Which live cluster is meant. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What is asked of `run`. */
export interface RunParticulars extends ClusterFlags {
  readonly command: 'run';
  readonly release: string | undefined;
  readonly controllers: readonly ControllerName[] | undefined;
  readonly workers: number;
  readonly maxEndpointsPerSlice: number | undefined;
  readonly batchPeriod: number;
  readonly dryRun: boolean;
  readonly once: boolean;
  readonly leaderElect: boolean;
  readonly shards: string | undefined;
  readonly identity: string | undefined;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceName: string;
  readonly leaderElectResourceNamespace: string;
  readonly metricsPort: number;
  readonly metricsHost: string;
  readonly logLevel: LogLevel | undefined;
  readonly logFormat: 'json' | 'text' | undefined;
  /** Of the embedded API server. */
  readonly port: number;
  readonly host: string;
  readonly kubeconfigOut: string | undefined;
  readonly token: string | undefined;
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
    .addOption(new Option('--controllers <NAMES>', 'which are to run: endpoints,endpointslices (default: both)').argParser(readControllers))
    .addOption(release())
    .option('--workers <N>', 'how many Services each controller syncs at a time', readWorkers, 5)
    .addOption(max())
    .option('--batch-period <DURATION>', 'how long changes of pods wait for others, as --endpoint-updates-batch-period', readDuration, 0)
    .option('--dry-run', 'say what would be written, and write nothing')
    .option('--once', 'end as soon as nothing is left to do, and print what was written');
  addReplicas(command);
  addOperations(command, readPort);
  command
    .option('--port <PORT>', 'where the embedded API server listens; 0 for any free port', readPort, 6443)
    .option('--host <ADDRESS>', 'the address it listens at; another than a loopback address needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for it, for kubectl and other clients')
    .option('--token <TOKEN>', 'the bearer token that clients of it have to show (default: a new one)')
    .action((given: Partial<RunParticulars>) => {
      if (given.leaderElect && given.shards !== undefined) {
        command.error('error: --leader-elect and --shards exclude each other: give one of them');
      }
      take({ dryRun: false, once: false, leaderElect: false, ...given, command: 'run' } as RunParticulars);
    });
}

function addReplicas(command: Command): void {
  command
    .option('--leader-elect', 'work only while this replica leads')
    .option('--shards <GROUP>', 'share the Services out among the replicas of this group')
    .option('--identity <NAME>', 'who this replica is (default: the name of the host and a random part)')
    .option('--leader-elect-lease-duration <DURATION>', 'how long others wait before they take over', readDuration, 15_000)
    .option('--leader-elect-renew-deadline <DURATION>', 'how long the leader tries to renew before it stops', readDuration, 10_000)
    .option('--leader-elect-retry-period <DURATION>', 'how long to wait between tries', readDuration, 2_000)
    .option('--leader-elect-resource-name <NAME>', 'the Lease', 'kube-endpoints')
    .option('--leader-elect-resource-namespace <NAMESPACE>', 'the namespace of the Leases', 'kube-system');
}

function addOperations(command: Command, readPort: (text: string) => number): void {
  command
    .option('--metrics-port <PORT>', 'serve /metrics, /healthz, /livez and /readyz at this port; 0 for not at all', readPort, 0)
    .option('--metrics-host <ADDRESS>', 'the address for that; in a pod 0.0.0.0 or ::', '127.0.0.1')
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

/** @throws InvalidArgumentError naming those there are */
function readControllers(text: string): readonly ControllerName[] {
  const names = text.split(',').map((name) => name.trim());
  const isKnown = (name: string): name is ControllerName => name === 'endpoints' || name === 'endpointslices';
  if (names.every(isKnown)) return names;
  throw new InvalidArgumentError('give endpoints, endpointslices, or both with a comma between');
}

/** @throws InvalidArgumentError naming the accepted range */
function readWorkers(text: string): number {
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (workers >= 1) return workers;
  throw new InvalidArgumentError('give a whole number from 1 to 999');
}
