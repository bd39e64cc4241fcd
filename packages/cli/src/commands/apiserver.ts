import type { Command } from 'commander';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { type Invocation, type OnParsed, parsePort } from '../flags/common.ts';
import { createDurationOption, parseDuration } from '../flags/duration.ts';
import {
  type ApiServer,
  type ApiServerModule,
  loadObjects,
  readManifestFiles,
  replaceOptionNames,
  startListening,
} from '../live/embedded.ts';

interface ApiServerFlags {
  readonly command: 'apiserver';
  readonly host: string;
  readonly port: number;
  readonly kubeconfigOut: string | undefined;
  readonly token: string | undefined;
  readonly serviceClusterIPRanges: readonly string[] | undefined;
  readonly serviceNodePortRange: string | undefined;
  /** In milliseconds. */
  readonly eventTtl: number;
  /** Skip objects of kinds that the server does not serve. */
  readonly skipUnserved?: boolean;
  /** Run garbage collection, namespace deletion and pod termination in the server. */
  readonly background: boolean;
}

export function configure(command: Command, onParsed: OnParsed): void {
  command
    .option('--port <PORT>', 'the port to listen on; 0 for any free port', parsePort, 6443)
    .option('--host <ADDRESS>', 'the address to listen on; any address other than loopback needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for this API server to this file')
    .option('--token <TOKEN>', 'the bearer token that clients must send (default: a random one)')
    .option(
      '--service-cluster-ip-range <CIDR>',
      'the range of cluster IPs; for dual-stack an IPv4 and an IPv6 range, separated by a comma',
      parseList,
    )
    .option('--service-node-port-range <FROM-TO>', 'the range of node ports (default: "30000-32767")')
    .addOption(createDurationOption('--event-ttl <DURATION>', 'how long Events are kept; 0 keeps them', parseDuration, 3_600_000))
    .option('--skip-unserved', 'skip objects of -f whose kind this server does not serve, instead of failing')
    .option(
      '--no-background',
      'run no garbage collection, namespace deletion and pod termination, because kube-controller-manager and kubelets do',
    )
    .action(({ serviceClusterIpRange, ...options }) =>
      onParsed([], { command: 'apiserver', serviceClusterIPRanges: serviceClusterIpRange, ...options } as ApiServerFlags, run),
    );
}

const parseList = (text: string): readonly string[] => text.split(',').map((item) => item.trim());

/** Runs the embedded API server until it is stopped. Serves nothing if the input or a flag is invalid. */
async function run({ flags, ...options }: Invocation<ApiServerFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const manifests = await readManifestFiles(flags, io, printMessage);
  if (!manifests) return exitCodes.error;
  const apiserver = await import('@kube-endpoints/apiserver');
  const server = await createServer(apiserver, options);
  try {
    const loadedCount = await loadObjects(apiserver, server, manifests, printMessage, options);
    if (loadedCount === undefined) return exitCodes.error;
    const lines = await startListening(server, options, loadedCount, printMessage);
    const stopRequest = io.untilStopped();
    for (const line of lines) io.stdout.write(`${line}\n`);
    await stopRequest;
    return exitCodes.nothing;
  } finally {
    await server.close();
  }
}

/** @throws UsageError naming the invalid flag */
async function createServer(apiserver: ApiServerModule, options: Omit<ApiServerFlags, 'flags'>): Promise<ApiServer> {
  const { background, serviceClusterIPRanges, serviceNodePortRange, eventTtl: eventTTL } = options;
  try {
    return await apiserver.createApiServer({
      background,
      endsPods: background,
      eventTTL,
      ...(serviceClusterIPRanges && { serviceClusterIPRanges }),
      ...(serviceNodePortRange !== undefined && { serviceNodePortRange }),
    });
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(replaceOptionNames(error.message), { cause: error }) : error;
  }
}
