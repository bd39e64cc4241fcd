import type { Gate } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';

/** Behaviour of kube-proxy that differs between releases. */
export type ProxyGateName =
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
export type ProxyGate = Pick<Gate, 'since' | 'summary'> & Partial<Pick<Gate, 'backports' | 'until' | 'untilBackports' | 'reference'>>;

/** The differences between releases of kube-proxy, sorted by release. docs/semantics/proxy.md explains each. */
export const proxyGates: Readonly<Record<ProxyGateName, ProxyGate>> = {
  slicesOfFamily: {
    since: '1.33.0',
    summary: 'Slices of the other address family are ignored; before, single endpoints with an address of the other family were.',
  },
  nodeHints: { since: '1.34.0', summary: 'Endpoints with a hint for the node get its traffic.' },
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
    summary: 'In iptables mode, masquerading uses random ports without checking the version of iptables.',
  },
};

/** For each gate, whether a release has the change. */
export type ProxyGates = Readonly<Record<ProxyGateName, boolean>>;

export interface ProxyVersionOptions {
  /** "1.32" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string | undefined;
}

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range
 */
export const proxyGatesFor = ({ version }: ProxyVersionOptions = {}): ProxyGates => lookUp(version);

const lookUp = /* @__PURE__ */ createGateLookup(proxyGates, 32);
