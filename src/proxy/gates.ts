import type { Gate, Profile, ReleaseOptions } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';
import { parseRelease } from '../versions/releases.ts';

/** Behaviour of kube-proxy that differs between releases. */
export type ProxyGateName =
  | 'dropsInFilter'
  | 'firewallInFilter'
  | 'localhostOption'
  | 'terminatingFallback'
  | 'anyHintsMode'
  | 'firewallComment'
  | 'localnetRule'
  | 'unusedNodePorts'
  | 'externalIPsPolicy'
  | 'sourcesAsWritten'
  | 'clusterIPsCheck'
  | 'dropsInvalid'
  | 'firewallChains'
  | 'ipModes'
  | 'parsedServiceIPs'
  | 'rangeFamilyOfAddress'
  | 'nftablesMode'
  | 'primaryNodePorts'
  | 'primaryKeyword'
  | 'hintsByDefault'
  | 'parsedEndpointIPs'
  | 'plainFirewallElements'
  | 'slicesOfFamily'
  | 'nodeHints'
  | 'emptyPortsSkipped'
  | 'zeroRangesAllowAny'
  | 'filterAfterDnat'
  | 'masqueradeByCluster'
  | 'inlineMasquerade'
  | 'hairpinSet'
  | 'dnatMaps'
  | 'livingDuplicatesWin'
  | 'singleDnat'
  | 'shortComments'
  | 'alwaysRandomFully';

/** A change between releases, as for the controllers, with its pull request if known. */
export type ProxyGate = Pick<Gate, 'feature' | 'since' | 'summary'> &
  Partial<Pick<Gate, 'backports' | 'until' | 'untilBackports' | 'reference'>>;

/** The differences between releases of kube-proxy, sorted by release. docs/semantics/proxy.md explains each. */
export const proxyGates: Readonly<Record<ProxyGateName, ProxyGate>> = {
  dropsInFilter: {
    since: '1.25.0',
    reference: '#110290',
    summary: 'In iptables mode, rules of the table filter drop packets if the policy is Local and only other nodes have endpoints.',
  },
  firewallInFilter: {
    since: '1.25.0',
    reference: '#110289',
    summary:
      'In iptables mode, the chain KUBE-PROXY-FIREWALL drops packets from outside the source ranges; before, KUBE-MARK-DROP marked them.',
  },
  localhostOption: {
    since: '1.26.0',
    reference: '#108250',
    summary:
      'In iptables mode, localhostNodePorts can be false; before, node ports were always served on loopback addresses, of IPv6 as well.',
  },
  terminatingFallback: {
    since: '1.26.0',
    reference: '#113363',
    summary: 'If no endpoint is ready, terminating endpoints that still serve get traffic.',
  },
  anyHintsMode: {
    since: '1.27.0',
    reference: '#116522',
    summary: 'Any value but "disabled" of either annotation enables hints; before, only "auto" of the older annotation did.',
  },
  firewallComment: {
    since: '1.27.0',
    reference: '#114470',
    summary: 'In iptables mode, the last rule of a chain that checks source ranges is a comment.',
  },
  localnetRule: {
    since: '1.27.0',
    reference: '#114470',
    summary: 'In iptables mode, kube-proxy writes the chain KUBE-FIREWALL; before, only the kubelet did.',
  },
  unusedNodePorts: {
    since: '1.27.0',
    reference: '#115256',
    summary: 'In iptables mode, node ports have rules even if no address of the node is in nodePortAddresses.',
  },
  externalIPsPolicy: {
    since: '1.29.0',
    reference: '#119150',
    summary: 'externalTrafficPolicy applies to Services of type ClusterIP with external IPs.',
  },
  sourcesAsWritten: {
    since: '1.29.0',
    until: '1.31.0',
    reference: '#120104',
    summary: 'The address that a rule matches as source of an endpoint is written as in the slice; in other releases, in canonical form.',
  },
  nftablesMode: { since: '1.29.0', reference: '#121046', summary: 'kube-proxy has the mode nftables.' },
  clusterIPsCheck: {
    since: '1.30.0',
    reference: '#122692',
    summary: 'In nftables mode, packets to other ports of a cluster IP are rejected; before, they were not checked.',
  },
  dropsInvalid: {
    since: '1.29.0',
    until: '1.30.0',
    reference: '#122663',
    summary: 'In nftables mode, forwarded packets that conntrack considers invalid are dropped.',
  },
  firewallChains: {
    since: '1.30.0',
    reference: '#122296',
    summary: 'In nftables mode, a chain of each port checks source ranges before DNAT; before, a set of all ports did, after DNAT.',
  },
  ipModes: {
    since: '1.30.0',
    reference: '#123418',
    summary: 'Load balancer addresses of ipMode Proxy get no rules; before, ipMode was ignored.',
  },
  parsedServiceIPs: {
    since: '1.30.0',
    reference: '#122630',
    summary: 'External addresses and source ranges of Services are written in canonical form; before, as in the Service.',
  },
  rangeFamilyOfAddress: {
    since: '1.29.0',
    until: '1.30.0',
    summary: 'The address of a source range decides its family; in other releases, the network does. They differ if it is IPv4-mapped.',
  },
  primaryNodePorts: {
    since: '1.30.0',
    reference: '#122724',
    summary: "In nftables mode, node ports are served on the node's primary address by default; before, on all addresses.",
  },
  primaryKeyword: {
    since: '1.31.0',
    reference: '#123105',
    summary: 'This default is the value "primary"; before, it also applied if nodePortAddresses had ranges of the other family only.',
  },
  hintsByDefault: {
    since: '1.31.0',
    reference: '#125838',
    summary: 'Hints for zones apply to all Services; before, only to Services with an annotation.',
  },
  parsedEndpointIPs: {
    since: '1.31.0',
    summary: 'Addresses of endpoints are written in canonical form; before, as in the slice.',
  },
  plainFirewallElements: { since: '1.31.0', summary: 'In nftables mode, elements of firewall-ips have no comment.' },
  slicesOfFamily: {
    since: '1.33.0',
    summary: 'Slices of the other address family are ignored; before, single endpoints with an address of the other family were.',
  },
  nodeHints: { since: '1.34.0', reference: '#132127', summary: 'Endpoints with a hint for the node get its traffic.' },
  emptyPortsSkipped: {
    since: '1.34.0',
    summary: 'The list of a port without endpoints is absent; before, the list of the policy Cluster was empty.',
  },
  zeroRangesAllowAny: {
    since: '1.34.0',
    reference: '#132722',
    summary: 'A source range that contains all addresses allows any source; before, it got a rule of its own.',
  },
  filterAfterDnat: {
    since: '1.34.0',
    reference: '#132456',
    summary: 'In nftables mode, the chains that refuse traffic without endpoints run after DNAT, so that they do not affect local traffic.',
  },
  masqueradeByCluster: {
    since: '1.34.0',
    reference: '#131492',
    summary: 'In nftables mode, the rule that masquerades traffic to a cluster IP does not match its port again.',
  },
  inlineMasquerade: {
    since: '1.36.0',
    reference: '#135800',
    summary: 'In nftables mode, rules set the mark for masquerading; before, they jumped to the chain mark-for-masquerade.',
  },
  hairpinSet: {
    since: '1.36.0',
    reference: '#136499',
    summary: 'In nftables mode, a set lists the connections of pods to themselves, and one rule masquerades traffic to all cluster IPs.',
  },
  dnatMaps: {
    since: '1.36.0',
    summary: 'In nftables mode, a rule chooses an endpoint and rewrites the address; before, each endpoint had a chain.',
  },
  livingDuplicatesWin: {
    since: '1.36.0',
    reference: '#135593',
    summary:
      'If an address occurs twice, the later endpoint is used unless it is terminating; before, the first, or the last on this node.',
  },
  singleDnat: {
    since: '1.37.0',
    reference: '#140723',
    summary: 'In nftables mode, the rule of a port with a single endpoint has no map.',
  },
  shortComments: { since: '1.37.0', reference: '#139516', summary: 'In nftables mode, comments have at most 128 bytes.' },
  alwaysRandomFully: {
    since: '1.37.0',
    reference: '#139247',
    summary: 'In iptables mode, masquerading uses random ports without checking the version of iptables.',
  },
};

const firstProxyMinor = 24;

/** For each gate, whether a release has the change. */
export type ProxyGates = Readonly<Record<ProxyGateName, boolean>>;

/** The release, "1.24" to "1.37" or a patch release of one, and its feature gates. The mode nftables needs 1.29 or later. */
export type ProxyVersionOptions = ReleaseOptions;

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range, or an invalid feature gate
 */
export const proxyGatesFor = ({ version, featureGates }: ProxyVersionOptions = {}): ProxyGates => lookUp(version, featureGates);

const lookUp = /* @__PURE__ */ createGateLookup(proxyGates, firstProxyMinor);

/** Returns the release, or the oldest one that this module specifies if that is newer. @throws RangeError if the release is unknown */
export const nearestProxyRelease = (release: ReleaseOptions & Pick<Profile, 'version'>): ReleaseOptions =>
  parseRelease(release.version).minor < firstProxyMinor ? { version: `1.${firstProxyMinor}` } : release;
