import { Command, InvalidArgumentError, Option } from 'commander';
import { maximumFrom } from 'kube-endpoints/internal';
import { newest, parseRelease } from 'kube-endpoints/versions';
import { commonWrong, namespaceFlag } from './common-flags.ts';
import type { IO } from './io.ts';
import { printable } from './print/text.ts';
import { addDns, type DnsParticulars, type ResolveParticulars } from './program-dns.ts';
import { addOverrides, type OverridesParticulars } from './program-overrides.ts';
import { addProxy, type ProxyParticulars } from './program-proxy.ts';
import { addClusterFlags, addRun, type ClusterFlags, type RunParticulars } from './program-run.ts';
import { addTrace, type PictureFormat, pictureFormats, type TraceParticulars } from './program-trace.ts';

/** The flags that every command has. */
export interface CommonFlags {
  readonly filename?: readonly string[];
  readonly recursive?: boolean;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly output: 'table' | 'wide' | 'yaml' | 'json' | PictureFormat;
  readonly color: boolean;
}

/** What was asked for on the command line. */
export type Invocation = Particulars & { readonly names: readonly string[]; readonly flags: CommonFlags };

/** What is particular to a command. */
type Particulars =
  | (ReadingParticulars & ClusterFlags)
  | ApiServerParticulars
  | RunParticulars
  | OverridesParticulars
  | TraceParticulars
  | ProxyParticulars
  | DnsParticulars
  | ResolveParticulars;

/** What is particular to a command that reads objects and says something of them. */
type ReadingParticulars =
  | { readonly command: 'compute'; readonly release: string | undefined; readonly slices: boolean; readonly max: number | undefined }
  | { readonly command: 'diff'; readonly release: string | undefined; readonly max: number | undefined }
  | {
      readonly command: 'explain';
      readonly release: string | undefined;
      readonly pod: string | undefined;
      readonly max: number | undefined;
    }
  | { readonly command: 'upgrade'; readonly from: string; readonly to: string };

/** What is asked of the embedded API server. */
export interface ApiServerParticulars {
  readonly command: 'apiserver';
  readonly host: string;
  readonly port: number;
  readonly kubeconfigOut: string | undefined;
  readonly token: string | undefined;
  readonly serviceClusterIPRanges: readonly string[] | undefined;
  readonly serviceNodePortRange: string | undefined;
  /** Whether objects of other kinds than those that are served are left out. */
  readonly skipUnserved?: boolean;
  /** Whether garbage collection and the end of namespaces are seen to. */
  readonly background: boolean;
}

/** The environment variable that stands for `--release`. */
export const releaseVariable = 'KUBE_ENDPOINTS_RELEASE';

/**
 * Reads a command line; undefined where it asked for help or the version, which is then printed.
 * @throws CommanderError for one that cannot be understood
 */
export async function parseArguments(argv: readonly string[], io: IO): Promise<Invocation | undefined> {
  let invocation: Invocation | undefined;
  const program = createProgram(io);
  addCommands(program, (given, particulars) => {
    const names = given.map((name) => withoutKind(name, serviceKinds));
    invocation = { ...particulars, names, flags: program.opts<CommonFlags>() };
  });
  await program.parseAsync(argv, { from: 'user' });
  const wrong = invocation && commonWrong(program, invocation);
  if (wrong !== undefined) program.error(`error: ${wrong}`);
  return invocation;
}

type Take = (names: readonly string[], particulars: Particulars) => void;

function addCommands(program: Command, take: Take): void {
  const add = (name: Invocation['command'], description: string): Command =>
    addClusterFlags(program.command(name).description(description).argument('[SERVICE...]', 'names of Services; all where none is given'));

  add('compute', 'print the Endpoints, or the EndpointSlices, that the controller writes for each Service')
    .addOption(releaseOption())
    .option('--slices', 'print EndpointSlices (from 1.21 on)')
    .addOption(maxOption())
    .action((names, { release, slices, maxEndpointsPerSlice: max, ...cluster }, command: Command) => {
      if (max !== undefined && !slices) command.error('error: --max-endpoints-per-slice is for --slices: give both');
      take(names, { command: 'compute', release, slices: slices === true, max, ...cluster });
    });
  add('explain', 'say whether each Service works and what is wrong with it; with a name or -o wide, what became of each pod')
    .addOption(releaseOption())
    .addOption(maxOption())
    .option('--pod <NAME>', 'explain one pod against each Service of its namespace', (name) => withoutKind(name, podKinds))
    .action((names, { release, pod, maxEndpointsPerSlice: max, ...cluster }) =>
      take(names, { command: 'explain', release, pod, max, ...cluster }),
    );
  add('diff', 'compare what the controllers write with the Endpoints and EndpointSlices in the input, and those with each other')
    .addOption(releaseOption())
    .addOption(maxOption())
    .action((names, { release, maxEndpointsPerSlice: max, ...cluster }) => take(names, { command: 'diff', release, max, ...cluster }));
  add('upgrade', 'show what changes for the Services and Pods between two releases, and why')
    .requiredOption('--from <RELEASE>', 'the release that the cluster has', readRelease)
    .option('--to <RELEASE>', 'the release that it is to get', readRelease, newest)
    .action((names, { from, to, ...cluster }) => take(names, { command: 'upgrade', from, to, ...cluster }));
  addRun(program, { release: releaseOption, max: maxOption, readPort }, (particulars) => take([], particulars));
  addApiServer(program, take);
  addOverrides(program, { release: releaseOption, readPort }, (particulars) => take([], particulars));
  addDns(program, readPort, (particulars) => take([], particulars));
  addProxy(program, take);
  addTrace(program, releaseOption, (particulars) => take([], particulars));
}

function addApiServer(program: Command, take: Take): void {
  program
    .command('apiserver')
    .description('run an embedded Kubernetes API server, with the objects of -f in it, until it is stopped')
    .option('--port <PORT>', 'where to listen; 0 for any free port', readPort, 6443)
    .option('--host <ADDRESS>', 'the address to listen at; another than a loopback address needs --token', '127.0.0.1')
    .option('--kubeconfig-out <FILE>', 'write a kubeconfig for kubectl and other clients')
    .option('--token <TOKEN>', 'the bearer token that clients have to show (default: a new one)')
    .option('--service-cluster-ip-range <CIDR>', 'the range of cluster IPs; one of each family with a comma between', readList)
    .option('--service-node-port-range <FROM-TO>', 'the range of node ports (default: "30000-32767")')
    .option('--skip-unserved', 'leave out the objects of -f whose kind is not served, instead of ending')
    .option('--no-background', 'leave garbage, namespaces and pods that end to a kube-controller-manager and kubelets')
    .action(({ serviceClusterIpRange, ...given }) =>
      take([], { command: 'apiserver', serviceClusterIPRanges: serviceClusterIpRange, ...given }),
    );
}

const readList = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/** @throws InvalidArgumentError naming the accepted range */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('give a whole number from 0 to 65535');
}

/** A release as a flag or variable gives it. @throws InvalidArgumentError naming the accepted range */
export function readRelease(text: string): string {
  const release = text.startsWith('v') ? text.slice(1) : text;
  try {
    parseRelease(release);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return release;
}

const serviceKinds: readonly string[] = ['svc', 'service', 'services', 'ep', 'endpoints', 'endpointslice', 'endpointslices'];
const podKinds: readonly string[] = ['po', 'pod', 'pods'];

/** kubectl's users write "service/web", too. */
function withoutKind(name: string, kinds: readonly string[]): string {
  const [kind, rest, ...more] = name.split('/');
  return rest !== undefined && more.length === 0 && kinds.includes(kind as string) ? rest : name;
}

function createProgram(io: IO): Command {
  const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
  const width = (): number => io.stdout.columns ?? 100;
  return new Command('kube-endpoints')
    .description('What a Kubernetes release makes of Services and Pods: their Endpoints and EndpointSlices, and why.')
    .version(io.version, '--version', 'print the version')
    .option(
      '-f, --filename <FILE>',
      'a file, a directory of *.yaml, *.yml and *.json files, or - for standard input; may be given several times',
      collect,
    )
    .option('-R, --recursive', 'look into the directories below those of -f, too')
    .option(
      '-n, --namespace <NAMESPACE>',
      'the namespace to look at, and that of objects that name none (default: "default", of a cluster that of the context; run and dns look at all)',
      namespaceFlag,
    )
    .option('-A, --all-namespaces', 'look at all namespaces')
    .addOption(
      new Option('-o, --output <FORMAT>', 'how to print').choices(['table', 'wide', 'yaml', 'json', ...pictureFormats]).default('table'),
    )
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [COMMAND]', 'print help for a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\n${examples}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${printable(text.trim().replaceAll(/\s*\n\s*/g, ' '))}\n`),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

const releaseOption = (): Option =>
  new Option(
    '--release <RELEASE>',
    `the Kubernetes release, "1.17" to "${newest}" or a patch release of one (default: "${newest}"; env: ${releaseVariable})`,
  ).argParser(readRelease);

const maxOption = (): Option =>
  new Option(
    '--max-endpoints-per-slice <N>',
    'how many endpoints a slice may hold, 1 to 1000 (default: 100, as the controller has it)',
  ).argParser(readMaximum);

/** @throws InvalidArgumentError naming the accepted range */
export function readMaximum(text: string): number {
  try {
    return maximumFrom(/^\d+$/.test(text) ? Number(text) : Number.NaN);
  } catch {
    throw new InvalidArgumentError('give a whole number from 1 to 1000');
  }
}

const examples = `Examples:
  kubectl get services,endpoints,endpointslices,pods,nodes -A -o json > cluster.json
  kube-endpoints explain -f cluster.json -n shop web
  kube-endpoints explain -f cluster.json -n shop --pod web-7c9f-abcde
  kube-endpoints compute -f cluster.json -n shop --slices web
  kube-endpoints diff -f cluster.json -A --release 1.29
  kube-endpoints upgrade -f cluster.json -A --from 1.29 --to 1.33
  kube-endpoints explain --context production -n shop web
  kube-endpoints resolve web.shop -f cluster.json
  kube-endpoints dns -f cluster.json --port 5353
  kube-endpoints trace web.shop:http --from pod/frontend-1 -f cluster.json
  kube-endpoints proxy view --node n1 -f cluster.json -n shop web
  kube-endpoints proxy render --node n1 -f cluster.json | nft --check -f -
  kube-endpoints run -f objects.yaml --kubeconfig-out kubeconfig
  kube-endpoints run --kubeconfig kubeconfig --leader-elect --metrics-port 8080
  kube-endpoints run -f objects.yaml --controllers endpoints,endpointslices,service-lb --cloud tcp
  kube-endpoints apiserver -f objects.yaml --port 0 --kubeconfig-out kubeconfig
  kube-endpoints override test --rules rules.yaml -f cluster.json
  kube-endpoints webhook --rules rules.yaml --self-signed tls

Exit codes: 0 nothing found; 1 a problem, a difference; 2 an error.`;
