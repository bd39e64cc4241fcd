import { canonicalIP, nameOf, namespaceOf, objectKey } from '../../apimachinery/index.ts';
import type { DnsConfig } from '../../dns/index.ts';
import type { Cluster } from '../cluster.ts';
import { type Destination, findDestination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import { item, note, withoutFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, skippedStep, type TraceNote } from '../trace.ts';
import { createZone, queryNames } from './lookup.ts';
import { createForwardedStep, createRecordStep, findReferencedService, type RecordStep } from './record.ts';
import { candidatesOf, dotsIn, type ResolverConfig, resolverOf } from './resolver.ts';
import { findForwardedName } from './suggest.ts';

/** The steps "name" and "record", with the destination. */
export interface ResolvedTarget extends RecordStep {
  readonly name: StepResult;
}

/** Resolves the target as the client would: its search path, the queried names and their records. */
export function resolve(target: Target, origin: Origin, cluster: Cluster, config: DnsConfig): ResolvedTarget {
  if (target.isAddress) return resolveAddress(target, cluster, [note('TargetIsAddress', { address: target.host })]);
  const alias = findHostAlias(target.host, origin);
  if (alias !== undefined) {
    const values = { pod: origin.pod ? objectKey(origin.pod) : '', name: target.host, address: alias };
    return resolveAddress({ ...target, host: alias }, cluster, [note('HostAliasUsed', values, 'pod.spec.hostAliases')]);
  }
  const zone = createZone(cluster, origin.namespace, config);
  const origins = zone.zones.filter((name) => !name.endsWith('.arpa.'));
  const domain = (origins[0] ?? 'cluster.local.').replace(/\.$/, '');
  const resolver = resolverOf(origin.pod, origin.namespace, domain);
  const names = candidatesOf(target.host, resolver);
  const dns = checkDns(resolver, origin, cluster);
  if (dns.cause !== undefined) {
    // DNS does not answer. Look up the Service that the name refers to anyway, so that the remaining steps can be shown.
    const defaultNames = candidatesOf(target.host, resolverOf(undefined, origin.namespace, domain));
    const { attempts } = queryNames(defaultNames, zone, config);
    const isDown = dns.notes.some(({ code }) => code === 'ClusterDnsNotReady');
    const forwarded = isDown ? undefined : findForwardedName(target, attempts, cluster);
    if (forwarded)
      return {
        name: createNameStep(target, origin, resolver, { names, notes: [], cause: undefined }),
        ...createForwardedStep(forwarded, [forwarded]),
      };
    const name = createNameStep(target, origin, resolver, { names, notes: dns.notes, cause: dns.cause });
    return {
      name,
      record: skippedStep('record', 'No answer'),
      destination: createUnresolvedDestination(findReferencedService(attempts, cluster).service),
    };
  }
  const lookup = queryNames(names, zone, config);
  const queried = { names: lookup.attempts.map(({ name }) => name), notes: dns.notes, cause: undefined };
  return { name: createNameStep(target, origin, resolver, queried), ...createRecordStep(lookup, target, cluster, config) };
}

const createUnresolvedDestination = (service: TraceService | undefined): Destination => ({ kind: 'nowhere', ...(service && { service }) });

function resolveAddress(target: Target, cluster: Cluster, notes: readonly TraceNote[]): ResolvedTarget {
  return {
    name: createStep('name', `Address ${target.host}`, { notes, chosen: [item(`address/${target.host}`, target.host)] }),
    record: skippedStep('record', 'No DNS query'),
    destination: findDestination(target.host, target, cluster),
  };
}

/** The pod's hosts file takes precedence over DNS. */
function findHostAlias(host: string, { pod }: Origin): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  const found = pod?.spec?.hostAliases?.find(({ hostnames }) => hostnames?.some((each) => each.toLowerCase() === name));
  return found?.ip ? canonicalIP(found.ip) : undefined;
}

interface QueriedNames {
  readonly names: readonly string[];
  readonly notes: readonly TraceNote[];
  readonly cause: string | undefined;
}

function createNameStep(
  { host }: Target,
  { pod, namespace }: Origin,
  resolver: ResolverConfig,
  { names, notes, cause }: QueriedNames,
): StepResult {
  const { searches, ndots, policy } = resolver;
  const search = searches.join(' ') || 'none';
  const client = pod
    ? note('ResolverOfPod', { pod: objectKey(pod), policy, search, ndots }, 'pod.spec.dnsPolicy')
    : note('ResolverOfNamespace', { namespace, search, ndots });
  const dots = dotsIn(host);
  const order = host.endsWith('.')
    ? [note('NameIsAbsolute')]
    : searches.length > 0 && dots >= ndots
      ? [note('NameHasEnoughDots', { dots })]
      : [];
  return createStep('name', `Name ${host}`, {
    notes: [client, ...order, ...notes],
    chosen: names.map((name) => item(`name/${name}`, name)),
    ...(cause !== undefined && { outcome: 'error', cause }),
  });
}

/** Findings about the DNS server that the client queries. */
export interface DnsStatus {
  readonly notes: readonly TraceNote[];
  /** Why cluster DNS names cannot be resolved; undefined if they can. */
  readonly cause?: string;
}

/** Which DNS server the resolver queries, and whether the cluster's DNS (if its Service is known) has a usable endpoint. */
export function checkDns({ nameservers, policy }: ResolverConfig, { pod }: Origin, cluster: Cluster): DnsStatus {
  const name = pod ? objectKey(pod) : '';
  const server = cluster.objects.services.find(isClusterDns);
  if (nameservers === 'node') {
    const cause = policy === 'Default' ? 'dnsPolicy Default' : 'dnsPolicy ClusterFirst acts as Default with hostNetwork';
    return createFailure(note('NodeDnsUsed', { pod: name, cause }, 'pod.spec.dnsPolicy'));
  }
  if (nameservers !== 'cluster') {
    const servers = nameservers.join(', ') || 'no nameserver';
    const clusterDns = server ? addressesOf(server) : [];
    const isClusterDnsMissing =
      nameservers.length === 0 ||
      (clusterDns.length > 0 && !nameservers.some((address) => clusterDns.includes(canonicalIP(address) ?? '')));
    const values = { pod: name, servers, clusterDns: clusterDns.join(', ') || 'the cluster IP of kube-system/kube-dns' };
    const path = 'pod.spec.dnsConfig.nameservers';
    if (isClusterDnsMissing) return createFailure(note('ClusterDnsNotInNameservers', values, path));
    const downNotes = findDownNotes(server, cluster);
    return { notes: [note('OwnNameserversUsed', values, path), ...downNotes], ...causeFields(downNotes) };
  }
  const downNotes = findDownNotes(server, cluster);
  return { notes: downNotes, ...causeFields(downNotes) };
}

const createFailure = (finding: TraceNote): DnsStatus => ({ notes: [finding], ...causeFields([finding]) });

const causeFields = ([finding]: readonly TraceNote[]): { readonly cause?: string } =>
  finding ? { cause: withoutFullStop(finding.message) } : {};

/** A note if the cluster's DNS has no usable endpoint; empty if neither its endpoints nor its pods are known. */
function findDownNotes(server: TraceService | undefined, cluster: Cluster): TraceNote[] {
  if (!server || (cluster.slicesAreComputed && cluster.podsOf(server).length === 0)) return [];
  const endpoints = cluster.slicesOf(server).flatMap((slice) => slice.endpoints ?? []);
  if (endpoints.some(({ conditions }) => conditions?.ready !== false || (conditions.serving && conditions.terminating))) return [];
  const values = { service: objectKey(server), name: `${nameOf(server)}.${namespaceOf(server)}` };
  return [note('ClusterDnsNotReady', values, 'endpointslice.endpoints')];
}

/** CoreDNS runs behind the Service kube-dns, named after its predecessor. */
const isClusterDns = (service: TraceService): boolean =>
  objectKey(service) === 'kube-system/kube-dns' && service.spec?.clusterIP !== 'None';

const addressesOf = ({ spec }: TraceService): string[] => [
  ...new Set([spec?.clusterIP, ...(spec?.clusterIPs ?? [])].flatMap((address) => (address ? (canonicalIP(address) ?? []) : []))),
];
