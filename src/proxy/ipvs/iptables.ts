import type { ProxyGates } from '../gates.ts';
import {
  createRule,
  formatComment,
  type IptablesChain,
  type IptablesJump,
  type IptablesRule,
  type IptablesRules,
} from '../iptables/model.ts';
import type { Settings } from '../iptables/settings.ts';
import { loopbackRanges } from '../node-fields.ts';
import { nameOfSet, type SetName } from './model.ts';

/** An address of a load balancer that the node itself must not use, because its address is outside the source ranges. */
export interface BlockedAddress {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

/** Whether a set has entries: a rule for an empty set is omitted. */
type HasEntries = (name: SetName) => boolean;

/** Creates the rules that match the sets. Mirrors writeIptablesRules and createAndLinkKubeChain (1.36, pkg/proxy/ipvs/proxier.go). */
export function createIptablesRules(
  settings: Settings,
  hasEntries: HasEntries,
  blockedAddresses: readonly BlockedAddress[],
): IptablesRules {
  const { mark, family, randomFully, gates } = settings;
  const matchSet = createSetMatcher(settings);
  const rulesOfSets = gates.sourceRangesInFilter ? setRules : oldSetRules;
  const fromSets = (chain: string): IptablesRule[] =>
    rulesOfSets.filter((rule) => rule.chain === chain && hasEntries(rule.set)).map((rule) => createSetRule(rule, matchSet));
  const chain = (name: string, ...rules: readonly IptablesRule[]): IptablesChain => ({ name, rules: [...fromSets(name), ...rules] });
  const tables = {
    nat: [
      { name: 'KUBE-SERVICES', rules: createServiceRules(settings, hasEntries, fromSets('KUBE-SERVICES')) },
      chain(
        'KUBE-POSTROUTING',
        createRule(undefined, `-m mark ! --mark ${mark}/${mark}`, 'RETURN'),
        createRule(undefined, '', 'MARK', `--xor-mark ${mark}`),
        createRule('kubernetes service traffic requiring SNAT', '', 'MASQUERADE', randomFully ? '--random-fully' : ''),
      ),
      chain('KUBE-NODE-PORT'),
      chain('KUBE-LOAD-BALANCER', createRule(undefined, '', 'KUBE-MARK-MASQ')),
      chain('KUBE-MARK-MASQ', createRule(undefined, '', 'MARK', `--or-mark ${mark}`)),
      ...(gates.sourceRangesInFilter ? [] : [chain('KUBE-FIREWALL', createRule(undefined, '', 'KUBE-MARK-DROP')), chain('KUBE-MARK-DROP')]),
    ],
    filter: [
      { name: 'KUBE-FORWARD', rules: createForwardRules(mark) },
      {
        name: 'KUBE-NODE-PORT',
        rules: [createRule(setComments['HEALTH-CHECK-NODE-PORT'], matchSet('HEALTH-CHECK-NODE-PORT', 'dst'), 'ACCEPT')],
      },
      ...(gates.sourceRangesInFilter
        ? [chain('KUBE-PROXY-FIREWALL'), chain('KUBE-SOURCE-RANGES-FIREWALL', createRule(undefined, '', 'DROP'))]
        : []),
      ...(gates.hostPortsHidden ? [{ name: 'KUBE-IPVS-FILTER', rules: createHostRules(matchSet, gates) }] : []),
      ...(gates.nodeSourcesDropped ? [{ name: 'KUBE-IPVS-OUT-FILTER', rules: blockedAddresses.map(createBlockingRule) }] : []),
    ],
  };
  return { family, tables, jumps: jumps.filter(({ table, target }) => tables[table].some(({ name }) => name === target)) };
}

/** Formats the match of a set: "-m set --match-set KUBE-CLUSTER-IP dst,dst". */
type SetMatcher = (name: SetName, fields: string) => string;

const createSetMatcher =
  ({ family }: Settings): SetMatcher =>
  (name, fields) =>
    `-m set --match-set ${nameOfSet(name, family)} ${fields}`;

interface SetRule {
  readonly chain: string;
  readonly set: SetName;
  readonly fields: string;
  readonly target: string;
  readonly protocol?: string;
}

/** The rules of single sets, by chain in order of evaluation. Mirrors ipsetWithIptablesChain. */
const setRules: readonly SetRule[] = [
  { chain: 'KUBE-POSTROUTING', set: 'LOOP-BACK', fields: 'dst,dst,src', target: 'MASQUERADE' },
  { chain: 'KUBE-SERVICES', set: 'LOAD-BALANCER', fields: 'dst,dst', target: 'KUBE-LOAD-BALANCER' },
  { chain: 'KUBE-LOAD-BALANCER', set: 'LOAD-BALANCER-LOCAL', fields: 'dst,dst', target: 'RETURN' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-LOCAL-TCP', fields: 'dst', target: 'RETURN', protocol: 'tcp' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-TCP', fields: 'dst', target: 'KUBE-MARK-MASQ', protocol: 'tcp' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-LOCAL-UDP', fields: 'dst', target: 'RETURN', protocol: 'udp' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-UDP', fields: 'dst', target: 'KUBE-MARK-MASQ', protocol: 'udp' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-LOCAL-SCTP-HASH', fields: 'dst,dst', target: 'RETURN', protocol: 'sctp' },
  { chain: 'KUBE-NODE-PORT', set: 'NODE-PORT-SCTP-HASH', fields: 'dst,dst', target: 'KUBE-MARK-MASQ', protocol: 'sctp' },
  { chain: 'KUBE-PROXY-FIREWALL', set: 'LOAD-BALANCER-FW', fields: 'dst,dst', target: 'KUBE-SOURCE-RANGES-FIREWALL' },
  { chain: 'KUBE-SOURCE-RANGES-FIREWALL', set: 'LOAD-BALANCER-SOURCE-CIDR', fields: 'dst,dst,src', target: 'RETURN' },
  { chain: 'KUBE-SOURCE-RANGES-FIREWALL', set: 'LOAD-BALANCER-SOURCE-IP', fields: 'dst,dst,src', target: 'RETURN' },
];

/** The rules of single sets before 1.25, when all of them were in the table nat. */
const oldSetRules: readonly SetRule[] = [
  { chain: 'KUBE-LOAD-BALANCER', set: 'LOAD-BALANCER-FW', fields: 'dst,dst', target: 'KUBE-FIREWALL' },
  { chain: 'KUBE-FIREWALL', set: 'LOAD-BALANCER-SOURCE-CIDR', fields: 'dst,dst,src', target: 'RETURN' },
  { chain: 'KUBE-FIREWALL', set: 'LOAD-BALANCER-SOURCE-IP', fields: 'dst,dst,src', target: 'RETURN' },
  ...setRules.slice(0, -3),
];

/** The comments of the rules that match a set. */
const setComments: Readonly<Partial<Record<SetName, string>>> = {
  'LOOP-BACK': 'Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose',
  'CLUSTER-IP': 'Kubernetes service cluster ip + port for masquerade purpose',
  'EXTERNAL-IP': 'Kubernetes service external ip + port for masquerade and filter purpose',
  'EXTERNAL-IP-LOCAL': 'Kubernetes service external ip + port with externalTrafficPolicy=local',
  'LOAD-BALANCER': 'Kubernetes service lb portal',
  'LOAD-BALANCER-LOCAL': 'Kubernetes service load balancer ip + port with externalTrafficPolicy=local',
  'LOAD-BALANCER-FW': 'Kubernetes service load balancer ip + port for load balancer with sourceRange',
  'LOAD-BALANCER-SOURCE-IP': 'Kubernetes service load balancer ip + port + source IP for packet filter purpose',
  'LOAD-BALANCER-SOURCE-CIDR': 'Kubernetes service load balancer ip + port + source cidr for packet filter purpose',
  'NODE-PORT-TCP': 'Kubernetes nodeport TCP port for masquerade purpose',
  'NODE-PORT-LOCAL-TCP': 'Kubernetes nodeport TCP port with externalTrafficPolicy=local',
  'NODE-PORT-UDP': 'Kubernetes nodeport UDP port for masquerade purpose',
  'NODE-PORT-LOCAL-UDP': 'Kubernetes nodeport UDP port with externalTrafficPolicy=local',
  'NODE-PORT-SCTP-HASH': "Kubernetes nodeport SCTP port for masquerade purpose with type 'hash ip:port'",
  'NODE-PORT-LOCAL-SCTP-HASH': "Kubernetes nodeport SCTP port with externalTrafficPolicy=local with type 'hash ip:port'",
  'HEALTH-CHECK-NODE-PORT': 'Kubernetes health check node port',
};

/** kube-proxy writes the protocol before the comment. */
const createSetRule = ({ set, fields, target, protocol }: SetRule, matchSet: SetMatcher): IptablesRule => {
  const comment = setComments[set] as string;
  if (protocol === undefined) return createRule(comment, matchSet(set, fields), target);
  return createRule(undefined, `-p ${protocol} -m comment --comment ${formatComment(comment)} ${matchSet(set, fields)}`, target);
};

/**
 * Creates the rules of KUBE-SERVICES. Traffic to external IPs skips the rules after these unless it comes from a pod. The last rules accept
 * what the virtual servers balance.
 */
function createServiceRules(settings: Settings, hasEntries: HasEntries, rulesOfSets: readonly IptablesRule[]): IptablesRule[] {
  const matchSet = createSetMatcher(settings);
  const forSet = (set: SetName, target: string, match = '', fields = 'dst,dst'): IptablesRule =>
    createRule(setComments[set], `${matchSet(set, fields)}${match}`, target);
  const acceptExternal = (set: SetName): IptablesRule[] => [
    forSet(set, 'ACCEPT', ' -m physdev ! --physdev-is-in -m addrtype ! --src-type LOCAL'),
    forSet(set, 'ACCEPT', ' -m addrtype --dst-type LOCAL'),
  ];
  const ifUsed = (set: SetName, rules: readonly IptablesRule[]): readonly IptablesRule[] => (hasEntries(set) ? rules : []);
  const acceptAll = (set: SetName): readonly IptablesRule[] => ifUsed(set, [createRule(undefined, matchSet(set, 'dst,dst'), 'ACCEPT')]);
  return [
    ...(settings.gates.loopbackSourcesReturn ? [createRule(undefined, `-s ${loopbackRanges[settings.family]}`, 'RETURN')] : []),
    ...rulesOfSets,
    ...ifUsed('CLUSTER-IP', [createClusterIPRule(settings, forSet)]),
    ...ifUsed('EXTERNAL-IP', [forSet('EXTERNAL-IP', 'KUBE-MARK-MASQ'), ...acceptExternal('EXTERNAL-IP')]),
    ...ifUsed('EXTERNAL-IP-LOCAL', acceptExternal('EXTERNAL-IP-LOCAL')),
    createRule(undefined, '-m addrtype --dst-type LOCAL', 'KUBE-NODE-PORT'),
    ...acceptAll('CLUSTER-IP'),
    ...acceptAll('LOAD-BALANCER'),
  ];
}

/**
 * Masquerades traffic to cluster IPs from outside the pods. If the pod CIDR is unknown, masquerades what has a cluster IP as source: the node
 * itself chooses one, because kube-ipvs0 has them all.
 */
function createClusterIPRule(
  { masqueradeAll, podCIDR }: Settings,
  forSet: (set: SetName, target: string, match?: string, fields?: string) => IptablesRule,
): IptablesRule {
  if (masqueradeAll) return forSet('CLUSTER-IP', 'KUBE-MARK-MASQ');
  if (podCIDR !== undefined) return forSet('CLUSTER-IP', 'KUBE-MARK-MASQ', ` ! -s ${podCIDR}`);
  return forSet('CLUSTER-IP', 'KUBE-MARK-MASQ', '', 'src,dst');
}

const createForwardRules = (mark: string): readonly IptablesRule[] => [
  createRule('kubernetes forwarding rules', `-m mark --mark ${mark}/${mark}`, 'ACCEPT'),
  createRule('kubernetes forwarding conntrack rule', '-m conntrack --ctstate RELATED,ESTABLISHED', 'ACCEPT'),
];

/** Rejects new connections to other ports of the addresses of kube-ipvs0, which would reach programs of the node. */
const createHostRules = (matchSet: SetMatcher, gates: ProxyGates): readonly IptablesRule[] => [
  ...(['LOAD-BALANCER', 'CLUSTER-IP', 'EXTERNAL-IP'] as const).map((set) => createRule(undefined, matchSet(set, 'dst,dst'), 'RETURN')),
  ...(gates.localExternalIPsReturn ? [createRule(undefined, matchSet('EXTERNAL-IP-LOCAL', 'dst,dst'), 'RETURN')] : []),
  ...(gates.healthChecksReturn ? [createRule(undefined, matchSet('HEALTH-CHECK-NODE-PORT', 'dst'), 'RETURN')] : []),
  createRule(undefined, `-m conntrack --ctstate NEW ${matchSet('IPVS-IPS', 'dst')}`, 'REJECT'),
];

/** Drops packets of the node to a load balancer's address: ipvs gives them that address as source, too. */
const createBlockingRule = ({ address, protocol, port }: BlockedAddress): IptablesRule =>
  createRule(undefined, `-s ${address} -m ipvs --vaddr ${address} --vproto ${protocol} --vport ${port}`, 'DROP');

/** Mirrors iptablesJumpChain. */
const jumps: readonly IptablesJump[] = (
  [
    ['nat', 'OUTPUT', 'KUBE-SERVICES', 'kubernetes service portals'],
    ['nat', 'PREROUTING', 'KUBE-SERVICES', 'kubernetes service portals'],
    ['nat', 'POSTROUTING', 'KUBE-POSTROUTING', 'kubernetes postrouting rules'],
    ['filter', 'FORWARD', 'KUBE-FORWARD', 'kubernetes forwarding rules'],
    ['filter', 'INPUT', 'KUBE-NODE-PORT', 'kubernetes health check rules'],
    ['filter', 'INPUT', 'KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'],
    ['filter', 'FORWARD', 'KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'],
    ['filter', 'INPUT', 'KUBE-IPVS-FILTER', 'kubernetes ipvs access filter'],
    ['filter', 'OUTPUT', 'KUBE-IPVS-OUT-FILTER', 'kubernetes ipvs access filter'],
  ] as const
).map(([table, chain, target, comment]) => ({ table, chain, comment, match: '', target }));
