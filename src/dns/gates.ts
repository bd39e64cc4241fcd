import { isAtLeast, type Release } from '../versions/releases.ts';

/** A difference between releases of CoreDNS. */
export interface DnsGate {
  /** The first release with this behaviour: "1.9.0". */
  readonly since: string;
  /** The first release without it again. */
  readonly until?: string;
  readonly summary: string;
}

export type DnsGateName =
  | 'clusterIPsSeen'
  | 'externalNamesFirst'
  | 'soaAtApexOnly'
  | 'transfersRefused'
  | 'glueNamed'
  | 'transfersNameServers'
  | 'longPodNamesLeft'
  | 'wildcardsGone'
  | 'emptyLabelsDropped'
  | 'strangersHideServer'
  | 'externalsNotReversed'
  | 'textOfNothing'
  | 'nothingBelowExternalNames'
  | 'noPortsOfExternalNames'
  | 'hostnamesReversedOnly'
  | 'longerChains'
  | 'zeroEndsLabels';

/** Differences from CoreDNS 1.8.0, ordered by release. */
export const dnsGates: Readonly<Record<DnsGateName, DnsGate>> = {
  clusterIPsSeen: { since: '1.8.1', summary: 'All of the cluster IPs of a Service are answered; before, the first alone.' },
  externalNamesFirst: {
    since: '1.8.1',
    summary: 'A Service of type ExternalName has its name at every label below; before, an endpoint was looked for there.',
  },
  soaAtApexOnly: { since: '1.8.4', summary: 'The SOA is an answer at the zone alone; before, at every name.' },
  transfersRefused: { since: '1.8.4', summary: 'AXFR and IXFR as a question are refused; before, they were types as any other.' },
  glueNamed: { since: '1.8.4', summary: 'The addresses beside NS have the name server for owner; before, their own text.' },
  transfersNameServers: { since: '1.8.5', summary: 'A transfer holds the name servers and their addresses.' },
  longPodNamesLeft: { since: '1.8.6', summary: 'With endpoint_pod_names, a pod name of 64 characters or more names no endpoint.' },
  wildcardsGone: { since: '1.9.0', summary: '"*" and "any" are labels as any other; before, they stood for all there are.' },
  emptyLabelsDropped: { since: '1.9.0', summary: 'An endpoint without a name of its own has SRV records that lead to its Service.' },
  strangersHideServer: {
    since: '1.9.1',
    summary: 'Where the name server is an endpoint that belongs to no Service, NS has no answer; before, its own addresses were.',
  },
  externalsNotReversed: {
    since: '1.9.4',
    summary: 'External addresses and those of load balancers have no PTR records.',
  },
  textOfNothing: { since: '1.10.1', summary: 'TXT of a name that does not exist is NXDOMAIN; before, NODATA.' },
  nothingBelowExternalNames: { since: '1.10.1', summary: 'There is no endpoint below a Service of type ExternalName.' },
  noPortsOfExternalNames: { since: '1.11.0', summary: 'There is no port and protocol below a Service of type ExternalName.' },
  hostnamesReversedOnly: {
    since: '1.11.4',
    until: '1.12.1',
    summary: 'Only endpoints with a hostname have PTR records.',
  },
  longerChains: { since: '1.12.1', summary: 'A chain of CNAMEs inside of the zone has up to eleven links; before, eight.' },
  zeroEndsLabels: { since: '1.12.3', summary: 'The label of an IPv6 address that ends in "::" ends in "0".' },
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
  const at = readRelease(release);
  const isOn = ({ since, until }: DnsGate): boolean =>
    isAtLeast(at, readRelease(since)) && !(until !== undefined && isAtLeast(at, readRelease(until)));
  const entries = Object.entries(dnsGates).map(([name, gate]) => [name, isOn(gate)] as const);
  return Object.freeze(Object.fromEntries(entries) as Record<DnsGateName, boolean>);
}

const firstMinor = 8;
const lastMinor = 14;

/** The last patch release of each minor release that receives no more patches. */
const lastPatch: Readonly<Record<number, number>> = { 8: 7, 9: 4, 10: 1, 11: 4, 12: 4, 13: 2 };

function readRelease(release: string): Release {
  const match = typeof release === 'string' ? /^1\.([1-9]\d?)(?:\.(0|[1-9]\d?))?$/.exec(release) : null;
  const minor = Number(match?.[1]);
  const patch = match?.[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]);
  const last = lastPatch[minor] ?? Number.POSITIVE_INFINITY;
  if (!match || minor < firstMinor || minor > lastMinor || (match[2] !== undefined && patch > last)) {
    throw new RangeError(
      `release is ${JSON.stringify(release) ?? String(release)}: give a release of CoreDNS, "1.${firstMinor}" to "1.${lastMinor}", or a patch release of one, such as "1.8.6"`,
    );
  }
  return { minor, patch };
}
