import { canonicalIP, serviceNameLabel } from 'kube-endpoints/internal';
import type { ProxyService } from 'kube-endpoints/proxy';
import type { ProxyWorld } from './case.ts';

/**
 * Whether kube-proxy's answer is random: it iterates over slices and ports of Services in random order, and the last one wins if an address
 * is in two slices or two ports conflict.
 */
export const isOfChance = ({ services, endpointSlices }: ProxyWorld): boolean =>
  areUnlike(services.flatMap(claimsOf)) || areUnlike(endpointSlices.flatMap(addressesIn));

interface Placed {
  readonly what: string;
  /** The Service port or endpoint that uses it. */
  readonly place: string;
}

/** Whether the same key occurs twice with different content. */
function areUnlike(placed: readonly Placed[]): boolean {
  const places = new Map<string, string>();
  return placed.some(({ what, place }) => {
    const first = places.get(what) ?? place;
    places.set(what, first);
    return first !== place;
  });
}

/** The addresses with ports, and the node ports, that a Service's ports use. */
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

/** Duplicates within one slice are not random, but they may be if the address is also in another slice. */
const addressesIn = ({ metadata, addressType, endpoints }: ProxyWorld['endpointSlices'][number]): Placed[] => {
  const said = Map.groupBy(endpoints ?? [], ({ addresses }) => canonicalIP(addresses?.[0] ?? ''));
  return Array.from(said, ([address, all]) => ({
    what: [metadata?.namespace, metadata?.labels?.[serviceNameLabel], addressType, address].join(' '),
    place: JSON.stringify(all),
  }));
};
