import { isAtLeast, type Release } from '../versions/releases.ts';

/** A difference between releases of CoreDNS. */
export interface DnsGate {
  /** The first release with this behaviour: "1.9.0". */
  readonly since: string;
  /** The first later release without this behaviour. */
  readonly until?: string;
  /** The pull request of coredns/coredns that introduced the behaviour: "#5019". */
  readonly reference: string;
  readonly summary: string;
}

export type DnsGateName =
  | 'srvWeightAtLeastOne'
  | 'balancerNamesReversed'
  | 'transfersInOwnPlugin'
  | 'endpointSlicesRead'
  | 'allClusterIPs'
  | 'externalNamesFirst'
  | 'unreadyEndpointsSkipped'
  | 'soaAtApexOnly'
  | 'transfersRefused'
  | 'transferIncludesNameServers'
  | 'longPodNamesIgnored'
  | 'wildcardsRemoved'
  | 'orphanEndpointsHideServer'
  | 'externalAddressesNotReversed'
  | 'missingTextIsNxdomain'
  | 'noEndpointsBelowExternalNames'
  | 'endpointsIgnored'
  | 'noPortsBelowExternalNames'
  | 'onlyHostnamesReversed'
  | 'longerCnameChains'
  | 'ipv6LabelsEndInZero'
  | 'allPodIPs';

/** Differences from CoreDNS 1.6.9, ordered by release. */
export const dnsGates: Readonly<Record<DnsGateName, DnsGate>> = {
  srvWeightAtLeastOne: {
    since: '1.7.0',
    reference: '#3931',
    summary: 'The weight of SRV records is at least 1; earlier, it was 0 if there were more than 100 results.',
  },
  balancerNamesReversed: {
    since: '1.7.0',
    reference: '#3916',
    summary: 'A hostname of a load balancer counts as an external address, in case it is written as an address.',
  },
  transfersInOwnPlugin: {
    since: '1.8.0',
    reference: '#4142',
    summary: 'AXFR and IXFR queries are handled like other types; earlier, a query that was not allowed to transfer returned NODATA.',
  },
  endpointSlicesRead: {
    since: '1.8.1',
    reference: '#4209',
    summary: 'EndpointSlices are read if Kubernetes is 1.19 or later and offers them; earlier, always Endpoints.',
  },
  allClusterIPs: {
    since: '1.8.1',
    reference: '#4339',
    summary: 'Answers include all cluster IPs of a Service; earlier, only the first.',
  },
  externalNamesFirst: {
    since: '1.8.1',
    reference: '#4339',
    summary: 'Every label below an ExternalName Service returns its external name; earlier, the label was looked up as an endpoint.',
  },
  unreadyEndpointsSkipped: {
    since: '1.8.4',
    reference: '#4580',
    summary: 'Endpoints of slices have no records while they are not ready; earlier, readiness was not evaluated.',
  },
  soaAtApexOnly: {
    since: '1.8.4',
    reference: '#4592',
    summary: 'A SOA query has an answer at the zone apex only; earlier, at every name.',
  },
  transfersRefused: {
    since: '1.8.4',
    reference: '#4510',
    summary: 'AXFR and IXFR queries are refused; earlier, they were handled like other types.',
  },
  transferIncludesNameServers: {
    since: '1.8.5',
    reference: '#4696',
    summary: 'A zone transfer includes the name servers and their addresses.',
  },
  longPodNamesIgnored: {
    since: '1.8.6',
    reference: '#4908',
    summary: 'With endpoint_pod_names, a pod name of 64 or more characters in a slice is not used as an endpoint name.',
  },
  wildcardsRemoved: {
    since: '1.9.0',
    reference: '#5019',
    summary: '"*" and "any" are ordinary labels; earlier, they matched everything.',
  },
  orphanEndpointsHideServer: {
    since: '1.9.1',
    reference: '#4891',
    summary: 'If the name server is an endpoint whose Service does not exist, NS has no answer; earlier, it returned its own addresses.',
  },
  externalAddressesNotReversed: {
    since: '1.9.4',
    reference: '#5435',
    summary: 'External IPs and load balancer addresses have no PTR records.',
  },
  missingTextIsNxdomain: {
    since: '1.10.1',
    reference: '#5737',
    summary: 'A TXT query for a name that does not exist returns NXDOMAIN; earlier, NODATA.',
  },
  noEndpointsBelowExternalNames: {
    since: '1.10.1',
    reference: '#5734',
    summary: 'An ExternalName Service has no endpoint names below it.',
  },
  endpointsIgnored: {
    since: '1.11.0',
    reference: '#6147',
    summary: 'Only EndpointSlices are read; earlier, Endpoints of clusters without the API of EndpointSlices.',
  },
  noPortsBelowExternalNames: {
    since: '1.11.0',
    reference: '#6162',
    summary: 'An ExternalName Service has no port and protocol names below it.',
  },
  onlyHostnamesReversed: {
    since: '1.11.4',
    until: '1.12.1',
    reference: '#6898',
    summary: 'Only endpoints with a hostname have PTR records.',
  },
  longerCnameChains: {
    since: '1.12.1',
    reference: '#7153',
    summary: 'A chain of CNAMEs inside the zone has up to eleven links; earlier, eight.',
  },
  ipv6LabelsEndInZero: {
    since: '1.12.3',
    reference: '#7431',
    summary: 'The label of an IPv6 address that ends in "::" ends in "0".',
  },
  allPodIPs: {
    since: '1.15.0',
    reference: '#8635',
    summary: 'With pods verified, each IP in podIPs has a name, and podIP is not read; earlier, only podIP has one.',
  },
};

/** The behaviour of one release: each gate on or off. */
export type DnsProfile = Readonly<Record<DnsGateName, boolean>>;

/** The newest supported minor release; the default of `DnsConfig.release`. */
export const newestRelease = '1.15';

/**
 * The gates of a release.
 * @param release "1.6" to "1.15" (means its last patch release) or a patch release from 1.6.9 on, such as "1.8.6"
 * @throws RangeError naming the accepted range
 */
export function dnsProfile(release: string = newestRelease): DnsProfile {
  const parsedRelease = parseRelease(release);
  const isOn = ({ since, until }: DnsGate): boolean =>
    isAtLeast(parsedRelease, parseRelease(since)) && !(until !== undefined && isAtLeast(parsedRelease, parseRelease(until)));
  const entries = Object.entries(dnsGates).map(([name, gate]) => [name, isOn(gate)] as const);
  return Object.freeze(Object.fromEntries(entries) as Record<DnsGateName, boolean>);
}

const first: Release = { minor: 6, patch: 9 };
const lastMinor = 15;

/** The last patch release of each minor release that receives no more patches. */
const lastPatch: Readonly<Record<number, number>> = { 6: 9, 7: 1, 8: 7, 9: 4, 10: 1, 11: 4, 12: 4, 13: 2, 14: 7 };

function parseRelease(release: string): Release {
  const match = typeof release === 'string' ? /^1\.([1-9]\d?)(?:\.(0|[1-9]\d?))?$/.exec(release) : null;
  const minor = Number(match?.[1]);
  const patch = match?.[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const last = lastPatch[minor] ?? Number.POSITIVE_INFINITY;
  if (!match || !isAtLeast({ minor, patch }, first) || minor > lastMinor || (match[2] !== undefined && patch > last)) {
    throw new RangeError(
      `release is ${JSON.stringify(release) ?? String(release)}: give a CoreDNS release from "1.${first.minor}" to "1.${lastMinor}", or a patch release from "1.${first.minor}.${first.patch}" on, such as "1.8.6"`,
    );
  }
  return { minor, patch };
}
