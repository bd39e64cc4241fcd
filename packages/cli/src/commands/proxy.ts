import { type Command, InvalidArgumentError, Option } from 'commander';
import { proxyGatesFor } from 'kube-endpoints/internal';
import { parseCIDR } from 'kube-endpoints/internal/apimachinery';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import {
  addReleaseFlags,
  collectValues,
  createWholeNumberParser,
  findGivenFlags,
  type Invocation,
  type OnParsed,
  type Release,
} from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { readInput } from '../input/read.ts';
import { createScope } from '../input/scope.ts';
import type { LiveKind } from '../live/inventory.ts';
import { type LoadedObjects, printProblems, readObjects } from '../live/read-objects.ts';
import { printReport, type Report } from '../print/report.ts';
import { hidePlaceholdersIn } from '../report/placeholders.ts';
import {
  chooseFamily,
  createNodeHints,
  createProxyNode,
  defaultProxyRelease,
  type ProxyFlags,
  type ProxyMode,
  type RuleFlags,
  selectProxyObjects,
} from '../report/proxy-objects.ts';
import { diffProxy, type RuleInput, renderProxy } from '../report/proxy-render.ts';
import { viewProxy } from '../report/proxy-view.ts';

interface RenderFlags extends InputFlags, RuleFlags {
  readonly command: 'proxy';
  readonly action: 'render';
  /** iptables and ipvs only: also print the jumps from built-in chains to kube-proxy's chains. */
  readonly jumps: boolean;
}

interface DiffFlags extends InputFlags, RuleFlags {
  readonly mode: 'nftables' | 'iptables';
  readonly command: 'proxy';
  readonly action: 'diff';
  readonly after: readonly string[];
}

interface ViewFlags extends InputFlags, ProxyFlags {
  readonly command: 'proxy';
  readonly action: 'view';
}

export function configure(proxy: Command, onParsed: OnParsed): void {
  addRuleFlags(addNodeFlags(proxy.command('render')), ['nftables', 'iptables', 'ipvs'])
    .description('print the rules that kube-proxy writes on a node, as input for nft -f, iptables-restore --noflush or ipvsadm, or as data')
    .option('--no-jumps', 'iptables and ipvs only: omit the jumps from built-in chains, for a node that already has them')
    .option('--ipvs-scheduler <NAME>', 'ipvs only: the scheduler of virtual servers (default: rr)')
    .action((options: Partial<RenderFlags>, command: Command) => {
      checkMode(options, command);
      onParsed([], { masqueradeAll: false, ...options, command: 'proxy', action: 'render' } as RenderFlags, run);
    });
  addNodeFlags(proxy.command('view'))
    .argument('[SERVICE...]', 'names of Services (default: all)')
    .description('show where a node sends the traffic of each Service, and why some endpoints get none')
    .action((names: string[], options: Partial<ViewFlags>) =>
      onParsed(names, { ...options, command: 'proxy', action: 'view' } as ViewFlags, run),
    );
  addRuleFlags(addNodeFlags(proxy.command('diff')), ['nftables', 'iptables'])
    .description('print the smallest change that turns the rules for -f, or for a cluster, into the rules for --after')
    .requiredOption('--after <FILE>', 'the objects after the change; repeatable', collectValues)
    .action((options: Partial<DiffFlags>, command: Command) => {
      checkMode(options, command);
      onParsed([], { masqueradeAll: false, ...options, command: 'proxy', action: 'diff' } as DiffFlags, run);
    });
}

/** The modes in which a flag has an effect. */
const modesByFlag: Readonly<Record<string, readonly ProxyMode[]>> = {
  '--no-jumps': ['iptables', 'ipvs'],
  '--no-localhost-node-ports': ['iptables'],
  '--ipvs-scheduler': ['ipvs'],
};

function checkMode({ mode }: Partial<RuleFlags>, command: Command): void {
  for (const flag of findGivenFlags(command)) {
    const modes = modesByFlag[flag];
    if (modes && mode && !modes.includes(mode)) command.error(`error: ${flag} needs --mode ${modes.join(' or ')}`);
  }
}

const addNodeFlags = (command: Command): Command =>
  addReleaseFlags(
    addClusterFlags(
      command.requiredOption('--node <NAME>', 'the name of the node; its Node object provides labels, addresses and pod CIDRs'),
    )
      .addOption(
        new Option('--family <FAMILY>', 'the IP family of the rules (default: the family of the node’s first address)').choices([
          'IPv4',
          'IPv6',
        ]),
      )
      .option('--cluster-cidr <CIDRS>', 'the CIDRs of pods, separated by commas (default: the pod CIDRs of the node)', parseCIDRs)
      .option('--service-cidr <CIDRS>', 'the CIDRs of cluster IPs, separated by commas', parseCIDRs),
    { oldest: '1.17', fallback: defaultProxyRelease },
  );

const addRuleFlags = (command: Command, modes: readonly ProxyMode[]): Command =>
  command
    .addOption(new Option('--mode <MODE>', 'the mode of kube-proxy').choices(modes).default('nftables'))
    .option('--masquerade-all', 'masquerade the source of all traffic to cluster IPs')
    .option('--masquerade-bit <BIT>', 'the bit of the packet mark that requests masquerading, 0 to 31', createWholeNumberParser(0, 31), 14)
    .option(
      '--node-port-addresses <CIDRS>',
      'the CIDRs of the addresses that serve node ports, separated by commas, or "primary" (default: "primary" for nftables from 1.30 on, otherwise all addresses)',
      parseNodePortAddresses,
    )
    .option('--no-localhost-node-ports', 'iptables only: do not serve node ports at 127.0.0.1');

const parseNodePortAddresses = (text: string): readonly string[] => (text === 'primary' ? [text] : parseCIDRs(text));

/** @throws InvalidArgumentError naming the invalid CIDR */
function parseCIDRs(text: string): readonly string[] {
  const cidrs = text.split(',').map((cidr) => cidr.trim());
  for (const cidr of cidrs) {
    try {
      parseCIDR(cidr);
    } catch {
      throw new InvalidArgumentError(`${JSON.stringify(cidr)} is not a CIDR such as "10.0.0.0/8" or "fd00::/64"`);
    }
  }
  return cidrs;
}

type ProxyInvocation = Invocation<RenderFlags | DiffFlags | ViewFlags>;

/** Prints the rules or the view that a node's kube-proxy derives from Services. Changes nothing on any node. */
async function run(options: ProxyInvocation, io: IO, printMessage: PrintMessage): Promise<number> {
  // A node serves the Services of all namespaces, whatever namespace is shown.
  const allNamespacesOptions = { ...options, flags: { ...options.flags, allNamespaces: true } };
  const request = { kinds: selectKinds, release: options, defaultRelease: defaultProxyRelease };
  const loadedObjects = await convertRangeErrors(() => readObjects(allNamespacesOptions, request, io, printMessage));
  const { inventory, release } = loadedObjects;
  const input = await convertRangeErrors(() => createRuleInput(inventory, options, release, loadedObjects.live));
  const { objects } = input;
  for (const hint of [...objects.hints, ...createNodeHints(inventory)]) printMessage('hint', hint);
  const report = await convertRangeErrors(() => createReport(options, { ...loadedObjects, input }, io, printMessage));
  if (!report) return exitCodes.error;
  for (const error of report.errors ?? []) printMessage('error', error);
  for (const hint of report.hints ?? []) printMessage('hint', hint);
  await printReport(report, options.flags, io);
  if (inventory.problems.length > 0 || (report.errors ?? []).length > 0) return exitCodes.error;
  return report.hasFindings ? exitCodes.found : exitCodes.nothing;
}

const createRuleInput = async (
  inventory: Inventory,
  options: ProxyInvocation,
  release: Release,
  live: boolean,
): Promise<ProxyRuleInput> => ({
  ...release,
  node: createProxyNode(inventory, options, release),
  objects: selectProxyObjects(inventory, live, release),
});

interface ProxyRuleInput extends RuleInput {
  readonly objects: ReturnType<typeof selectProxyObjects>;
}

const selectKinds = (release: Release): readonly LiveKind[] => [
  'services',
  proxyGatesFor(release).slicesRead ? 'endpointSlices' : 'endpoints',
  'nodes',
];

interface ProxyReportInput extends LoadedObjects {
  readonly input: RuleInput;
}

async function createReport(
  options: ProxyInvocation,
  reportInput: ProxyReportInput,
  io: IO,
  printMessage: PrintMessage,
): Promise<Report | undefined> {
  const { input, inventory, namespace } = reportInput;
  const family = chooseFamily(input.node, options);
  switch (options.action) {
    case 'render':
      return renderProxy(input, options, family);
    case 'diff': {
      const after = await readObjectsAfter(options, reportInput, io, printMessage);
      return after && diffProxy(input, after, options.mode, family);
    }
    case 'view': {
      const { allNamespaces } = options.flags;
      const scope = createScope(inventory, {
        namespace: allNamespaces ? undefined : namespace,
        names: options.names,
        includesOrphans: false,
      });
      const view = hidePlaceholdersIn(viewProxy(input, scope, family), inventory);
      return { ...view, errors: scope.notFoundMessages, hints: scope.hints };
    }
  }
}

/** Reads the objects of `--after`. If any is invalid, reports the problems and returns undefined. */
async function readObjectsAfter(
  options: Invocation<DiffFlags>,
  { namespace, inventory: inventoryBefore, input }: ProxyReportInput,
  io: IO,
  printMessage: PrintMessage,
): Promise<RuleInput | undefined> {
  const inventory = await readInput({ filenames: options.after, recursive: options.flags.recursive === true, namespace }, io);
  printProblems(inventory.problems, printMessage);
  if (inventory.problems.length > 0) return undefined;
  const objects = selectProxyObjects(inventory, false, input);
  const isSameNode = !inventory.nodes && inventoryBefore.nodes !== undefined;
  for (const hint of [...objects.hints, ...(isSameNode ? [sameNodeHint] : [])]) printMessage('hint', `--after: ${hint}`);
  return { ...input, objects, node: isSameNode ? input.node : createProxyNode(inventory, options, input) };
}

const sameNodeHint = 'The input has no Nodes: the node is assumed to be unchanged.';

/** Rethrows a RangeError as UsageError, because the user must fix a field of the node or Service. @throws UsageError */
async function convertRangeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
