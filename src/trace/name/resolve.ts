import { canonicalIP, nameOf, namespaceOf, objectKey } from '../../apimachinery/index.ts';
import type { DnsConfig } from '../../dns/index.ts';
import type { Cluster } from '../cluster.ts';
import { type Destination, findDestination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import { createItem, createNote, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createSkippedStep, createStep, type StepResult, type TraceNote } from '../trace.ts';
import { createZone, queryNames } from './lookup.ts';
import { createForwardedStep, createRecordStep, findReferencedService, type RecordStep } from './record.ts';
import { candidatesOf, countDots, type ResolverConfig, resolverOf } from './resolver.ts';
import { findForwardedName } from './suggest.ts';

/** The steps "name" and "record", with the destination. */
export interface ResolvedTarget extends RecordStep {
  readonly name: StepResult;
}

/** Resolves the target as the client would: its search path, the queried names and their records. */
export function resolve(target: Target, origin: Origin, cluster: Cluster, config: DnsConfig): ResolvedTarget {
  if (target.isAddress) return resolveAddress(target, cluster, [createNote('TargetIsAddress', { address: target.host })]);
  const aliasAddress = findHostAlias(target.host, origin);
  if (aliasAddress !== undefined) {
    const values = { pod: origin.pod ? objectKey(origin.pod) : '', name: target.host, address: aliasAddress };
    return resolveAddress({ ...target, host: aliasAddress }, cluster, [createNote('HostAliasUsed', values, 'pod.spec.hostAliases')]);
  }
  const zone = createZone(cluster, origin.namespace, config);
  const zoneOrigins = zone.zones.filter((name) => !name.endsWith('.arpa.'));
  const domain = (zoneOrigins[0] ?? 'cluster.local.').replace(/\.$/, '');
  const resolver = resolverOf(origin.pod, origin.namespace, domain);
  const names = candidatesOf(target.host, resolver);
  const dnsStatus = checkDns(resolver, origin, cluster);
  if (dnsStatus.cause !== undefined) {
    // DNS does not answer. Look up the Service that the name refers to anyway, so that the remaining steps can be shown.
    const defaultNames = candidatesOf(target.host, resolverOf(undefined, origin.namespace, domain));
    const { attempts } = queryNames(defaultNames, zone, config);
    const isDown = dnsStatus.notes.some(({ code }) => code === 'ClusterDnsNotReady');
    const forwardedAttempt = isDown ? undefined : findForwardedName(target, attempts, cluster);
    if (forwardedAttempt)
      return {
        name: createNameStep(target, origin, resolver, { names, notes: [], cause: undefined }),
        ...createForwardedStep(forwardedAttempt, [forwardedAttempt]),
      };
    const name = createNameStep(target, origin, resolver, { names, notes: dnsStatus.notes, cause: dnsStatus.cause });
    return {
      name,
      record: createSkippedStep('record', 'No answer'),
      destination: createUnresolvedDestination(findReferencedService(attempts, cluster).service),
    };
  }
  const lookup = queryNames(names, zone, config);
  const queriedNames = { names: lookup.attempts.map(({ name }) => name), notes: dnsStatus.notes, cause: undefined };
  return { name: createNameStep(target, origin, resolver, queriedNames), ...createRecordStep(lookup, target, cluster, config) };
}

const createUnresolvedDestination = (service: TraceService | undefined): Destination => ({ kind: 'nowhere', ...(service && { service }) });

function resolveAddress(target: Target, cluster: Cluster, notes: readonly TraceNote[]): ResolvedTarget {
  return {
    name: createStep('name', `Address ${target.host}`, { notes, chosen: [createItem(`address/${target.host}`, target.host)] }),
    record: createSkippedStep('record', 'No DNS query'),
    destination: findDestination(target.host, target, cluster),
  };
}

/** Finds the address of a name in the client pod's hosts file, which takes precedence over DNS; undefined if absent or invalid. */
function findHostAlias(host: string, { pod }: Origin): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  const hostAlias = pod?.spec?.hostAliases?.find(({ hostnames }) => hostnames?.some((each) => each.toLowerCase() === name));
  return hostAlias?.ip ? canonicalIP(hostAlias.ip) : undefined;
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
  const searchText = searches.join(' ') || 'none';
  const clientNote = pod
    ? createNote('ResolverOfPod', { pod: objectKey(pod), policy, search: searchText, ndots }, 'pod.spec.dnsPolicy')
    : createNote('ResolverOfNamespace', { namespace, search: searchText, ndots });
  const dots = countDots(host);
  const orderNotes = host.endsWith('.')
    ? [createNote('NameIsAbsolute')]
    : searches.length > 0 && dots >= ndots
      ? [createNote('NameHasEnoughDots', { dots })]
      : [];
  return createStep('name', `Name ${host}`, {
    notes: [clientNote, ...orderNotes, ...notes],
    chosen: names.map((name) => createItem(`name/${name}`, name)),
    ...(cause !== undefined && { outcome: 'error', cause }),
  });
}

/** Findings about the DNS server that the client queries. */
export interface DnsStatus {
  readonly notes: readonly TraceNote[];
  /** Why cluster DNS names cannot be resolved; undefined if they can. */
  readonly cause?: string;
}

/** Checks which DNS server the resolver queries and, if the Service of the cluster's DNS is known, whether it has a usable endpoint. */
export function checkDns({ nameservers, policy }: ResolverConfig, { pod }: Origin, cluster: Cluster): DnsStatus {
  const name = pod ? objectKey(pod) : '';
  const dnsService = cluster.objects.services.find(isClusterDns);
  if (nameservers === 'node') {
    const cause = policy === 'Default' ? 'dnsPolicy Default' : 'dnsPolicy ClusterFirst acts as Default with hostNetwork';
    return createFailure(createNote('NodeDnsUsed', { pod: name, cause }, 'pod.spec.dnsPolicy'));
  }
  if (nameservers !== 'cluster') {
    const servers = nameservers.join(', ') || 'no nameserver';
    const clusterDns = dnsService ? addressesOf(dnsService) : [];
    const isClusterDnsMissing =
      nameservers.length === 0 ||
      (clusterDns.length > 0 && !nameservers.some((address) => clusterDns.includes(canonicalIP(address) ?? '')));
    const values = { pod: name, servers, clusterDns: clusterDns.join(', ') || 'the cluster IP of kube-system/kube-dns' };
    const path = 'pod.spec.dnsConfig.nameservers';
    if (isClusterDnsMissing) return createFailure(createNote('ClusterDnsNotInNameservers', values, path));
    const downNotes = findDownNotes(dnsService, cluster);
    return { notes: [createNote('OwnNameserversUsed', values, path), ...downNotes], ...toCauseFields(downNotes) };
  }
  const downNotes = findDownNotes(dnsService, cluster);
  return { notes: downNotes, ...toCauseFields(downNotes) };
}

const createFailure = (finding: TraceNote): DnsStatus => ({ notes: [finding], ...toCauseFields([finding]) });

const toCauseFields = ([finding]: readonly TraceNote[]): { readonly cause?: string } =>
  finding ? { cause: removeFullStop(finding.message) } : {};

/** Returns a note if the cluster's DNS has no usable endpoint; empty if it has one, or if neither its endpoints nor its pods are known. */
function findDownNotes(server: TraceService | undefined, cluster: Cluster): TraceNote[] {
  if (!server || (cluster.slicesAreComputed && cluster.podsOf(server).length === 0)) return [];
  const endpoints = cluster.slicesOf(server).flatMap((slice) => slice.endpoints ?? []);
  if (endpoints.some(({ conditions }) => conditions?.ready !== false || (conditions.serving && conditions.terminating))) return [];
  const values = { service: objectKey(server), name: `${nameOf(server)}.${namespaceOf(server)}` };
  return [createNote('ClusterDnsNotReady', values, 'endpointslice.endpoints')];
}

/** CoreDNS runs behind the Service kube-dns, named after its predecessor. */
const isClusterDns = (service: TraceService): boolean =>
  objectKey(service) === 'kube-system/kube-dns' && service.spec?.clusterIP !== 'None';

const addressesOf = ({ spec }: TraceService): string[] => [
  ...new Set([spec?.clusterIP, ...(spec?.clusterIPs ?? [])].flatMap((address) => (address ? (canonicalIP(address) ?? []) : []))),
];
