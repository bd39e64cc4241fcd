import { serviceNameLabel } from 'kube-endpoints/internal';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { ProxyService } from 'kube-endpoints/proxy';
import type { ProxyWorld } from './case.ts';

/**
 * Whether kube-proxy's answer is random: it iterates over slices and ports of Services in random order, and the last one wins if an address
 * is in two slices or two ports conflict.
 * @param mergesPorts whether the last one also wins if the slices have different port numbers, as before 1.22
 */
export const isRandom = ({ services, endpointSlices }: ProxyWorld, mergesPorts: boolean): boolean =>
  hasConflict(services.flatMap(usesOf)) || hasConflict(endpointSlices.flatMap((slice) => addressesIn(slice, mergesPorts)));

interface Use {
  readonly key: string;
  /** The Service port or endpoint that uses it. */
  readonly user: string;
}

/** Whether the same key occurs twice with different users. */
function hasConflict(uses: readonly Use[]): boolean {
  const users = new Map<string, string>();
  return uses.some(({ key, user }) => {
    const first = users.get(key) ?? user;
    users.set(key, first);
    return first !== user;
  });
}

/** Lists the addresses with ports, and the node ports, that a Service's ports use. */
function usesOf({ spec, status }: ProxyService, id: number): Use[] {
  const ips = [
    ...[spec?.clusterIP, ...(spec?.clusterIPs ?? []), ...(spec?.externalIPs ?? [])],
    ...(status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
  ].map((ip) => canonicalIP(ip ?? ''));
  return (spec?.ports ?? []).flatMap(({ protocol, port, nodePort }, index) =>
    [...ips.map((ip) => `${ip} ${port}`), ...(nodePort ? [String(nodePort)] : [])].map((use) => ({
      key: `${use} ${protocol}`,
      user: `${id} ${index}`,
    })),
  );
}

/** Duplicates within one slice are not random, but they may be if the address is also in another slice. */
const addressesIn = ({ metadata, endpoints, ports }: ProxyWorld['endpointSlices'][number], mergesPorts: boolean): Use[] => {
  const endpointsByAddress = Map.groupBy(endpoints ?? [], ({ addresses }) => canonicalIP(addresses?.[0] ?? ''));
  return Array.from(endpointsByAddress, ([address, all]) => ({
    key: [metadata?.namespace, metadata?.labels?.[serviceNameLabel], address].join(' '),
    user: JSON.stringify(mergesPorts ? [all, ports] : all),
  }));
};
