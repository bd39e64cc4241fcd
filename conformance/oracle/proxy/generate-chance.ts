import { canonicalIP, serviceNameLabel } from 'kube-endpoints/internal';
import type { ProxyService } from 'kube-endpoints/proxy';
import type { ProxyWorld } from './case.ts';

/**
 * Whether the original answers one thing at a time and another at another: it goes through slices, and through ports of Services, in no
 * order, and the last counts of an address that is in two slices, and of what two ports claim.
 */
export const isOfChance = ({ services, endpointSlices }: ProxyWorld): boolean =>
  areUnlike(services.flatMap(claimsOf)) || areUnlike(endpointSlices.flatMap(addressesIn));

interface Placed {
  readonly what: string;
  /** Where, or what is said of it there. */
  readonly place: string;
}

/** Whether anything is in two places that are not alike. */
function areUnlike(placed: readonly Placed[]): boolean {
  const places = new Map<string, string>();
  return placed.some(({ what, place }) => {
    const first = places.get(what) ?? place;
    places.set(what, first);
    return first !== place;
  });
}

/** The addresses with ports, and the node ports, that the ports of a Service claim. */
function claimsOf({ spec, status }: ProxyService, at: number): Placed[] {
  const ips = [
    ...[spec?.clusterIP, ...(spec?.clusterIPs ?? []), ...(spec?.externalIPs ?? [])],
    ...(status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
  ].map((ip) => canonicalIP(ip ?? ''));
  return (spec?.ports ?? []).flatMap(({ protocol, port, nodePort }, index) =>
    [...ips.map((ip) => `${ip} ${port}`), ...(nodePort ? [String(nodePort)] : [])].map((what) => ({
      what: `${what} ${protocol}`,
      place: `${at} ${index}`,
    })),
  );
}

/** Twice in one slice is no matter of chance, but then the same thing in another slice may be. */
const addressesIn = ({ metadata, addressType, endpoints }: ProxyWorld['endpointSlices'][number]): Placed[] => {
  const said = Map.groupBy(endpoints ?? [], ({ addresses }) => canonicalIP(addresses?.[0] ?? ''));
  return Array.from(said, ([address, all]) => ({
    what: [metadata?.namespace, metadata?.labels?.[serviceNameLabel], addressType, address].join(' '),
    place: JSON.stringify(all),
  }));
};
