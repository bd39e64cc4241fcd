import type { TracePod } from '../objects.ts';

/** What the resolver of a pod does with a name. */
export interface ResolverConfig {
  /** "ClusterFirst", "Default", ...: the one that is obeyed. */
  readonly policy: string;
  /** In order, without final dots. Those of the node are not known, and not among them. */
  readonly searches: readonly string[];
  readonly ndots: number;
  /** The cluster's DNS, the node's, or servers of the pod's own. */
  readonly asks: 'cluster' | 'node' | readonly string[];
}

/**
 * What the kubelet writes into a pod's resolv.conf. Without a pod, that of one that says nothing of it.
 * Mirrors `GetPodDNS` (1.36, pkg/kubelet/network/dns/dns.go).
 * @param zone "cluster.local"
 */
export function resolverOf(pod: TracePod | undefined, namespace: string, zone: string): ResolverConfig {
  const { dnsConfig, hostNetwork, dnsPolicy } = pod?.spec ?? {};
  const policy = dnsPolicy || 'ClusterFirst';
  const base = baseOf(policy, hostNetwork === true, namespace, zone);
  const nameservers = dnsConfig?.nameservers ?? [];
  const searches = [...base.searches, ...(dnsConfig?.searches ?? [])].map((search) => search.replace(/(?<=.)\.$/, ''));
  const ndots = dnsConfig?.options?.findLast(({ name }) => name === 'ndots')?.value;
  return {
    policy,
    searches: [...new Set(searches)].filter((search) => search.length <= longestSearch).slice(0, mostSearches),
    ndots: ndots !== undefined && ndots !== null ? ndotsFrom(ndots) : base.ndots,
    asks: policy === 'None' ? nameservers : base.asks,
  };
}

type Base = Pick<ResolverConfig, 'searches' | 'ndots'> & { readonly asks: 'cluster' | 'node' };

/** Another policy than these is taken for ClusterFirst, as the kubelet does. */
function baseOf(policy: string, hostNetwork: boolean, namespace: string, zone: string): Base {
  if (policy === 'None') return { searches: [], ndots: 1, asks: 'cluster' };
  if (policy === 'Default' || (policy === 'ClusterFirst' && hostNetwork)) return { searches: [], ndots: 1, asks: 'node' };
  return { searches: [`${namespace}.svc.${zone}`, `svc.${zone}`, zone], ndots: 5, asks: 'cluster' };
}

/** Resolvers take what is no number for 0, and none above 15. */
const ndotsFrom = (text: string): number => Math.min(Number.parseInt(text, 10) || 0, 15);

/** `MaxDNSSearchPaths`, and the length of a path that the kubelet leaves out. */
const mostSearches = 32;
const longestSearch = 253;

/**
 * The names that a resolver asks for, in order, absolute. A name with a final dot is asked as it is; one with at least ndots
 * dots as it is first, any other as it is last.
 */
export function candidatesOf(name: string, { searches, ndots }: Pick<ResolverConfig, 'searches' | 'ndots'>): string[] {
  if (name.endsWith('.')) return [name];
  const searched = searches.map((search) => (search === '.' ? `${name}.` : `${name}.${search}.`));
  const own = `${name}.`;
  const all = dotsIn(name) >= ndots ? [own, ...searched] : [...searched, own];
  return [...new Set(all)];
}

export const dotsIn = (name: string): number => name.split('.').length - 1;
