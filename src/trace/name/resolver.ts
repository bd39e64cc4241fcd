import type { TracePod } from '../objects.ts';

/** The resolver configuration of a pod. */
export interface ResolverConfig {
  /** The effective DNS policy: "ClusterFirst", "Default", ... */
  readonly policy: string;
  /** Search domains in order, without final dots; those of the node are unknown and not included. */
  readonly searches: readonly string[];
  readonly ndots: number;
  /** The servers that the pod queries: the cluster's DNS, the node's, or the pod's own nameservers. */
  readonly nameservers: 'cluster' | 'node' | readonly string[];
}

/**
 * The resolv.conf that the kubelet writes for a pod, or the default one if `pod` is undefined. Mirrors `GetPodDNS` (1.36,
 * pkg/kubelet/network/dns/dns.go).
 * @param zone "cluster.local"
 */
export function resolverOf(pod: TracePod | undefined, namespace: string, zone: string): ResolverConfig {
  const { dnsConfig, hostNetwork, dnsPolicy } = pod?.spec ?? {};
  const policy = dnsPolicy || 'ClusterFirst';
  const defaults = defaultsOf(policy, hostNetwork === true, namespace, zone);
  const nameservers = dnsConfig?.nameservers ?? [];
  const searches = [...defaults.searches, ...(dnsConfig?.searches ?? [])].map((search) => search.replace(/(?<=.)\.$/, ''));
  const ndots = dnsConfig?.options?.findLast(({ name }) => name === 'ndots')?.value;
  return {
    policy,
    searches: [...new Set(searches)].filter((search) => search.length <= maxSearchLength).slice(0, maxSearches),
    ndots: ndots !== undefined && ndots !== null ? parseNdots(ndots) : defaults.ndots,
    nameservers: policy === 'None' ? nameservers : defaults.nameservers,
  };
}

type ResolverDefaults = Pick<ResolverConfig, 'searches' | 'ndots'> & { readonly nameservers: 'cluster' | 'node' };

/** Returns the values before dnsConfig is applied. Like the kubelet, treats an unknown policy as ClusterFirst. */
function defaultsOf(policy: string, hostNetwork: boolean, namespace: string, zone: string): ResolverDefaults {
  if (policy === 'None') return { searches: [], ndots: 1, nameservers: 'cluster' };
  if (policy === 'Default' || (policy === 'ClusterFirst' && hostNetwork)) return { searches: [], ndots: 1, nameservers: 'node' };
  return { searches: [`${namespace}.svc.${zone}`, `svc.${zone}`, zone], ndots: 5, nameservers: 'cluster' };
}

/** Resolvers read an invalid number as 0 and cap the value at 15. */
const parseNdots = (text: string): number => Math.min(Number.parseInt(text, 10) || 0, 15);

/** `MaxDNSSearchPaths`, and the maximum length of a search domain; the kubelet drops longer ones. */
const maxSearches = 32;
const maxSearchLength = 253;

/**
 * The absolute names that a resolver queries, in order. A name with a final dot is only queried unchanged. Any other name is queried
 * unchanged, too: first if it has at least `ndots` dots, otherwise last.
 */
export function candidatesOf(name: string, { searches, ndots }: Pick<ResolverConfig, 'searches' | 'ndots'>): string[] {
  if (name.endsWith('.')) return [name];
  const searchedNames = searches.map((search) => (search === '.' ? `${name}.` : `${name}.${search}.`));
  const unchangedName = `${name}.`;
  const names = countDots(name) >= ndots ? [unchangedName, ...searchedNames] : [...searchedNames, unchangedName];
  return [...new Set(names)];
}

export const countDots = (name: string): number => name.split('.').length - 1;
