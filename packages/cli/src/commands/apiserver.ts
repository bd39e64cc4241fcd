import { type Command, Option } from 'commander';
import { formatCount } from 'kube-endpoints/internal';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { type Invocation, type OnParsed, parsePort } from '../flags/common.ts';
import { createDurationOption, parseDuration } from '../flags/duration.ts';
import { readTokenFile } from '../input/token-file.ts';
import { type ApiServer, type ApiServerModule, loadObjects, readManifestFiles, startListening, toUsageError } from '../live/embedded.ts';
import { escapeUnprintable } from '../print/text.ts';

interface ApiServerFlags {
  readonly command: 'apiserver';
  readonly host: string;
  readonly port: number;
  readonly kubeconfigOut: string | undefined;
  readonly token: string | undefined;
  readonly tokenAuthFile: string | undefined;
  /** Accept requests without a token. */
  readonly anonymousAuth?: boolean;
  readonly authorization: 'rbac' | undefined;
  readonly data: string | undefined;
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
    .option('--data <FOLDER>', 'save all objects in this folder, which is created if absent, and continue from it after a restart')
    .option('--token <TOKEN>', 'the bearer token of the administrator (default: a random one)')
    .option('--token-auth-file <FILE>', 'tokens of further users: lines of token,user,uid,"group1,group2"')
    .option('--anonymous-auth', 'accept requests without a token, as those of system:anonymous')
    .addOption(new Option('--authorization <MODE>', 'which requests are allowed (default: all of clients with a token)').choices(['rbac']))
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
  const { tokenAuthFile } = options;
  const userTokens = tokenAuthFile === undefined ? [] : await readTokenFile(tokenAuthFile, io.files);
  const apiserver = await import('@kube-endpoints/apiserver');
  const server = await createServer(apiserver, options, printMessage);
  try {
    const loadedCount = await loadObjects(apiserver, server, manifests, printMessage, options);
    if (loadedCount === undefined) return exitCodes.error;
    const lines = await startListening(server, { ...options, userTokens }, loadedCount, printMessage);
    const stopRequest = io.untilStopped();
    for (const line of lines) io.stdout.write(`${line}\n`);
    if (options.data !== undefined) {
      io.stdout.write(`${formatCount(server.stats().objects, 'object')} are saved in ${escapeUnprintable(options.data)}.\n`);
    }
    await stopRequest;
    return exitCodes.nothing;
  } finally {
    await server.close();
  }
}

/** @throws UsageError naming the invalid flag */
async function createServer(
  apiserver: ApiServerModule,
  options: Omit<ApiServerFlags, 'flags'>,
  printMessage: PrintMessage,
): Promise<ApiServer> {
  const { background, authorization, serviceClusterIPRanges, serviceNodePortRange, eventTtl: eventTTL, data } = options;
  if (data === '') throw new UsageError('--data names no folder');
  try {
    return await apiserver.createApiServer({
      background,
      endsPods: background,
      eventTTL,
      ...(authorization && { authorization }),
      ...(serviceClusterIPRanges && { serviceClusterIPRanges }),
      ...(serviceNodePortRange !== undefined && { serviceNodePortRange }),
      ...(data !== undefined && { data, onDataProblem: (problem: string) => printMessage('hint', problem) }),
    });
  } catch (error) {
    throw toUsageError(error);
  }
}
