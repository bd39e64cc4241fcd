import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCIDR } from 'kube-endpoints/internal';
// Not by the room's index: every command line is read by this file, and few need the other thirty files behind it.
import { givenFlags } from './given.ts';
import { addClusterFlags, type ClusterFlags } from './program-run.ts';

/** Which node is looked at, and how its kube-proxy is configured. */
export interface ProxyFlags extends ClusterFlags {
  readonly node: string;
  readonly family?: 'IPv4' | 'IPv6';
  readonly clusterCidr?: readonly string[];
  readonly serviceCidr?: readonly string[];
}

/** How the rules are written. */
export interface RuleFlags extends ProxyFlags {
  readonly mode: 'nftables' | 'iptables';
  readonly masqueradeAll: boolean;
  readonly masqueradeBit: number;
  readonly nodePortAddresses?: readonly string[];
  /** Of iptables. */
  readonly localhostNodePorts: boolean;
}

/** What is asked of `proxy render`. */
export interface ProxyRenderParticulars extends RuleFlags {
  readonly command: 'proxy';
  readonly action: 'render';
  /** Of iptables: whether what leads from built-in chains to those of kube-proxy is printed, too. */
  readonly jumps: boolean;
}

/** What is asked of `proxy diff`. */
export interface ProxyDiffParticulars extends RuleFlags {
  readonly command: 'proxy';
  readonly action: 'diff';
  readonly after: readonly string[];
}

/** What is asked of `proxy view`. */
export interface ProxyViewParticulars extends ProxyFlags {
  readonly command: 'proxy';
  readonly action: 'view';
}

export type ProxyParticulars = ProxyRenderParticulars | ProxyDiffParticulars | ProxyViewParticulars;

/** @param take is given the names of Services, and what was asked */
export function addProxy(program: Command, take: (names: readonly string[], particulars: ProxyParticulars) => void): void {
  const proxy = program
    .command('proxy')
    .description('what the kube-proxy of a node makes of Services: proxy render, proxy view, proxy diff');
  addRules(addNode(proxy.command('render')))
    .description('print the rules that the kube-proxy of a node writes, as text for nft -f or iptables-restore --noflush, or as data')
    .option('--no-jumps', 'of iptables: leave out what leads from built-in chains to these, for a node that has it')
    .action((given: Partial<ProxyRenderParticulars>, command: Command) => {
      checkMode(given, command);
      take([], { masqueradeAll: false, ...given, command: 'proxy', action: 'render' } as ProxyRenderParticulars);
    });
  addNode(proxy.command('view'))
    .argument('[SERVICE...]', 'names of Services; all where none is given')
    .description('show where a node sends the traffic of each Service, and why some endpoints get none')
    .action((names: string[], given: Partial<ProxyViewParticulars>) =>
      take(names, { ...given, command: 'proxy', action: 'view' } as ProxyViewParticulars),
    );
  addRules(addNode(proxy.command('diff')))
    .description('print the least that makes the rules for the objects of --after of those for -f, or for a cluster')
    .requiredOption('--after <FILE>', 'the objects as they are to be; may be given several times', collect)
    .action((given: Partial<ProxyDiffParticulars>, command: Command) => {
      checkMode(given, command);
      take([], { masqueradeAll: false, ...given, command: 'proxy', action: 'diff' } as ProxyDiffParticulars);
    });
}

function checkMode({ mode }: Pick<Partial<RuleFlags>, 'mode'>, command: Command): void {
  const flag = givenFlags(command).find((one) => one === '--no-jumps' || one === '--no-localhost-node-ports');
  if (flag !== undefined && mode !== 'iptables') command.error(`error: ${flag} is for --mode iptables: give both`);
}

const addNode = (command: Command): Command =>
  addClusterFlags(command.requiredOption('--node <NAME>', 'the node; its object gives labels, addresses and pod CIDRs'))
    .addOption(
      new Option('--family <FAMILY>', 'of which addresses (default: the family of the node’s first address)').choices(['IPv4', 'IPv6']),
    )
    .option(
      '--cluster-cidr <CIDRS>',
      'where pods have their addresses, with commas between (default: the pod CIDRs of the node)',
      readCIDRs,
    )
    .option('--service-cidr <CIDRS>', 'where Services have their cluster IPs, with commas between', readCIDRs);

const addRules = (command: Command): Command =>
  command
    .addOption(new Option('--mode <MODE>', 'how the rules are written').choices(['nftables', 'iptables']).default('nftables'))
    .option('--masquerade-all', 'hide the sources of all traffic to cluster IPs')
    .option('--masquerade-bit <BIT>', 'the bit of the mark that asks for it, 0 to 31', readBit, 14)
    .option(
      '--node-port-addresses <CIDRS>',
      'where node ports answer, with commas between, or "primary" (default: "primary" of nftables, all addresses of iptables)',
      readNodePortAddresses,
    )
    .option('--no-localhost-node-ports', 'of iptables: node ports do not answer at 127.0.0.1');

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const readNodePortAddresses = (text: string): readonly string[] => (text === 'primary' ? [text] : readCIDRs(text));

/** @throws InvalidArgumentError naming the one that is none */
function readCIDRs(text: string): readonly string[] {
  const cidrs = text.split(',').map((cidr) => cidr.trim());
  for (const cidr of cidrs) {
    try {
      parseCIDR(cidr);
    } catch {
      throw new InvalidArgumentError(`${JSON.stringify(cidr)} is no CIDR, such as "10.0.0.0/8" or "fd00::/64"`);
    }
  }
  return cidrs;
}

/** @throws InvalidArgumentError naming the accepted range */
function readBit(text: string): number {
  const bit = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (bit <= 31) return bit;
  throw new InvalidArgumentError('give a whole number from 0 to 31');
}
