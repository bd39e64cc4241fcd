import { isAtLeast, type Release } from '../versions/releases.ts';

/** A difference between releases of CoreDNS. */
export interface DnsGate {
  /** The first release with this behaviour: "1.9.0". */
  readonly since: string;
  /** The first later release without this behaviour. */
  readonly until?: string;
  readonly summary: string;
}

export type DnsGateName =
  | 'allClusterIPs'
  | 'externalNamesFirst'
  | 'soaAtApexOnly'
  | 'transfersRefused'
  | 'glueUsesServerName'
  | 'transferIncludesNameServers'
  | 'longPodNamesIgnored'
  | 'wildcardsRemoved'
  | 'emptyLabelsDropped'
  | 'orphanEndpointsHideServer'
  | 'externalAddressesNotReversed'
  | 'missingTextIsNxdomain'
  | 'noEndpointsBelowExternalNames'
  | 'noPortsBelowExternalNames'
  | 'onlyHostnamesReversed'
  | 'longerCnameChains'
  | 'ipv6LabelsEndInZero';

/** Differences from CoreDNS 1.8.0, ordered by release. */
export const dnsGates: Readonly<Record<DnsGateName, DnsGate>> = {
  allClusterIPs: { since: '1.8.1', summary: 'Answers include all cluster IPs of a Service; earlier, only the first.' },
  externalNamesFirst: {
    since: '1.8.1',
    summary: 'Every label below an ExternalName Service returns its external name; earlier, the label was looked up as an endpoint.',
  },
  soaAtApexOnly: { since: '1.8.4', summary: 'A SOA query has an answer at the zone apex only; earlier, at every name.' },
  transfersRefused: { since: '1.8.4', summary: 'AXFR and IXFR queries are refused; earlier, they were handled like other types.' },
  glueUsesServerName: {
    since: '1.8.4',
    summary: "Glue records of NS answers are owned by the name server's name; earlier, by the text of its address.",
  },
  transferIncludesNameServers: { since: '1.8.5', summary: 'A zone transfer includes the name servers and their addresses.' },
  longPodNamesIgnored: {
    since: '1.8.6',
    summary: 'With endpoint_pod_names, a pod name of 64 or more characters is not used as an endpoint name.',
  },
  wildcardsRemoved: { since: '1.9.0', summary: '"*" and "any" are ordinary labels; earlier, they matched everything.' },
  emptyLabelsDropped: { since: '1.9.0', summary: 'SRV records of an endpoint without a name of its own point to its Service.' },
  orphanEndpointsHideServer: {
    since: '1.9.1',
    summary: 'If the name server is an endpoint whose Service does not exist, NS has no answer; earlier, it returned its own addresses.',
  },
  externalAddressesNotReversed: {
    since: '1.9.4',
    summary: 'External IPs and load balancer addresses have no PTR records.',
  },
  missingTextIsNxdomain: { since: '1.10.1', summary: 'A TXT query for a name that does not exist returns NXDOMAIN; earlier, NODATA.' },
  noEndpointsBelowExternalNames: { since: '1.10.1', summary: 'An ExternalName Service has no endpoint names below it.' },
  noPortsBelowExternalNames: { since: '1.11.0', summary: 'An ExternalName Service has no port and protocol names below it.' },
  onlyHostnamesReversed: {
    since: '1.11.4',
    until: '1.12.1',
    summary: 'Only endpoints with a hostname have PTR records.',
  },
  longerCnameChains: { since: '1.12.1', summary: 'A chain of CNAMEs inside the zone has up to eleven links; earlier, eight.' },
  ipv6LabelsEndInZero: { since: '1.12.3', summary: 'The label of an IPv6 address that ends in "::" ends in "0".' },
};

/** The behaviour of one release: each gate on or off. */
export type DnsProfile = Readonly<Record<DnsGateName, boolean>>;

/** The newest supported minor release; the default of `DnsConfig.release`. */
export const newestRelease = '1.14';

/**
 * The gates of a release.
 * @param release "1.8" to "1.14" (means its last patch release) or a patch release such as "1.8.6"
 * @throws RangeError naming the accepted range
 */
export function dnsProfile(release: string = newestRelease): DnsProfile {
  const parsedRelease = parseRelease(release);
  const isOn = ({ since, until }: DnsGate): boolean =>
    isAtLeast(parsedRelease, parseRelease(since)) && !(until !== undefined && isAtLeast(parsedRelease, parseRelease(until)));
  const entries = Object.entries(dnsGates).map(([name, gate]) => [name, isOn(gate)] as const);
  return Object.freeze(Object.fromEntries(entries) as Record<DnsGateName, boolean>);
}

const firstMinor = 8;
const lastMinor = 14;

/** The last patch release of each minor release that receives no more patches. */
const lastPatch: Readonly<Record<number, number>> = { 8: 7, 9: 4, 10: 1, 11: 4, 12: 4, 13: 2 };

function parseRelease(release: string): Release {
  const match = typeof release === 'string' ? /^1\.([1-9]\d?)(?:\.(0|[1-9]\d?))?$/.exec(release) : null;
  const minor = Number(match?.[1]);
  const patch = match?.[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const last = lastPatch[minor] ?? Number.POSITIVE_INFINITY;
  if (!match || minor < firstMinor || minor > lastMinor || (match[2] !== undefined && patch > last)) {
    throw new RangeError(
      `release is ${JSON.stringify(release) ?? String(release)}: give a CoreDNS release from "1.${firstMinor}" to "1.${lastMinor}", or a patch release such as "1.8.6"`,
    );
  }
  return { minor, patch };
}
