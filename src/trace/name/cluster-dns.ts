import { canonicalIP, nameOf, namespaceOf, objectKey } from '../../apimachinery/index.ts';
import type { Cluster } from '../cluster.ts';
import { clause, note } from '../note.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import type { TraceNote } from '../trace.ts';
import type { ResolverConfig } from './resolver.ts';

/** Whether those who know the cluster's names are asked, and answer. */
export interface AskedDns {
  readonly notes: readonly TraceNote[];
  /** Why nobody answers for the names of the cluster. */
  readonly blame?: string;
}

/** Who is asked by a resolver, and whether the cluster's DNS, as far as its Service is known, has anybody who answers. */
export function dnsOf({ asks, policy }: ResolverConfig, { pod }: Origin, cluster: Cluster): AskedDns {
  const name = pod ? objectKey(pod) : '';
  const server = cluster.objects.services.find(isClusterDns);
  if (asks === 'node') {
    const why = policy === 'Default' ? 'dnsPolicy Default' : 'dnsPolicy ClusterFirst counts as Default on the network of the node';
    return blamed(note('DnsOfNode', { pod: name, why }, 'pod.spec.dnsPolicy'));
  }
  if (asks !== 'cluster') {
    const servers = asks.join(', ') || 'nobody';
    const wanted = server ? addressesOf(server) : [];
    const areOthers = asks.length === 0 || (wanted.length > 0 && !asks.some((address) => wanted.includes(canonicalIP(address) ?? '')));
    const values = { pod: name, servers, wanted: wanted.join(', ') || 'the cluster IP of kube-system/kube-dns' };
    const path = 'pod.spec.dnsConfig.nameservers';
    if (areOthers) return blamed(note('NameserversOthers', values, path));
    const down = downOf(server, cluster);
    return { notes: [note('NameserversTaken', values, path), ...down], ...blameOf(down) };
  }
  const down = downOf(server, cluster);
  return { notes: down, ...blameOf(down) };
}

const blamed = (told: TraceNote): AskedDns => ({ notes: [told], ...blameOf([told]) });

const blameOf = ([told]: readonly TraceNote[]): { readonly blame?: string } => (told ? { blame: clause(told.message) } : {});

/** Nothing is said against a DNS of which no endpoints and no pods are known. */
function downOf(server: TraceService | undefined, cluster: Cluster): TraceNote[] {
  if (!server || (cluster.areComputed && cluster.podsOf(server).length === 0)) return [];
  const endpoints = cluster.slicesOf(server).flatMap((slice) => slice.endpoints ?? []);
  if (endpoints.some(({ conditions }) => conditions?.ready !== false || (conditions.serving && conditions.terminating))) return [];
  const values = { service: objectKey(server), name: `${nameOf(server)}.${namespaceOf(server)}` };
  return [note('ClusterDnsDown', values, 'endpointslice.endpoints')];
}

/** CoreDNS kept the name of the one before it. */
const isClusterDns = (service: TraceService): boolean =>
  objectKey(service) === 'kube-system/kube-dns' && service.spec?.clusterIP !== 'None';

const addressesOf = ({ spec }: TraceService): string[] => [
  ...new Set([spec?.clusterIP, ...(spec?.clusterIPs ?? [])].flatMap((address) => (address ? (canonicalIP(address) ?? []) : []))),
];
